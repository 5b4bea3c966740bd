import { limits } from '../../../contract/task.ts';
import { isLonger, withoutEnd } from '../../../contract/text.ts';
import { DomainError } from '../../../errors.ts';
import { FIELD, VERB } from './grammar/phrases.ts';
import { LONGEST, readInstruction } from './grammar/readInstruction.ts';
import { EXAMPLES, type Instruction, type PageName } from './instructions.ts';
import { QUOTE, takeQuotes, type Unquoted } from './quotes.ts';

/** More would not fit into the turns of one task. */
const INSTRUCTIONS = 50;

const POLITE =
  /^(?:(?:please|kindly|also|then|next|finally|lastly|first|now|and|can you|could you|would you|i want you to|i would like you to|i'd like you to|we need to|let's),? +)+/iu;
const THANKS = /(?:please|thanks|thank you|too|as well|[.!?])$/iu;
const LONGEST_THANKS = 9;
const BULLET = /^\s*(?:[-*•]|\(?\d{1,2}[.)])\s+/u;
const SENTENCE = new RegExp(`;|(?<![\\s(]\\d{1,2})[.!?](?=\\s|$)|\\s(?=\\(?\\d{1,2}[.)]\\s+${VERB}\\b)`, 'iu');
const ANY_QUOTE = QUOTE.replace('(', '(?:');
const CONNECTOR = new RegExp(
  `(?:,? +(?:and then|and also|and|then|also|plus) +|, +)(?=(?:(?:please|also|then|finally|next|lastly),? ){0,5}(?:(?!(?:replace|change|link|point) it (?:with|by|to|at)\\b)${VERB}\\b|(?:the |its )?${FIELD}\\b(?! (?:of |as )?${ANY_QUOTE})[^,]{0,${LONGEST}}${ANY_QUOTE}))`,
  'iu',
);

/**
 * Reads a prompt as instructions. Pure; what stands inside quotes is data, never an instruction.
 * @throws DomainError NOT_UNDERSTOOD when any part of the prompt is not understood: then nothing of it is done;
 *   LIMIT_EXCEEDED for a prompt that is too long or has too many instructions
 */
export function parsePrompt(prompt: string): Instruction[] {
  if (isLonger(prompt, limits.promptLength))
    throw new DomainError('LIMIT_EXCEEDED', `The prompt is over ${limits.promptLength} characters long`);
  const unquoted = takeQuotes(prompt.normalize('NFC'));
  if (!unquoted) throw notUnderstood('a quote in the prompt is opened and not closed');
  const pieces = piecesOf(unquoted.text);
  if (pieces.flat().length === 0) throw notUnderstood('the prompt has no instruction');
  let position = 0;
  const isAlone = pieces.flat().length === 1;
  const read = (piece: string) =>
    readPiece(piece, unquoted, isAlone ? 'the prompt' : `instruction ${++position} of the prompt`);
  const instructions = pieces.flatMap((sentence) => inheritPage(sentence.map(read)));
  if (instructions.length > INSTRUCTIONS) {
    throw new DomainError(
      'LIMIT_EXCEEDED',
      `The prompt has ${instructions.length} instructions; at most ${INSTRUCTIONS} are possible in one task`,
    );
  }
  return instructions;
}

/** Sentences, each as its instructions' texts. */
function piecesOf(text: string): string[][] {
  const lines = text.replace(/ +/g, ' ').split(/\r?\n|\r/);
  const sentences = lines.flatMap((line) => line.replace(BULLET, '').split(SENTENCE));
  return sentences.map((sentence) =>
    joinScopes(sentence.replace(BULLET, '').split(CONNECTOR))
      .map(tidy)
      .filter((piece) => piece !== ''),
  );
}

/** `On /pricing, change …` is one instruction: a piece without a verb of its own belongs to the one behind it. */
function joinScopes(pieces: string[]): string[] {
  const [first, second, ...rest] = pieces;
  const isScope =
    first !== undefined &&
    /^\s*(?:and |then |also )?(?:on|in|at|for|everywhere|across|throughout)\b/iu.test(first) &&
    !new RegExp(`\\b${VERB}\\b`, 'iu').test(first);
  return isScope && second !== undefined ? [`${first}, ${second}`, ...rest] : pieces;
}

const tidy = (piece: string): string => withoutThanks(piece.replace(/\s+/g, ' ').trim().replace(POLITE, ''));

function withoutThanks(text: string): string {
  for (let rest = text; ;) {
    const [word] = THANKS.exec(rest.slice(-LONGEST_THANKS)) ?? [];
    if (word === undefined) return rest;
    rest = withoutEnd(rest.slice(0, -word.length), ' ,');
  }
}

function readPiece(piece: string, { quotes }: Unquoted, which: string): Instruction {
  const instruction = readInstruction(piece, quotes);
  if (!instruction) throw notUnderstood(`${which} was not understood`);
  checkTexts(instruction, which);
  return instruction;
}

function checkTexts(instruction: Instruction, which: string) {
  if (textsOf(instruction).some((text) => !/[\p{L}\p{N}]/u.test(text)))
    throw notUnderstood(`${which} has a text without words`);
}

function textsOf(instruction: Instruction): string[] {
  switch (instruction.kind) {
    case 'replace':
      return [instruction.from, instruction.to];
    case 'create': {
      const { name = 'none', fields, replacements } = instruction;
      return [name, ...fields.map(({ text }) => text), ...replacements.flatMap(({ from, to }) => [from, to])];
    }
    case 'add':
      return instruction.texts;
    case 'delete':
    case 'move':
    case 'remove':
      return [];
    default:
      return instruction.text === undefined ? [] : [instruction.text];
  }
}

/**
 * `… of /pricing to "A" and the title to "B"`: the page is the sentence's; behind `Create …` a replacement is for the
 * new page.
 */
function inheritPage(sentence: Instruction[]): Instruction[] {
  let page: PageName | null = null;
  let isNew = false;
  return sentence.map((instruction) => {
    const named = pageOf(instruction);
    if (named !== undefined) [page, isNew] = [named, instruction.kind === 'create'];
    if (named !== undefined || page === null) return instruction;
    if ('page' in instruction) return { ...instruction, page };
    const inherits = instruction.kind === 'link' || (instruction.kind === 'replace' && isNew);
    return inherits && instruction.pages === null ? { ...instruction, pages: [page] } : instruction;
  });
}

/** The page at which an instruction leaves off: null for several, undefined where it names none. */
function pageOf(instruction: Instruction): PageName | null | undefined {
  if (instruction.kind === 'create') return { slug: instruction.slug };
  if (instruction.kind === 'move') return { slug: instruction.to };
  if (instruction.kind === 'delete') return undefined;
  if ('page' in instruction) return instruction.page ?? undefined;
  if (!Array.isArray(instruction.pages)) return undefined;
  return instruction.pages.length === 1 ? instruction.pages[0]! : null;
}

function notUnderstood(what: string): DomainError {
  const known = EXAMPLES.map((example) => `\`${example}\``).join('; ');
  return new DomainError(
    'NOT_UNDERSTOOD',
    `Nothing was changed: ${what}. Without a language model the service understands: ${known} (texts in quotes, several instructions in one prompt). For anything else set AGENT_MODEL to a language model`,
  );
}
