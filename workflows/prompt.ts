import { setHandler } from '@temporalio/workflow';
import { defined } from '../src/contract/defined.ts';
import type { TaskInput, TaskWork } from '../src/contract/task.ts';
import { firstLineOf } from '../src/contract/text.ts';
import { agentOf, git, refOf, siteOf, summary } from './activities.ts';
import { atHome, byAgent } from './atHome.ts';
import { contextsQuery, type Turn, turnsQuery } from './messages.ts';
import type { Progress } from './progress.ts';
import type { WorkResult } from './workResult.ts';
import { createSpending } from './spending.ts';

type Prompt = Extract<TaskWork, { type: 'prompt' }>;

/** The agent's loop: one model turn a step, until it finishes; then its edits as one commit. */
export async function runPrompt(
  task: TaskInput,
  { prompt }: Prompt,
  progress: Progress,
): Promise<WorkResult> {
  const ref = refOf(task);
  progress.phase('reading');
  const { base } = await atHome(task, git.readSite, summary(`Read ${siteOf(task)}`), [
    defined({ task: ref, onto: task.onto }),
  ]);

  progress.phase('working');
  const { turns, ...done } = await takeTurns(task, { base, prompt }, progress);

  progress.phase('committing');
  const edit = { type: 'prompt' as const, turns, ...defined({ model: task.model }) };
  const commit = summary(`Commit the agent's edits to ${siteOf(task)}`);
  const changes = await atHome(task, git.commitChanges, commit, [{ task: ref, base, edit }]);
  return { base, ...changes, ...done };
}

/**
 * The turns until the agent finishes. They stay here, as the prompt does after the first one: a
 * step gets only their number and digest, and asks by queries if its worker has not kept what they
 * came to.
 */
async function takeTurns(
  task: TaskInput,
  { base, prompt }: { base: string; prompt: string },
  progress: Progress,
) {
  const turns: Turn[] = [];
  setHandler(turnsQuery, () => turns);
  setHandler(contextsQuery, () => [prompt]);
  const { model, budget } = task;
  const argument = { task: refOf(task), base, ...defined({ model, budget }) };
  const spending = createSpending(task);
  const firstLine = firstLineOf(prompt);
  for (let digest: string | undefined; ;) {
    spending.beforeTurn();
    const title = summary(`Turn ${turns.length + 1} of the agent: ${firstLine}`);
    const so =
      turns.length === 0
        ? { prompt, turns: { count: 0 } }
        : { turns: defined({ count: turns.length, digest }) };
    const step = await byAgent(task, agentOf(task).agentStep, title, [{ ...argument, ...so }]);
    turns.push(step.turn);
    digest = step.digest;
    const { toolCalls, usage } = step.turn;
    progress.stepDone(
      toolCalls.map(({ name }) => name),
      usage,
    );
    spending.add({ usage: step.turn.usage, workedMs: step.workedMs });
    if (!step.done) continue;
    return {
      turns: defined({ count: turns.length, digest }),
      ...defined({ summary: step.summary, usage: spending.usage() }),
    };
  }
}
