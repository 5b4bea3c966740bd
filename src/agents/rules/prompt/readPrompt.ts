import { normalizeText } from '../../../contract/normalizeText.ts';
import { limits } from '../../../contract/task.ts';
import { isLonger } from '../../../contract/text/summaries.ts';
import { DomainError } from '../../../errors.ts';
import type { PromptInstruction, PageName } from './promptInstruction.ts';
import { extractQuotes } from './language/extractQuotes.ts';
import {
  findJoints,
  type PromptSentence,
  splitIntoSentences,
  removePoliteWords,
} from './language/splitSentences.ts';
import { createNotUnderstoodError } from './notUnderstood.ts';
import { readPromptHeading, readInstruction } from './wordings/instructionKinds.ts';

/** Most instructions of one prompt. More do not fit into one task. */
const MAX_INSTRUCTIONS = 50;
/** Most characters of a sentence without its quoted texts, and most joints in it (`and`). */
const MAX_SENTENCE_LENGTH = 400;
const MAX_JOINTS = 12;

/** One instruction of a prompt. A wording may read it as several parts, which become its steps. */
export type InstructionParts = PromptInstruction[];

/**
 * Reads a prompt as instructions. Has no side effects. Text inside quotes is data, never an
 * instruction.
 *
 *     Change the headline of /about to "Us" and the title to "About us". Delete /old-offer
 *
 * has two sentences and three instructions. A sentence is read by the first wording that fits it as
 * a whole. If none does, it is split at `and` and commas, and each part must fit a wording. A part
 * without a page is for the page of the part before it.
 * @param slugs the slugs of the site's pages. A slug with spaces is understood without quotes too
 * @throws DomainError NOT_UNDERSTOOD for the first sentence that is not fully understood, and for a
 *   prompt without instructions, with an open quote or an empty text, or that changes a text back;
 *   LIMIT_EXCEEDED for a prompt that is too long or has too many instructions
 */
export function readPrompt(prompt: string, slugs: readonly string[] = []): InstructionParts[] {
  if (isLonger(prompt, limits.promptLength))
    throw new DomainError(
      'LIMIT_EXCEEDED',
      `The prompt is longer than ${limits.promptLength} characters`,
    );
  const quotedPrompt = extractQuotes(normalizeText(prompt, 'NFC'));
  if (!quotedPrompt)
    throw createNotUnderstoodError({
      problem: 'the prompt has an opening quotation mark without a closing one',
    });
  const sentences = splitIntoSentences({
    ...quotedPrompt,
    text: withoutSpaces(quotedPrompt.text, slugs),
  });
  if (sentences.length === 0)
    throw createNotUnderstoodError({ problem: 'the prompt has no instruction' });
  if (sentences.length > MAX_INSTRUCTIONS * 2) throw createTooManyError(sentences.length);
  const instructions = readSentences(sentences, quotedPrompt.quotes);
  if (instructions.length > MAX_INSTRUCTIONS) throw createTooManyError(instructions.length);
  if (instructions.flat().some(hasEmptyText))
    throw createNotUnderstoodError({
      problem:
        'a text in quotation marks has no words. Write its words between the quotation marks',
    });
  if (changesBack(instructions.flat()))
    throw createNotUnderstoodError({
      problem: 'the prompt changes a text and then changes it back',
    });
  return instructions;
}

/** A prompt in which the site's slugs with spaces are percent-encoded. */
const withoutSpaces = (text: string, slugs: readonly string[]) =>
  slugs
    .filter((slug) => slug.includes(' '))
    .sort((a, b) => b.length - a.length)
    .reduce((encoded, slug) => encoded.replaceAll(slug, slug.replaceAll(' ', '%20')), text);

/**
 * Reads the sentences of a prompt. A line such as `Make the following changes on /pricing:` is a
 * heading, not an instruction: its `on /pricing` is put before each sentence below it.
 */
function readSentences(sentences: PromptSentence[], quotes: string[]): InstructionParts[] {
  let headingWords = '';
  let openSentence: PromptSentence | undefined;
  const instructions = sentences.flatMap((sentence) => {
    const { words } = sentence;
    const heading = openSentence ? null : readPromptHeading(words, quotes);
    if (heading !== null) {
      headingWords = heading;
      openSentence = sentence;
      return [];
    }
    openSentence = undefined;
    const sentenceInstructions =
      words.length > MAX_SENTENCE_LENGTH ? null : readSentence(headingWords + words, quotes);
    if (!sentenceInstructions) throw createNotUnderstoodError(sentence, canReadSentence);
    return sentenceInstructions;
  });
  if (openSentence) throw createNotUnderstoodError(openSentence);
  return instructions;
}

