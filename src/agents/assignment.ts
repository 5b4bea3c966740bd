import { defined } from '../contract/defined.ts';
import { type Budget, limits, type TaskInput, type TaskType } from '../contract/task.ts';
import { DomainError } from '../errors.ts';

/** The embedded agent, by the name that a request or a setting may give. */
export const RULES = 'rules';

/** What the settings say of language models; each is `<provider>/<model>`, or `rules`. */
export interface ModelChoices {
  model?: string | undefined;
  pageModel?: string | undefined;
  models: string[];
  /** Of tasks that a language model does. */
  budget: Budget;
}

/** What a request says of who does it. */
export interface Wish {
  type: Exclude<TaskType, 'publish' | 'restore' | 'drop'>;
  model?: string | undefined;
  budget?: Partial<Budget> | undefined;
}

/**
 * Decides who does a task, and what it may use up. Throws INVALID_INPUT for a model that is not
 * offered.
 */
export type Assign = (wish: Wish) => Pick<TaskInput, 'model' | 'budget'>;

/**
 * What the embedded agent may use up where a request says nothing of it: it needs neither tokens
 * nor money.
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

/** The models are fixed when a task is created, since a conversation can't change its model. */
export function createAssignment(choices: ModelChoices): Assign {
  const offered = [...modelsOf(choices), RULES];
  return ({ type, model: asked, budget }) => {
    if (asked !== undefined && !offered.includes(asked))
      throw new DomainError(
        'INVALID_INPUT',
        `Invalid request body: model must be one of [${offered.join(', ')}]`,
      );
    const name = asked ?? (type === 'prompt' ? choices.model : choices.pageModel) ?? RULES;
    if (name !== RULES) return { model: name, budget: { ...choices.budget, ...budget } };
    return defined({ budget: budget && { ...choices.budget, ...RULES_BUDGET, ...budget } });
  };
}
