import type { Conversation } from '../../agent.ts';
import type { Edit, Reading } from '../../siteCalls.ts';
import { workOf } from './edits.ts';
import { forInstruction } from './forInstruction.ts';
import { planSteps, type Planned } from './planSteps.ts';
import { readPrompt } from './readPrompt.ts';

export interface PlanRequest {
  prompt: string;
  /** All pages of the site. */
  pages: Conversation['pages'];
}

/** A prompt's steps in order, and its number of instructions. */
export interface Plan {
  steps: Planned[];
  instructions: number;
}

/**
 * Reads a prompt, and plans its steps.
 * @throws DomainError NOT_UNDERSTOOD, or INVALID_INPUT if no page, or more than one, has a name
 */
export function planOf({ prompt, pages }: PlanRequest): Plan {
  const slugs = pages.map(({ slug }) => slug);
  const instructions = readPrompt(prompt, slugs);
  return { steps: planSteps(instructions, pages), instructions: instructions.length };
}

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
