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
import { nearby, repaired } from './proposals.ts';

export interface Asked {
  prompt: string;
  /** Every page of the site. */
  pages: Conversation['pages'];
  /** The names that the site has, which need no quotes in a prompt. */
  names?: NameListing;
  /** Where all instructions are listed. */
  list?: string;
}

/** A prompt's steps, in their order, and how many instructions it has. */
export interface Plan {
  steps: Planned[];
  instructions: number;
}

/**
 * Reads a prompt.
 * @returns null where the site's names may help to understand it, and are not given
 * @throws DomainError NOT_UNDERSTOOD, and INVALID_INPUT where a page that the prompt names is not
 *   there or not the only one
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

/** What a prompt that was refused may have meant. */
export function proposalFor({ prompt, pages, names = [] }: Asked): Proposal {
  const reading = readWith({ prompt, pages, names });
  const site = { pages, names };
  if ('instructions' in reading) return { repairs: repaired(prompt, site), nearby: [] };
  const { part = prompt, mend } = reading;
  const near =
    mend === undefined
      ? { repairs: repaired(part, site), nearby: nearby(part, site) }
      : nothingNear;
  return { message: refusalOf(reading), ...near, ...defined({ part: reading.part }) };
}

function readWith({ prompt, pages, names }: Pick<Asked, 'prompt' | 'pages' | 'names'>) {
  const first = readPrompt(prompt);
  return 'instructions' in first || !names ? first : readPrompt(prompt, namesOf(pages, names));
}

function understood({ prompt, pages, names, list }: Asked): Instruction[] | null {
  const reading = readWith({ prompt, pages, ...defined({ names }) });
  if ('instructions' in reading) return reading.instructions;
  if (!names && mayNeedNames(reading)) return null;
  throw notUnderstood(reading, { pages, names: names ?? [], ...defined({ list }) });
}

const namesOf = (pages: Conversation['pages'], names: NameListing) =>
  new Set(
    [...names.map(({ text }) => text), ...pages.map(({ title }) => title)].filter(
      (name) => name !== '',
    ),
  );

/** The next questions of a step, or its edits. */
export type Advanced = { questions: Reading[] } | { edits: Edit[] };

/**
 * How far a step comes with the answers to its questions so far.
 * @param instructions how many the prompt has
 * @throws DomainError INVALID_INPUT where what is to be changed is not there, or not the only one
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
