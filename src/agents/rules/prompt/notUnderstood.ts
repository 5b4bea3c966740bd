import { DomainError } from '../../../errors.ts';
import { quoteText } from '../../../text/text.ts';
import { findClosestNames } from '../../shared/text/closestNames.ts';
import { instructionKinds } from './wordings/instructionKinds.ts';

const MAX_QUOTED_LENGTH = 120;
const MAX_WORDINGS = 3;

/** The text of a sentence that is not understood, or the problem of the whole prompt. */
type RefusedPrompt = { text: string } | { problem: string };

/** The error for a prompt that is not understood. For a sentence, it names the nearest wordings. */
export const createNotUnderstoodError = (refusedPrompt: RefusedPrompt): DomainError =>
  new DomainError(
    'NOT_UNDERSTOOD',
    'problem' in refusedPrompt
      ? `Nothing was changed: ${refusedPrompt.problem}.`
      : `Nothing was changed, because this was not understood: ${quoteText(refusedPrompt.text, MAX_QUOTED_LENGTH)}. ` +
          `The rules only understand fixed wordings. The nearest ones are: ${findNearestWordings(refusedPrompt.text).join(' | ')}.`,
  );

/** The examples whose words are most like those of a sentence. */
function findNearestWordings(text: string): string[] {
  const examples = new Map(
    Object.values(instructionKinds).flatMap(({ wordings }) =>
      wordings.map(([, example]) => [omitQuotedValues(example), example] as const),
    ),
  );
  const closestExamples = findClosestNames(
    [...examples.keys()],
    omitQuotedValues(text.slice(0, MAX_QUOTED_LENGTH * 2)),
  );
  return [...closestExamples, ...examples.keys()]
    .slice(0, MAX_WORDINGS)
    .map((words) => examples.get(words)!);
}

/** A sentence in lower case without its quoted texts, for comparison. */
const omitQuotedValues = (text: string) =>
  text
    .toLowerCase()
    .replace(/"[^"]*"/g, '')
    .replace(/\s+/g, ' ');
