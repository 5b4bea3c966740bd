import { DomainError } from '../../../errors.ts';
import { quoteText } from '../../../text/text.ts';
import { findClosestNames } from '../../shared/text/closestNames.ts';
import { instructionKinds } from './wordings/instructionKinds.ts';

const MAX_QUOTED_LENGTH = 120;
const MAX_WORDINGS = 3;
/** Most characters of a sentence for which another one is proposed. */
const MAX_PROPOSED_LENGTH = 400;

/** The text of a sentence that is not understood, or the problem of the whole prompt. */
type RefusedPrompt = { text: string } | { problem: string };

/**
 * The error for a prompt that is not understood. For a sentence, it proposes how to write it, and
 * names the nearest wordings.
 * @param canRead whether the rules understand a sentence
 */
export function createNotUnderstoodError(
  refusedPrompt: RefusedPrompt,
  canRead: (sentence: string) => boolean = () => false,
): DomainError {
  if ('problem' in refusedPrompt)
    return new DomainError('NOT_UNDERSTOOD', `Nothing was changed: ${refusedPrompt.problem}.`);
  const { text } = refusedPrompt;
  const proposal = proposeSentence(text, canRead);
  return new DomainError(
    'NOT_UNDERSTOOD',
    `Nothing was changed, because this was not understood: ${quoteText(text, MAX_QUOTED_LENGTH)}. ` +
      (proposal === undefined ? '' : `You can write: ${proposal}. `) +
      `The rules only understand fixed wordings. The nearest ones are: ${findNearestWordings(text).join(' | ')}.`,
  );
}

/**
 * Changes that turn many refused sentences into ones that the rules understand. They only make a
 * proposal, which a person reads, so `on all location pages` may become `on every page`.
 */
const REWRITES: [pattern: RegExp, replacement: string][] = [
  [/ (?:please|kindly)(?= )/gi, ''],
  [/^((?:on|in) (?:(?:the|our) )?(?:[^\s,"]+ ){1,4}page|(?:on|in) \/\S*)(?= \w)/i, '$1,'],
  [
    /\b(?:on|across|in|of|for) all(?: of)?(?: the| our)?(?: [\w-]+){1,3} pages\b/gi,
    'on every page',
  ],
  [/^on every page, (.+?)\.?$/i, '$1 on every page'],
  [/ (to|with|say|read) ([^"]+?)\.?$/i, ' $1 "$2"'],
];

/** The sentence after as few of the changes as it needs, or undefined if they are not enough. */
function proposeSentence(text: string, canRead: (sentence: string) => boolean): string | undefined {
  if (text.length > MAX_PROPOSED_LENGTH) return undefined;
  const proposals = [text];
  for (const [pattern, replacement] of REWRITES)
    proposals.push(proposals.at(-1)!.replace(pattern, replacement));
  return proposals.find((proposal) => proposal !== text && canRead(proposal));
}

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
