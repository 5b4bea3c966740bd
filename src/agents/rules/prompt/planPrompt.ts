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
 * Reads a prompt, and plans its steps.
 * @throws DomainError NOT_UNDERSTOOD, or INVALID_INPUT if no page, or more than one, has a name
 */
export function planPrompt({ prompt, pages }: PlanRequest): PromptPlan {
  const slugs = pages.map(({ slug }) => slug);
  const instructions = readPrompt(prompt, slugs);
  return { steps: planPromptSteps(instructions, pages), instructions: instructions.length };
}

/** The next questions of a step, or its edits. */
export type StepProgress = { queries: RulesQuery[] } | { edits: RulesEdit[] };

/**
 * Continues a step, given the answers to all its questions so far.
 * @param instructions the number of instructions in the prompt
 * @throws DomainError INVALID_INPUT if the site lacks the thing to change, or has several
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
