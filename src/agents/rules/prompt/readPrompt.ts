import { normalizeText } from '../../../contract/normalizeText.ts';
import { limits } from '../../../contract/task.ts';
import { isLonger } from '../../../contract/text.ts';
import { DomainError } from '../../../errors.ts';
import { withLabelledTexts } from './language/labelledTexts.ts';
import { piecesOf } from './language/pieces.ts';
import { tokensOf, withNames } from './language/tokens.ts';
import { readSentences, type Reading } from './readSentences.ts';
import { withRemarksApart } from './remarksApart.ts';

/** Most instructions of one prompt. More do not fit into one task. */
const INSTRUCTIONS = 50;

/**
 * Reads a prompt as instructions. Has no side effects. Text inside quotes is data, never an
 * instruction.
 * @param names texts of the site, which the prompt may use without quotes
 * @throws DomainError LIMIT_EXCEEDED for a prompt that is too long or has too many instructions
 */
export function readPrompt(prompt: string, names: ReadonlySet<string> = new Set()): Reading {
  if (isLonger(prompt, limits.promptLength))
    throw new DomainError(
      'LIMIT_EXCEEDED',
      `The prompt is over ${limits.promptLength} characters long`,
    );
  const source = normalizeText(prompt, 'NFC');
  const tokens = tokensOf(source);
  if (!tokens)
    return {
      refused: '',
      which: 'a quote in the prompt is opened and not closed',
      mend: 'Close it',
    };
  const texts = withLabelledTexts(tokens);
  const sentences = piecesOf(withRemarksApart(names.size === 0 ? texts : withNames(texts, names)));
  const count = sentences.flat().length;
  if (count === 0) return { refused: '', which: 'the prompt has no instruction' };
  if (count > INSTRUCTIONS * 2) throw tooMany(count);
  const read = readSentences(sentences, (from, to) => source.slice(from, to));
  if ('instructions' in read && read.instructions.length > INSTRUCTIONS)
    throw tooMany(read.instructions.length);
  return read;
}

const tooMany = (count: number) =>
  new DomainError(
    'LIMIT_EXCEEDED',
    `The prompt has ${count} instructions; at most ${INSTRUCTIONS} are possible in one task`,
  );
