import { ApplicationFailure } from '@temporalio/workflow';
import { defined } from '../src/contract/defined.ts';
import type { TaskInput, TaskWork } from '../src/contract/task.ts';
import type { Activities } from '../activities/index.ts';
import { git, model, refOf, summary } from './activities.ts';
import { TURN_LIMIT } from './policies.ts';
import type { Progress } from './progress.ts';
import type { WorkResult } from './result.ts';

type Prompt = Extract<TaskWork, { type: 'prompt' }>;

/** The agent's loop: one model turn a step, until it finishes; then its edits as one commit. */
export async function runPrompt(task: TaskInput, { prompt }: Prompt, progress: Progress): Promise<WorkResult> {
  const ref = refOf(task);
  progress.phase('reading');
  const { base } = await git.readSite.executeWithOptions(summary('Read the site'), [
    defined({ task: ref, onto: task.onto }),
  ]);

  progress.phase('working');
  const turns: Parameters<Activities['agentStep']>[0]['turns'] = [];
  for (let done = false; !done;) {
    if (turns.length === TURN_LIMIT)
      throw ApplicationFailure.nonRetryable(`The agent did not finish within ${TURN_LIMIT} turns`, 'LIMIT_EXCEEDED');
    const step = await model.agentStep.executeWithOptions(summary(`Turn ${turns.length + 1} of the agent`), [
      { task: ref, base, prompt, turns },
    ]);
    turns.push(step.turn);
    progress.stepDone(step.turn.toolCalls.map(({ name }) => name));
    done = step.done;
  }

  progress.phase('committing');
  const changes = await git.commitChanges.executeWithOptions(summary("Commit the agent's edits"), [
    { task: ref, base, edit: { type: 'prompt', prompt, turns } },
  ]);
  return { base, ...changes };
}
