import { withoutUndefined } from '../contract/withoutUndefined.ts';
import { type UsageLimits, limits, type TaskInput } from '../contract/task.ts';
import { invalidInputError } from '../errors.ts';

/** The name of the embedded agent in requests and settings. */
export const RULES = 'rules';

/** The settings for language models. Each name is `<provider>/<model>` or `rules`. */
export interface ModelChoices {
  /** The first one does the tasks that name none. None: the rules do. */
  models: string[];
  /** The budget of tasks for a language model. */
  budget: UsageLimits;
}

/** The parts of a request that decide on model and budget. */
interface ModelRequest {
  model?: string | undefined;
  budget?: Partial<UsageLimits> | undefined;
}

/** Chooses a task's model and budget. Throws INVALID_INPUT for a model that is not offered. */
export type AssignModel = (request: ModelRequest) => Pick<TaskInput, 'model' | 'budget'>;

/**
 * The embedded agent's defaults if a request sets a budget. The agent uses no tokens and no money.
 */
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
 * Makes `AssignModel`. A task's model is fixed at creation, since a conversation can't change its
 * model.
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
