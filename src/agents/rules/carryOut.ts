import { DomainError } from '../../errors.ts';
import type { Turn } from '../agent.ts';
import type { Edit } from '../siteCalls.ts';
import type { Taken, Workspace } from '../workspace.ts';
import { naming } from './prompt/forInstruction.ts';
import type { Planned } from './prompt/planSteps.ts';
import type { Advanced, Asked, Plan } from './prompt/promptJobs.ts';

/** What reads texts of customers, in threads. */
export interface Reader {
  plan(asked: Asked): Promise<Plan | null>;
  advance(step: Planned, answers: unknown[], instructions: number): Promise<Advanced>;
}

/**
 * Reads a prompt: on its own, or where that is not enough with the names that the site has.
 * @throws DomainError NOT_UNDERSTOOD, INVALID_INPUT
 */
export async function understand(
  reader: Reader,
  workspace: Workspace,
  prompt: string,
): Promise<Plan> {
  const asked = { prompt, pages: await workspace.pages() };
  const plan = await reader.plan(asked);
  if (plan) return plan;
  const names = await workspace.answer({ name: 'list_names', arguments: {} });
  return (await reader.plan({ ...asked, names }))!;
}

/**
 * Carries a prompt out on a workspace. Each step sees what those before it changed.
 * @returns the turn with every edit, which makes the same edits again on another workspace
 * @throws DomainError NOT_UNDERSTOOD, INVALID_INPUT
 */
export async function carryOut(
  reader: Reader,
  workspace: Workspace,
  prompt: string,
): Promise<Taken & { turn: Turn }> {
  const { steps, instructions } = await understand(reader, workspace, prompt);
  const made: Edit[] = [];
  for (const step of steps) {
    const edits = await askAndAnswer(reader, workspace, step, instructions);
    for (const edit of edits) await forStep(step, instructions, workspace.edit(edit));
    made.push(...edits);
  }
  const toolCalls = made.map((edit, i) => {
    const args: object = edit.arguments;
    return { id: `edit-${i + 1}`, name: edit.name, arguments: { ...args } };
  });
  const text = `Carried out ${instructions} instruction(s)`;
  return { turn: { text, toolCalls }, ...workspace.taken() };
}

/** The edits of a step, once all its questions are answered. */
async function askAndAnswer(
  reader: Reader,
  workspace: Workspace,
  step: Planned,
  instructions: number,
): Promise<Edit[]> {
  const answers: unknown[] = [];
  for (;;) {
    const next = await reader.advance(step, answers, instructions);
    if ('edits' in next) return next.edits;
    for (const question of next.questions)
      answers.push(await forStep(step, instructions, workspace.answer(question)));
  }
}

/** What the site refuses, the prompt asked for: the task fails, and names the instruction. */
async function forStep<T>(step: Planned, instructions: number, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof DomainError) || error.retryable) throw error;
    const refused = new DomainError('INVALID_INPUT', error.message, { cause: error });
    throw naming(refused, instructions, step.instruction);
  }
}
