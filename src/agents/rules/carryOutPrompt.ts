import { DomainError } from '../../errors.ts';
import type { ThreadCall } from '../../threads/threadCalls.ts';
import type { ModelTurn } from '../shared/agentTypes.ts';
import type { RulesEdit } from '../shared/tools/rulesCalls.ts';
import type { TurnOutcome, Workspace } from '../workspace.ts';
import { nameInstruction } from './prompt/instructionErrors.ts';
import type { RulesCalls } from './rulesWorker.ts';

/**
 * Carries out a prompt on a workspace: the site with the task's edits in memory. The prompt is
 * planned as steps, such as one text to set. Each step queries the workspace until it knows its
 * edits, and sees the changes of the steps before it.
 * @param call runs the rules' functions in a worker thread, which has no access to the workspace
 * @returns a turn whose tool calls are the edits. Replaying it makes them on another workspace
 * @throws DomainError NOT_UNDERSTOOD, INVALID_INPUT, LIMIT_EXCEEDED, or any retryable error of the
 *   workspace. Earlier steps may have made their edits by then
 */
export async function carryOutPrompt(
  call: ThreadCall<RulesCalls>,
  workspace: Workspace,
  prompt: string,
): Promise<TurnOutcome & { turn: ModelTurn }> {
  const { steps, instructions } = await call('planOf', {
    prompt,
    pages: await workspace.pages(),
  });
  const madeEdits: RulesEdit[] = [];
  for (const step of steps) {
    // if a query or an edit fails, the task's error names the instruction of the prompt
    const nameStepInErrors = <T>(work: Promise<T>) =>
      work.catch((error: unknown) => {
        if (!(error instanceof DomainError) || error.retryable) throw error;
        const refusal = new DomainError('INVALID_INPUT', error.message, { cause: error });
        throw nameInstruction(refusal, instructions, step.instruction);
      });
    const answers: unknown[] = [];
    let progress = await call('advance', step, answers, instructions);
    while ('queries' in progress) {
      for (const query of progress.queries)
        answers.push(await nameStepInErrors(workspace.answer(query)));
      progress = await call('advance', step, answers, instructions);
    }
    for (const edit of progress.edits) await nameStepInErrors(workspace.edit(edit));
    madeEdits.push(...progress.edits);
  }
  const toolCalls = madeEdits.map(({ name, arguments: editArguments }, index) => ({
    id: `edit-${index + 1}`,
    name,
    arguments: { ...(editArguments as object) },
  }));
  const text = `Carried out ${instructions} instruction(s)`;
  return { turn: { text, toolCalls }, ...workspace.outcome() };
}
