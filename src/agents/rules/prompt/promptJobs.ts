import { defined } from '../../../contract/defined.ts';
import type { Conversation } from '../../agent.ts';
import type { Proposal } from '../../port.ts';
import type { Edit, Reading } from '../../siteCalls.ts';
import type { NameListing } from '../../tools/listNames.ts';
import { workOf } from './edits.ts';
import type { Instruction } from './instructions.ts';
import { readPrompt } from './readPrompt.ts';
import { forInstruction } from './forInstruction.ts';
import { planSteps, type Planned } from './planSteps.ts';
import { mayNeedNames, notUnderstood, refusalOf } from './refusal.ts';
import { repaired } from './proposals.ts';
import { isWish, nearby } from './suggestions/suggest.ts';

export interface Asked {
  prompt: string;
  /** All pages of the site. */
  pages: Conversation['pages'];
  /** Texts of the site. A prompt may use them without quotes. */
  names?: NameListing;
}

/** A prompt's steps in order, and its number of instructions. */
export interface Plan {
  steps: Planned[];
  instructions: number;
}

/**
 * Reads a prompt, and plans its steps.
 * @returns null if `names` is absent, but may help to understand the prompt
 * @throws DomainError NOT_UNDERSTOOD, or INVALID_INPUT if no page, or more than one, has a name
 */
export function planOf(asked: Asked): Plan | null {
  const instructions = understood(asked);
  return (
    instructions && {
      steps: planSteps(instructions, asked.pages),
      instructions: instructions.length,
    }
  );
}

const nothingNear = { repairs: [], nearby: [] };

/** Proposes prompts that a refused prompt may have meant. */
export function proposalFor({ prompt, pages, names = [] }: Asked): Proposal {
  const reading = readWith({ prompt, pages, names });
  const site = { pages, names };
  if ('instructions' in reading) {
    const isOne = reading.instructions.length === 1;
    return { repairs: repaired(prompt, site), nearby: isOne ? nearby(prompt, site) : [] };
  }
  const { part = prompt, mend } = reading;
  const near =
    mend === undefined && isWish(part)
      ? { repairs: repaired(part, site), nearby: nearby(part, site) }
      : nothingNear;
  return { message: refusalOf(reading), ...near, ...defined({ part: reading.part }) };
}

function readWith({ prompt, pages, names }: Pick<Asked, 'prompt' | 'pages' | 'names'>) {
  const first = readPrompt(prompt);
  return 'instructions' in first || !names ? first : readPrompt(prompt, namesOf(pages, names));
}

function understood({ prompt, pages, names }: Asked): Instruction[] | null {
  const reading = readWith({ prompt, pages, ...defined({ names }) });
  if ('instructions' in reading) return reading.instructions;
  if (!names && mayNeedNames(reading)) return null;
  throw notUnderstood(reading);
}

const namesOf = (pages: Conversation['pages'], names: NameListing) =>
  new Set(
    [...names.map(({ text }) => text), ...pages.map(({ title }) => title)].filter(
      (name) => name !== '' && !FACT.test(name),
    ),
  );
/** An e-mail address, telephone number or price, which is no name. */
const FACT = /^[^\s@]+@[^\s@]+$|^[\p{Sc}+(\d][\d\s()./,-]*$/u;

/** The next questions of a step, or its edits. */
export type Advanced = { questions: Reading[] } | { edits: Edit[] };

/**
 * Continues a step, given the answers to all its questions so far.
 * @param instructions the number of instructions in the prompt
 * @throws DomainError INVALID_INPUT if the site lacks the thing to change, or has several
 */
export const advance = (step: Planned, answers: unknown[], instructions: number): Advanced =>
  forInstruction(instructions, step.instruction, () => {
    const work = workOf(step);
    let at = 0;
    for (let round = work.next(); ;) {
      if (round.done) return { edits: round.value };
      const end = at + round.value.length;
      if (answers.length < end) return { questions: round.value };
      round = work.next(answers.slice(at, end));
      at = end;
    }
  });
