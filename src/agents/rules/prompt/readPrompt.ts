import { normalizeText } from '../../../contract/normalizeText.ts';
import { limits } from '../../../contract/task.ts';
import { isLonger } from '../../../contract/text.ts';
import { DomainError } from '../../../errors.ts';
import type { Instruction, PageName } from './instructions.ts';
import { takeQuotes } from './language/quotes.ts';
import { jointsOf, type Sentence, sentencesOf, withoutPolite } from './language/sentences.ts';
import { notUnderstood } from './refusal.ts';
import { readHeading, readInstruction } from './table.ts';

/** Most instructions of one prompt. More do not fit into one task. */
const INSTRUCTIONS = 50;
/** Most characters of a sentence without its quoted texts, and most of its parts. */
const LONGEST = 400;
const MOST_JOINTS = 12;

/** One instruction of a prompt. What makes a page may have several parts. */
export type Reading = Instruction[];

/**
 * Reads a prompt as instructions. Has no side effects. Text inside quotes is data, never an
 * instruction.
 *
 *     Change the headline of /about to "Us" and the title to "About us". Delete /old-offer
 *
 * has two sentences and three instructions. A sentence is read by the first wording that fits it as
 * a whole. If none does, it is split at `and` and commas, and each part must fit a wording.
 * @param slugs those of the site's pages: one with spaces is understood without quotes too
 * @throws DomainError NOT_UNDERSTOOD for the first sentence that is not understood as a whole;
 *   LIMIT_EXCEEDED for a prompt that is too long or has too many instructions
 */
export function readPrompt(prompt: string, slugs: readonly string[] = []): Reading[] {
  if (isLonger(prompt, limits.promptLength))
    throw new DomainError(
      'LIMIT_EXCEEDED',
      `The prompt is over ${limits.promptLength} characters long`,
    );
  const quoted = takeQuotes(normalizeText(prompt, 'NFC'));
  if (!quoted) throw notUnderstood({ problem: 'a quote in the prompt is opened and not closed' });
  const sentences = sentencesOf({ ...quoted, text: withoutSpaces(quoted.text, slugs) });
  if (sentences.length === 0) throw notUnderstood({ problem: 'the prompt has no instruction' });
  if (sentences.length > INSTRUCTIONS * 2) throw tooMany(sentences.length);
  const found = readAll(sentences, quoted.quotes);
  if (found.length > INSTRUCTIONS) throw tooMany(found.length);
  if (found.flat().some(hasEmptyText))
    throw notUnderstood({
      problem: 'a text in quotes has no words. Put your words into its quotes',
    });
  if (isUndone(found.flat()))
    throw notUnderstood({ problem: 'the prompt changes a text and then changes it back' });
  return found;
}

/** A prompt in which the site's slugs with spaces are percent-encoded. */
const withoutSpaces = (text: string, slugs: readonly string[]) =>
  slugs
    .filter((slug) => slug.includes(' '))
    .sort((a, b) => b.length - a.length)
    .reduce((encoded, slug) => encoded.replaceAll(slug, slug.replaceAll(' ', '%20')), text);

function readAll(sentences: Sentence[], quotes: string[]): Reading[] {
  let start = '';
  let open: Sentence | undefined;
  const found = sentences.flatMap((sentence) => {
    const { words } = sentence;
    const heading = open ? null : readHeading(words, quotes);
    if (heading !== null) {
      start = heading;
      open = sentence;
      return [];
    }
    open = undefined;
    const own = words.length > LONGEST ? null : readSentence(start + words, quotes);
    if (!own) throw notUnderstood(sentence);
    return own;
  });
  if (open) throw notUnderstood(open);
  return found;
}

/** Reads a sentence as one instruction, or as several with joints between them. */
function readSentence(words: string, quotes: string[]): Reading[] | null {
  const joints = jointsOf(words).slice(0, MOST_JOINTS);
  const failed = new Set<number>();
  const readFrom = (start: number, page: PageName | null): Reading[] | null => {
    const rest = start === 0 ? words : withoutPolite(words.slice(start));
    const whole = inPlace(readInstruction(rest, quotes), page);
    if (whole) return [whole];
    for (const { at, end } of joints) {
      if (at <= start) continue;
      const part = start === 0 ? words.slice(0, at) : withoutPolite(words.slice(start, at));
      const one = inPlace(readInstruction(part, quotes), page);
      const others = one && !failed.has(end) && readFrom(end, pageOf(one) ?? page);
      if (others) return [one, ...others];
    }
    failed.add(start);
    return null;
  };
  return readFrom(0, null);
}

/** The page of an instruction, by the name that it has afterwards. */
function pageOf([first]: Reading): PageName | null {
  if (first === undefined || first.kind === 'delete') return null;
  if (first.kind === 'create' || first.kind === 'generate') return { slug: first.path };
  if (first.kind === 'move') return { slug: first.to };
  if ('slug' in first && first.slug) return first.slug;
  return 'slugs' in first && Array.isArray(first.slugs) ? (first.slugs[0] ?? null) : null;
}

/** Gives an instruction without a page that of the instruction before it in the sentence. */
function inPlace(reading: Reading | null, page: PageName | null): Reading | null {
  if (!reading || !page) return reading;
  return reading.map((one) => {
    if ('slug' in one && one.slug === null) return { ...one, slug: page };
    const isOpen = (one.kind === 'link' || one.kind === 'replace') && one.slugs === null;
    return isOpen ? { ...one, slugs: [page] } : one;
  });
}

const hasEmptyText = (instruction: Instruction) =>
  textsOf(instruction).some((text) => !/[\p{L}\p{N}]/u.test(text) || text.trim() === '…');

function textsOf(instruction: Instruction): string[] {
  if (instruction.kind === 'replace') return [instruction.from, instruction.to];
  if (instruction.kind === 'add') return instruction.texts;
  return 'text' in instruction && instruction.text !== undefined ? [instruction.text] : [];
}

/** Whether a text is changed from A to B and later from B to A, which would leave A everywhere. */
function isUndone(found: Instruction[]): boolean {
  const changes = found.flatMap((one) =>
    one.kind === 'replace'
      ? [[one.from, one.to]]
      : one.kind === 'menu' && one.change === 'rename'
        ? [[one.now, one.text]]
        : [],
  );
  return changes.some(([from, to], i) =>
    changes.slice(i + 1).some(([later, then]) => later === to && then === from),
  );
}

const tooMany = (count: number) =>
  new DomainError(
    'LIMIT_EXCEEDED',
    `The prompt has ${count} instructions; at most ${INSTRUCTIONS} are possible in one task`,
  );
