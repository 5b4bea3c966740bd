import { limits } from '../../../contract/task.ts';
import { isLonger } from '../../../contract/text.ts';
import { DomainError } from '../../../errors.ts';
import type { Instruction, PageName } from './instructions.ts';
import { piecesOf } from './language/pieces.ts';
import { textOf, tokensOf, withNames, type Token } from './language/tokens.ts';
import { isKnown } from './language/words.ts';
import { notUnderstood, type Refused } from './refusal.ts';
import { belongs, namesThing, withRemarksApart, withThing } from './remarks.ts';
import { readInstruction } from './table.ts';
import { readFollowUp } from './table/followUps.ts';
import { readRemark, type Remark } from './table/remarks.ts';

/** More would not fit into the turns of one task. */
const INSTRUCTIONS = 50;

/** What a prompt says: its instructions, or the first part of it that is not understood. */
export type Reading = { instructions: Instruction[] } | Refused;

/**
 * Reads a prompt as instructions. Pure; what stands inside quotes is data, never an instruction.
 * @param names texts of the site, which need no quotes
 * @throws DomainError LIMIT_EXCEEDED for a prompt that is too long or has too many instructions
 */
export function readPrompt(prompt: string, names: ReadonlySet<string> = new Set()): Reading {
  if (isLonger(prompt, limits.promptLength))
    throw new DomainError('LIMIT_EXCEEDED', `The prompt is over ${limits.promptLength} characters long`);
  const tokens = tokensOf(prompt.normalize('NFC'));
  if (!tokens) return { refused: '', which: 'a quote in the prompt is opened and not closed' };
  const sentences = piecesOf(withRemarksApart(names.size === 0 ? tokens : withNames(tokens, names, isKnown)));
  const count = sentences.flat().length;
  if (count === 0) return { refused: '', which: 'the prompt has no instruction' };
  if (count > INSTRUCTIONS * 2) throw tooMany(count);
  const read = readSentences(sentences, count === 1);
  if ('instructions' in read && read.instructions.length > INSTRUCTIONS) throw tooMany(read.instructions.length);
  return read;
}

/**
 * The same.
 * @throws DomainError NOT_UNDERSTOOD when any part of the prompt is not understood: then nothing of it is done
 */
export function parsePrompt(prompt: string, names?: ReadonlySet<string>): Instruction[] {
  const reading = readPrompt(prompt, names);
  if ('instructions' in reading) return reading.instructions;
  throw notUnderstood(reading, { pages: [], names: [] });
}

const tooMany = (count: number) =>
  new DomainError(
    'LIMIT_EXCEEDED',
    `The prompt has ${count} instructions; at most ${INSTRUCTIONS} are possible in one task`,
  );

/** A remark that was read, and where its refusal would say it stands. */
type Open = Remark & { refusal: Refused };

function readSentences(sentences: Token[][][], isAlone: boolean): Reading {
  const found: Instruction[] = [];
  const open: Open[] = [];
  let number = 0;
  for (const sentence of sentences) {
    const instructions: Instruction[] = [];
    for (const piece of sentence) {
      number++;
      const which = isAlone ? 'the prompt' : `instruction ${number} of the prompt`;
      const refused = textOf(piece, 0, piece.length);
      const refusal = { refused, which: `${which} was not understood` };
      const instruction = readInstruction(piece) ?? readWithThing(piece, open.at(-1));
      const remark = instruction ? null : readRemark(piece);
      const last = instructions.length > 0 ? instructions : found;
      const more = (instruction ?? remark) ? null : readFollowUp(piece, last.at(-1));
      if (instruction) settle(open, piece, instruction);
      if (more) last.splice(-1, 1, more);
      else if (remark) open.push({ ...remark, refusal });
      else if (!instruction) return refusal;
      else instructions.push(instruction);
      if (hasEmptyText(instruction ?? more)) return { refused, which: `${which} has a text without words` };
    }
    found.push(...inheritPage(instructions));
  }
  const beside = open.find((remark) => remark.thing !== undefined || !found.some((one) => belongs(remark, one)));
  return beside ? beside.refusal : { instructions: found };
}

/** `We no longer have a free plan. Take it off …`: what the remark before speaks of stands for `it`. */
function readWithThing(piece: Token[], remark: Open | undefined): Instruction | null {
  const whole = remark?.thing && withThing(piece, remark.thing);
  return whole ? readInstruction(whole) : null;
}

/** The last remark is none of its own where the instruction says what it speaks of. */
function settle(open: Open[], piece: Token[], instruction: Instruction) {
  const last = open.at(-1);
  const isSaid = last?.thing && (withThing(piece, last.thing) !== null || namesThing(piece, last.thing));
  if (isSaid && belongs(last, instruction)) open.pop();
}

const hasEmptyText = (instruction: Instruction | null) =>
  instruction !== null && textsOf(instruction).some((text) => !/[\p{L}\p{N}]/u.test(text));

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
    default:
      return 'text' in instruction && instruction.text !== undefined ? [instruction.text] : [];
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
    if (named !== undefined) [page, isNew] = [named, instruction.kind === 'create' || instruction.kind === 'generate'];
    if (named !== undefined || page === null) return instruction;
    if ('page' in instruction) return { ...instruction, page };
    const inherits = instruction.kind === 'link' || (instruction.kind === 'replace' && isNew);
    return inherits && instruction.pages === null ? { ...instruction, pages: [page] } : instruction;
  });
}

/** The page at which an instruction leaves off: null for several, undefined where it names none. */
function pageOf(instruction: Instruction): PageName | null | undefined {
  if (instruction.kind === 'create' || instruction.kind === 'generate') return { slug: instruction.slug };
  if (instruction.kind === 'move') return { slug: instruction.to };
  if (instruction.kind === 'delete') return undefined;
  if ('page' in instruction) return instruction.page ?? undefined;
  if (!('pages' in instruction) || !Array.isArray(instruction.pages)) return undefined;
  return instruction.pages.length === 1 ? instruction.pages[0]! : null;
}
