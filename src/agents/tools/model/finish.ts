import { Joi } from '../../../joi.ts';
import type { Note } from '../../../contract/task.ts';
import { collapse } from '../../../text/text.ts';
import { plainWords } from '../../text/plainWords.ts';
import type { Tool } from '../tool.ts';

const MOST_UNDONE = 20;
const LONGEST_UNDONE = 300;

export const finish: Tool = {
  name: 'finish',
  description:
    'Ends the task. `summary`: what was done. `undone`: what was asked for and is not done, each with its reason. `error`: why nothing can be done; then nothing is changed.',
  schema: Joi.object({
    summary: Joi.string().allow('').max(2_000).required(),
    undone: Joi.array().items(Joi.string().max(LONGEST_UNDONE)).max(MOST_UNDONE),
    error: Joi.string().max(2_000),
  }),
  run: () => Promise.resolve('Finished'),
};

/** The arguments of a call of `finish`, for people: plain words, in one line each. */
export interface Ending {
  summary: string;
  undone: string[];
  error?: string;
}

/** Reads a call of `finish`, which may not have passed the schema. */
export function endingOf({ summary, undone, error }: Record<string, unknown>): Ending {
  const listed: unknown[] = Array.isArray(undone) ? undone : [];
  const lines = listed.filter((one) => typeof one === 'string').map(plainLine);
  return {
    summary: typeof summary === 'string' ? plainWords(summary) : '',
    undone: [...new Set(lines)].filter((line) => line !== '').slice(0, MOST_UNDONE),
    ...(typeof error === 'string' && error !== '' && { error: plainWords(error) || NO_REASON }),
  };
}

const NO_REASON = 'It could not be done, and no reason was given';

const plainLine = (text: string) => collapse(plainWords(text.slice(0, LONGEST_UNDONE)));

/** The notes on an end: what was not done, and whether nothing was. */
export const endNotes = ({ undone }: Ending, isChanged: boolean): Note[] => [
  ...undone.map((text): Note => ({ kind: 'undone', text: `Not done: ${text}`, value: text })),
  ...(isChanged ? [] : [{ kind: 'undone' as const, text: 'Nothing was changed' }]),
];
