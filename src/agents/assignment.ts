import { defined } from '../contract/defined.ts';
import { type Budget, limits, type TaskInput } from '../contract/task.ts';
import { invalidInput } from '../errors.ts';

/** The name of the embedded agent in requests and settings. */
export const RULES = 'rules';

/** The settings for language models. Each name is `<provider>/<model>` or `rules`. */
export interface ModelChoices {
  /** The first one does the tasks that name none. None: the rules do. */
  models: string[];
  /** The budget of tasks for a language model. */
  budget: Budget;
}

/** The parts of a request that decide on model and budget. */
interface Wish {
  model?: string | undefined;
  budget?: Partial<Budget> | undefined;
}

/** Chooses a task's model and budget. Throws INVALID_INPUT for a model that is not offered. */
export type Assign = (wish: Wish) => Pick<TaskInput, 'model' | 'budget'>;

/**
 * The embedded agent's defaults if a request sets a budget. The agent uses no tokens and no money.
 */
const RULES_BUDGET: Pick<Budget, 'turns' | 'pagesChanged' | 'pagesDeleted'> = {
  turns: 60,
  pagesChanged: limits.pagesPerTask,
  pagesDeleted: limits.pagesPerTask,
};

/** Every configured language model, without duplicates. */
export const modelsOf = ({ models }: Pick<ModelChoices, 'models'>): string[] => [
  ...new Set(models.filter((name) => name !== RULES)),
];

/**
 * Makes `Assign`. A task's model is fixed at creation, since a conversation can't change its model.
 */
export function createAssignment(choices: ModelChoices): Assign {
  const offered = [...modelsOf(choices), RULES];
  return ({ model: asked, budget }) => {
    if (asked !== undefined && !offered.includes(asked))
      throw invalidInput(`Invalid request body: model must be one of [${offered.join(', ')}]`);
    const name = asked ?? choices.models[0] ?? RULES;
    if (name !== RULES) return { model: name, budget: { ...choices.budget, ...budget } };
    return defined({ budget: budget && { ...choices.budget, ...RULES_BUDGET, ...budget } });
  };
}
