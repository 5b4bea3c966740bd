import { defined } from '../contract/defined.ts';
import { type Budget, limits, type TaskInput, type TaskType } from '../contract/task.ts';
import { invalidInput } from '../errors.ts';

/** The embedded agent, by the name that a request or a setting may give. */
export const RULES = 'rules';

/** The settings for language models. Each name is `<provider>/<model>` or `rules`. */
export interface ModelChoices {
  model?: string | undefined;
  pageModel?: string | undefined;
  models: string[];
  /** The budget of tasks for a language model. */
  budget: Budget;
}

/** What a request asks for. */
interface Wish {
  type: Exclude<TaskType, 'publish' | 'restore' | 'drop'>;
  model?: string | undefined;
  budget?: Partial<Budget> | undefined;
}

/** Chooses a task's model and budget. Throws INVALID_INPUT for a model that is not offered. */
export type Assign = (wish: Wish) => Pick<TaskInput, 'model' | 'budget'>;

/**
 * The embedded agent's defaults where a request gives a budget: it needs no tokens and no money.
 */
const RULES_BUDGET: Pick<Budget, 'turns' | 'pagesChanged' | 'pagesDeleted'> = {
  turns: 60,
  pagesChanged: limits.pagesPerTask,
  pagesDeleted: limits.pagesPerTask,
};

/** Every language model of the settings, once. */
export const modelsOf = ({ model, pageModel, models }: Omit<ModelChoices, 'budget'>): string[] => [
  ...new Set(
    [model, pageModel, ...models].flatMap((name) =>
      name === undefined || name === RULES ? [] : name,
    ),
  ),
];

/**
 * A task's model is fixed when the task is created, since a conversation can't change its model.
 */
export function createAssignment(choices: ModelChoices): Assign {
  const offered = [...modelsOf(choices), RULES];
  return ({ type, model: asked, budget }) => {
    if (asked !== undefined && !offered.includes(asked))
      throw invalidInput(`Invalid request body: model must be one of [${offered.join(', ')}]`);
    const name = asked ?? (type === 'prompt' ? choices.model : choices.pageModel) ?? RULES;
    if (name !== RULES) return { model: name, budget: { ...choices.budget, ...budget } };
    return defined({ budget: budget && { ...choices.budget, ...RULES_BUDGET, ...budget } });
  };
}