/** Whether a text is one sentence that the rules understand. */
function canReadSentence(text: string): boolean {
  const quotedText = extractQuotes(text);
  if (!quotedText) return false;
  const [sentence, ...others] = splitIntoSentences(quotedText);
  return (
    sentence !== undefined &&
    others.length === 0 &&
    readSentence(sentence.words, quotedText.quotes) !== null
  );
}

/** Reads a sentence as one instruction, or as several with joints between them. null if neither. */
function readSentence(words: string, quotes: string[]): InstructionParts[] | null {
  const joints = findJoints(words).slice(0, MAX_JOINTS);
  const failedStarts = new Set<number>();
  const readFrom = (start: number, page: PageName | null): InstructionParts[] | null => {
    const remainingWords = start === 0 ? words : removePoliteWords(words.slice(start));
    const wholeInstruction = applyPage(readInstruction(remainingWords, quotes), page);
    if (wholeInstruction) return [wholeInstruction];
    for (const { at: jointStart, end: jointEnd } of joints) {
      if (jointStart <= start) continue;
      const partWords =
        start === 0
          ? words.slice(0, jointStart)
          : removePoliteWords(words.slice(start, jointStart));
      const firstInstruction = applyPage(readInstruction(partWords, quotes), page);
      const otherInstructions =
        firstInstruction &&
        !failedStarts.has(jointEnd) &&
        readFrom(jointEnd, findInstructionPage(firstInstruction) ?? page);
      if (otherInstructions) return [firstInstruction, ...otherInstructions];
    }
    failedStarts.add(start);
    return null;
  };
  return readFrom(0, null);
}

/** The page of an instruction, as it is called after the instruction is carried out. */
function findInstructionPage([firstPart]: InstructionParts): PageName | null {
  if (firstPart === undefined || firstPart.kind === 'delete') return null;
  if (firstPart.kind === 'create' || firstPart.kind === 'generate') return { slug: firstPart.path };
  if (firstPart.kind === 'move') return { slug: firstPart.to };
  if ('slug' in firstPart && firstPart.slug) return firstPart.slug;
  return 'slugs' in firstPart && Array.isArray(firstPart.slugs)
    ? (firstPart.slugs[0] ?? null)
    : null;
}

/** If an instruction names no page, it gets `page`: that of the instruction before it. */
function applyPage(
  instructionParts: InstructionParts | null,
  page: PageName | null,
): InstructionParts | null {
  if (!instructionParts || !page) return instructionParts;
  return instructionParts.map((instructionPart) => {
    if ('slug' in instructionPart && instructionPart.slug === null)
      return { ...instructionPart, slug: page };
    const isOpen =
      (instructionPart.kind === 'link' || instructionPart.kind === 'replace') &&
      instructionPart.slugs === null;
    return isOpen ? { ...instructionPart, slugs: [page] } : instructionPart;
  });
}

const hasEmptyText = (instruction: PromptInstruction) =>
  listInstructionTexts(instruction).some(
    (text) => !/[\p{L}\p{N}]/u.test(text) || text.trim() === '…',
  );

function listInstructionTexts(instruction: PromptInstruction): string[] {
  if (instruction.kind === 'replace') return [instruction.from, instruction.to];
  if (instruction.kind === 'add') return instruction.texts;
  return 'text' in instruction && instruction.text !== undefined ? [instruction.text] : [];
}

/** Whether a text is changed from A to B and later from B to A, which would leave A everywhere. */
function changesBack(instructions: PromptInstruction[]): boolean {
  const changes = instructions.flatMap((instruction) =>
    instruction.kind === 'replace'
      ? [[instruction.from, instruction.to]]
      : instruction.kind === 'menu' && instruction.change === 'rename'
        ? [[instruction.now, instruction.text]]
        : [],
  );
  return changes.some(([from, to], index) =>
    changes.slice(index + 1).some(([laterFrom, laterTo]) => laterFrom === to && laterTo === from),
  );
}

const createTooManyError = (count: number) =>
  new DomainError(
    'LIMIT_EXCEEDED',
    `The prompt has ${count} instructions, and at most ${MAX_INSTRUCTIONS} are allowed in one task`,
  );
