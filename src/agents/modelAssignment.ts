import { withoutUndefined } from '../contract/withoutUndefined.ts';
import { type UsageLimits, limits, type TaskInput } from '../contract/task.ts';
import { invalidInputError } from '../errors.ts';

/** The name of the rules, the embedded agent, in requests and settings. */
export const RULES = 'rules';

/** The settings for language models. Each name is `<provider>/<model>` or `rules`. */
export interface ModelChoices {
  /** The first one does the tasks that name no model. If there is none, the rules do them. */
  models: string[];
  /** The budget of a task for a language model: the turns, tokens, minutes and pages it may use. */
  budget: UsageLimits;
}

/** The fields of a task's request that decide on its model and budget. */
interface ModelRequest {
  model?: string | undefined;
  budget?: Partial<UsageLimits> | undefined;
}

/**
 * Chooses a task's model and budget. The result for the rules has no `model`, and a budget only if
 * the request has one. Throws INVALID_INPUT for a model that is not offered.
 */
export type AssignModel = (request: ModelRequest) => Pick<TaskInput, 'model' | 'budget'>;

/** Defaults of the budget for the rules, if a request sets some of it. They use no tokens. */
const RULES_BUDGET: Pick<UsageLimits, 'turns' | 'pagesChanged' | 'pagesDeleted'> = {
  turns: 60,
  pagesChanged: limits.pagesPerTask,
  pagesDeleted: limits.pagesPerTask,
};

/** Every configured language model, without duplicates. */
export const configuredModels = ({ models }: Pick<ModelChoices, 'models'>): string[] => [
  ...new Set(models.filter((modelName) => modelName !== RULES)),
];

/**
 * Makes the function that chooses a task's model and budget when the task is created. The model
 * never changes later, since it could not continue another model's conversation.
 */
export function createModelAssignment(choices: ModelChoices): AssignModel {
  const offeredModels = [...configuredModels(choices), RULES];
  return ({ model: requestedModel, budget }) => {
    if (requestedModel !== undefined && !offeredModels.includes(requestedModel))
      throw invalidInputError(
        `Invalid request body: model must be one of [${offeredModels.join(', ')}]`,
      );
    const modelName = requestedModel ?? choices.models[0] ?? RULES;
    if (modelName !== RULES) return { model: modelName, budget: { ...choices.budget, ...budget } };
    return withoutUndefined({
      budget: budget && { ...choices.budget, ...RULES_BUDGET, ...budget },
    });
  };
}
