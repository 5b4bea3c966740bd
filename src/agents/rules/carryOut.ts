import { DomainError } from '../../errors.ts';
import type { ThreadCall } from '../../threads/calls.ts';
import type { Turn } from '../agent.ts';
import type { Edit } from '../siteCalls.ts';
import type { Taken, Workspace } from '../workspace.ts';
import { naming } from './prompt/forInstruction.ts';
import type { RulesCalls } from './rulesWorker.ts';

/**
 * Carries out a prompt on a workspace. Each step sees the changes of the steps before it.
 * @returns a turn with every edit. Replaying it makes the same edits on another workspace.
 * @throws DomainError NOT_UNDERSTOOD, INVALID_INPUT
 */
export async function carryOut(
  call: ThreadCall<RulesCalls>,
  workspace: Workspace,
  prompt: string,
): Promise<Taken & { turn: Turn }> {
  const { steps, instructions } = await call('planOf', {
    prompt,
    pages: await workspace.pages(),
  });
  const made: Edit[] = [];
  for (const step of steps) {
    // if the site refuses an edit, the task fails with an error that names the prompt's instruction
    const inStep = <T>(work: Promise<T>) =>
      work.catch((error: unknown) => {
        if (!(error instanceof DomainError) || error.retryable) throw error;
        const refused = new DomainError('INVALID_INPUT', error.message, { cause: error });
        throw naming(refused, instructions, step.instruction);
      });
    const answers: unknown[] = [];
    let next = await call('advance', step, answers, instructions);
    while ('questions' in next) {
      for (const question of next.queries) answers.push(await inStep(workspace.answer(question)));
      next = await call('advance', step, answers, instructions);
    }
    for (const edit of next.edits) await inStep(workspace.edit(edit));
    made.push(...next.edits);
  }
  const toolCalls = made.map(({ name, arguments: args }, i) => ({
    id: `edit-${i + 1}`,
    name,
    arguments: { ...(args as object) },
  }));
  const text = `Carried out ${instructions} instruction(s)`;
  return { turn: { text, toolCalls }, ...workspace.taken() };
}
