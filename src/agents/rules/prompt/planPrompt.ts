import type { AgentConversation } from '../../shared/agentTypes.ts';
import type { RulesEdit, RulesQuery } from '../../shared/tools/rulesCalls.ts';
import { workOnStep } from './edits/workOnStep.ts';
import { runForInstruction } from './instructionErrors.ts';
import { planPromptSteps, type PlannedStep } from './promptSteps.ts';
import { readPrompt } from './readPrompt.ts';

export interface PlanRequest {
  prompt: string;
  /** All pages of the site. */
  pages: AgentConversation['pages'];
}

/** A prompt's steps in order, and its number of instructions. */
export interface PromptPlan {
  steps: PlannedStep[];
  instructions: number;
}

/**
 * Reads a prompt by the rules' fixed wordings, and plans its steps. Nothing is changed yet:
 *
 *     prompt: Change the headline of /about to "Us" and delete /old-offer
 *     steps:  { kind: 'set', field: 'headline', slug: '/about', text: 'Us', instruction: 0 }
 *             { kind: 'delete', slugs: ['/old-offer'], instruction: 1 }
 *
 * 1. language/ takes the quoted texts out of the prompt, and splits it into sentences.
 * 2. wordings/ lists what people may write, and reads a sentence as an instruction.
 * 3. readPrompt.ts uses both. promptInstruction.ts has the types of instructions.
 * 4. promptSteps.ts and resolvePage.ts find the pages that the instructions name.
 * 5. edits/ works out the edits of each step from the site. See `advanceStep`.
 * @throws DomainError NOT_UNDERSTOOD; INVALID_INPUT if an instruction's page is not clear;
 *   LIMIT_EXCEEDED if the prompt is too long or asks for too much
 */
export function planPrompt({ prompt, pages }: PlanRequest): PromptPlan {
  const slugs = pages.map(({ slug }) => slug);
  const instructions = readPrompt(prompt, slugs);
  return { steps: planPromptSteps(instructions, pages), instructions: instructions.length };
}

/** What a step needs next: answers to its queries of the site, or that its edits are made. */
export type StepProgress = { queries: RulesQuery[] } | { edits: RulesEdit[] };

/**
 * Continues a step. It runs in a worker thread, which can't read the site and keeps nothing between
 * calls. So each call starts the step again, with the answers to all its queries so far.
 * @param instructions the number of instructions in the prompt
 * @throws DomainError INVALID_INPUT if the site lacks the thing to change, or has several;
 *   LIMIT_EXCEEDED if a page to generate has a text with too many inline tags
 */
export const advanceStep = (
  step: PlannedStep,
  answers: unknown[],
  instructions: number,
): StepProgress =>
  runForInstruction(instructions, step.instruction, () => {
    const stepWork = workOnStep(step);
    let answeredCount = 0;
    for (let queryRound = stepWork.next(); ;) {
      if (queryRound.done) return { edits: queryRound.value };
      const nextCount = answeredCount + queryRound.value.length;
      if (answers.length < nextCount) return { queries: queryRound.value };
      queryRound = stepWork.next(answers.slice(answeredCount, nextCount));
      answeredCount = nextCount;
    }
  });
