import { setHandler } from '@temporalio/workflow';
import { defined } from '../src/contract/defined.ts';
import { mergeNotes } from '../src/contract/mergedNotes.ts';
import type { Note, TaskInput, TaskWork } from '../src/contract/task.ts';
import { firstLineOf } from '../src/contract/text.ts';
import { agentOf, gitSteps, refOf, siteOf } from './activities.ts';
import { atHome, byAgent } from './atHome.ts';
import { contextsQuery, type Turn, turnsQuery } from './messages.ts';
import type { Progress } from './progress.ts';
import { type Questions, unansweredNote } from './questions.ts';
import type { WorkResult } from './workResult.ts';

type Prompt = Extract<TaskWork, { type: 'prompt' }>;

/** What the loop tells, and whom it asks. */
interface Telling {
  progress: Progress;
  ask: Questions['ask'];
}

/** The agent's loop: a turn of the model a step until it finishes, then one commit of its edits. */
export async function runPrompt(
  task: TaskInput,
  { prompt }: Prompt,
  telling: Telling,
): Promise<WorkResult> {
  const ref = refOf(task);
  const { progress } = telling;
  progress.phase('reading');
  const reading = defined({ task: ref, onto: task.onto });
  const { base } = await atHome(task, gitSteps.readSite, `Read ${siteOf(task)}`, reading);

  progress.phase('working');
  const { turns, notes, ...done } = await takeTurns(task, { base, prompt }, telling);

  progress.phase('committing');
  const edit = { type: 'prompt' as const, turns, ...defined({ model: task.model, ask: task.ask }) };
  const commit = `Commit the agent's edits to ${siteOf(task)}`;
  const changes = await atHome(task, gitSteps.commitChanges, commit, { task: ref, base, edit });
  return { base, ...changes, ...done, notes: mergeNotes([...notes, ...(changes.notes ?? [])]) };
}

/**
 * Takes turns until the agent finishes. The workflow keeps them and the prompt: after the first
 * turn, a step gets only their number and digest. A worker that has not kept what they came to asks
 * for them by queries.
 */
async function takeTurns(
  task: TaskInput,
  { base, prompt }: { base: string; prompt: string },
  { progress, ask }: Telling,
) {
  const turns: Turn[] = [];
  setHandler(turnsQuery, () => turns);
  setHandler(contextsQuery, () => [prompt]);
  const notes: Note[] = [];
  const { model, budget, ask: mayAsk } = task;
  const argument = { task: refOf(task), base, ...defined({ model, budget, ask: mayAsk }) };
  const { spending } = progress;
  const firstLine = firstLineOf(prompt);
  let answered: string | null | undefined;
  for (let digest: string | undefined; ;) {
    spending.beforeTurn();
    const title = `Turn ${turns.length + 1} of the agent: ${firstLine}`;
    const so =
      turns.length === 0
        ? { prompt, turns: { count: 0 } }
        : { turns: defined({ count: turns.length, digest }), ...defined({ answered }) };
    const call = byAgent(task, agentOf(task).agentStep, title, { ...argument, ...so });
    const step = await spending.evenIfFailed(call);
    turns.push(step.turn);
    digest = step.digest;
    const { toolCalls, usage } = step.turn;
    const tools = toolCalls.map(({ name }) => name);
    progress.stepDone(tools, usage);
    spending.add({ usage, workedMs: step.workedMs });
    answered = step.asked && (await ask(step.asked));
    if (step.asked && answered === null) notes.push(unansweredNote(step.asked));
    if (!step.done) continue;
    return {
      notes,
      turns: defined({ count: turns.length, digest }),
      ...defined({ summary: step.summary, usage: spending.usage() }),
    };
  }
}
