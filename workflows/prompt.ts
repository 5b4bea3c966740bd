import { setHandler } from '@temporalio/workflow';
import { defined } from '../src/contract/defined.ts';
import type { TaskInput, TaskWork } from '../src/contract/task.ts';
import { firstLineOf } from '../src/contract/text.ts';
import { agentOf, git, refOf, siteOf } from './activities.ts';
import { atHome, byAgent } from './atHome.ts';
import { contextsQuery, type Turn, turnsQuery } from './messages.ts';
import type { Progress } from './progress.ts';
import type { WorkResult } from './workResult.ts';

type Prompt = Extract<TaskWork, { type: 'prompt' }>;

/** The agent's loop: a turn of the model a step until it finishes, then one commit of its edits. */
export async function runPrompt(
  task: TaskInput,
  { prompt }: Prompt,
  progress: Progress,
): Promise<WorkResult> {
  const ref = refOf(task);
  progress.phase('reading');
  const reading = defined({ task: ref, onto: task.onto });
  const { base } = await atHome(task, git.readSite, `Read ${siteOf(task)}`, reading);

  progress.phase('working');
  const { turns, ...done } = await takeTurns(task, { base, prompt }, progress);

  progress.phase('committing');
  const edit = { type: 'prompt' as const, turns, ...defined({ model: task.model }) };
  const commit = `Commit the agent's edits to ${siteOf(task)}`;
  const changes = await atHome(task, git.commitChanges, commit, { task: ref, base, edit });
  return { base, ...changes, ...done };
}

/**
 * Takes turns until the agent finishes. The workflow keeps them and the prompt: after the first
 * turn, a step gets only their number and digest. A worker that has not kept what they came to asks
 * for them by queries.
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
  const { spending } = progress;
  const firstLine = firstLineOf(prompt);
  for (let digest: string | undefined; ;) {
    spending.beforeTurn();
    const title = `Turn ${turns.length + 1} of the agent: ${firstLine}`;
    const so =
      turns.length === 0
        ? { prompt, turns: { count: 0 } }
        : { turns: defined({ count: turns.length, digest }) };
    const call = byAgent(task, agentOf(task).agentStep, title, { ...argument, ...so });
    const step = await spending.evenIfFailed(call);
    turns.push(step.turn);
    digest = step.digest;
    const { toolCalls, usage } = step.turn;
    const tools = toolCalls.map(({ name }) => name);
    progress.stepDone(tools, usage);
    spending.add({ usage, workedMs: step.workedMs });
    if (!step.done) continue;
    return {
      turns: defined({ count: turns.length, digest }),
      ...defined({ summary: step.summary, usage: spending.usage() }),
    };
  }
}
