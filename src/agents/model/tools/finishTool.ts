import { Joi } from '../../../boundedJoi.ts';
import type { Note } from '../../../contract/task.ts';
import { collapseSpaces } from '../../../text/text.ts';
import { cleanModelText } from '../../shared/text/cleanModelText.ts';
import type { ModelTool } from '../../shared/tools/toolContext.ts';

const MAX_UNDONE = 20;
const MAX_UNDONE_LENGTH = 300;

export const finishTool: ModelTool = {
  name: 'finish',
  description:
    'Ends the task. `summary`: what was done. `undone`: what was asked for and is not done, each with its reason. `error`: why nothing can be done; then nothing is changed.',
  schema: Joi.object({
    summary: Joi.string().allow('').max(2_000).required(),
    undone: Joi.array().items(Joi.string().max(MAX_UNDONE_LENGTH)).max(MAX_UNDONE),
    error: Joi.string().max(2_000),
  }),
  run: () => Promise.resolve('Finished'),
};

/** The arguments of a call of `finish`, as people read them: plain words, in one line each. */
export interface FinishArguments {
  summary: string;
  undone: string[];
  error?: string;
}

/** Reads the arguments of a call of `finish`, which may not have passed the schema. */
export function readFinishArguments({
  summary,
  undone,
  error,
}: Record<string, unknown>): FinishArguments {
  const undoneValues: unknown[] = Array.isArray(undone) ? undone : [];
  const undoneLines = undoneValues
    .filter((undoneValue) => typeof undoneValue === 'string')
    .map(cleanLineOfText);
  return {
    summary: typeof summary === 'string' ? cleanModelText(summary) : '',
    undone: [...new Set(undoneLines)].filter((line) => line !== '').slice(0, MAX_UNDONE),
    ...(typeof error === 'string' && error !== '' && { error: cleanModelText(error) || NO_REASON }),
  };
}

const NO_REASON =
  'The language model found the task impossible, and gave no reason. Rephrase the instructions, or choose another model';

const cleanLineOfText = (text: string) =>
  collapseSpaces(cleanModelText(text.slice(0, MAX_UNDONE_LENGTH)));

/** The notes of a finished task: what was not done, and whether nothing was changed at all. */
export const createFinishNotes = ({ undone }: FinishArguments, isChanged: boolean): Note[] => [
  ...undone.map((text): Note => ({ kind: 'undone', text: `Not done: ${text}`, value: text })),
  ...(isChanged ? [] : [{ kind: 'undone' as const, text: 'Nothing was changed' }]),
];
