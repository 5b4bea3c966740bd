import { DomainError } from '../../../errors.ts';
import { quoted } from '../../../text/text.ts';
import { closest } from '../../text/closest.ts';
import { table } from './table.ts';

const LONGEST = 120;
const MOST = 3;

/** A sentence that is not understood, or the problem of the whole prompt. */
type Refused = { text: string } | { problem: string };

/** The error for a prompt that is not understood. It names the nearest wordings. */
export const notUnderstood = (refused: Refused): DomainError =>
  new DomainError(
    'NOT_UNDERSTOOD',
    'problem' in refused
      ? `Nothing was changed: ${refused.problem}.`
      : `Nothing was changed: this was not understood: ${quoted(refused.text, LONGEST)}. ` +
          `This assistant follows fixed wordings. The nearest are: ${nearest(refused.text).join(' | ')}.`,
  );

/** The examples whose words are most like those of a sentence. */
function nearest(text: string): string[] {
  const examples = new Map(
    Object.values(table).flatMap(({ wordings }) =>
      wordings.map(([, example]) => [wordsOf(example), example] as const),
    ),
  );
  const found = closest([...examples.keys()], wordsOf(text.slice(0, LONGEST * 2)));
  return [...found, ...examples.keys()].slice(0, MOST).map((words) => examples.get(words)!);
}

/** A sentence without its values. */
const wordsOf = (text: string) =>
  text
    .toLowerCase()
    .replace(/"[^"]*"/g, '')
    .replace(/\s+/g, ' ');
