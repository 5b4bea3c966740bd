import { setHandler } from '@temporalio/workflow';
import { withoutUndefined } from '../src/contract/withoutUndefined.ts';
import { mergeNotes } from '../src/contract/notes/mergeNotes.ts';
import type { Note, TaskInput, TaskWork } from '../src/contract/task.ts';
import { firstPromptLine } from '../src/contract/text/summaries.ts';
import { agentActivities, gitActivities, taskRefOf, siteLabel } from './activityProxies.ts';
import { runOnPreferredWorker, runByAgent } from './preferredWorker.ts';
import { contextsQuery, type AgentTurn, turnsQuery } from './taskMessages.ts';
import type { ProgressReporter } from './progress.ts';
import { type TaskQuestions, unansweredNote } from './taskQuestions.ts';
import type { WorkResult } from './workResult.ts';

type PromptWork = Extract<TaskWork, { type: 'prompt' }>;

/** How the work reports its progress, and how it asks people a question. */
interface PromptContext {
  progress: ProgressReporter;
  ask: TaskQuestions['ask'];
}

/**
 * The work of a prompt task: takes turns until the agent finishes, then commits all its edits. A
 * turn is one call of the language model with the tools that its answer calls, by one activity.
 */
export async function runPromptWork(
  task: TaskInput,
  { prompt }: PromptWork,
  context: PromptContext,
): Promise<WorkResult> {
  const taskRef = taskRefOf(task);
  const { progress } = context;
  progress.phase('reading');
  const readArgument = withoutUndefined({ task: taskRef, baseTask: task.baseTask });
  const { base } = await runOnPreferredWorker(
    task,
    gitActivities.readSite,
    `Read ${siteLabel(task)}`,
    readArgument,
  );

  progress.phase('working');
  const { turns, notes, ...agentOutcome } = await takeTurns(task, { base, prompt }, context);

  progress.phase('committing');
  const edit = {
    type: 'prompt' as const,
    turns,
    ...withoutUndefined({ model: task.model, ask: task.ask }),
  };
  const commitTitle = `Commit the edits to ${siteLabel(task)}`;
  const changes = await runOnPreferredWorker(task, gitActivities.commitChanges, commitTitle, {
    task: taskRef,
    base,
    edit,
  });
  return {
    base,
    ...changes,
    ...agentOutcome,
    notes: mergeNotes([...notes, ...(changes.notes ?? [])]),
  };
}

/**
 * Takes turns until the agent finishes. The workflow keeps the turns and the prompt: after the
 * first turn, an activity gets only their number and digest. A worker without the conversation in
 * its memory reads them by queries, and rebuilds the conversation.
 */
async function takeTurns(
  task: TaskInput,
  { base, prompt }: { base: string; prompt: string },
  { progress, ask }: PromptContext,
) {
  const turns: AgentTurn[] = [];
  setHandler(turnsQuery, () => turns);
  setHandler(contextsQuery, () => [prompt]);
  const notes: Note[] = [];
  const { model, budget, ask: mayAsk } = task;
  const argument = {
    task: taskRefOf(task),
    base,
    ...withoutUndefined({ model, budget, ask: mayAsk }),
  };
  const { usageCounter } = progress;
  const firstLine = firstPromptLine(prompt);
  let answered: string | null | undefined;
  for (let digest: string | undefined; ;) {
    usageCounter.beforeTurn();
    const title = `Agent turn ${turns.length + 1}: ${firstLine}`;
    const turnArgument =
      turns.length === 0
        ? { prompt, turns: { count: 0 } }
        : {
            turns: withoutUndefined({ count: turns.length, digest }),
            ...withoutUndefined({ answered }),
          };
    const turnCall = runByAgent(task, agentActivities(task).runAgentTurn, title, {
      ...argument,
      ...turnArgument,
    });
    const turnResult = await usageCounter.countEvenIfFailed(turnCall);
    turns.push(turnResult.turn);
    digest = turnResult.digest;
    const { toolCalls, usage } = turnResult.turn;
    const toolNames = toolCalls.map(({ name }) => name);
    progress.turnDone(toolNames, usage);
    usageCounter.add({ usage, workedMs: turnResult.workedMs });
    answered = turnResult.asked && (await ask(turnResult.asked));
    if (turnResult.asked && answered === null) notes.push(unansweredNote(turnResult.asked));
    if (!turnResult.done) continue;
    return {
      notes,
      turns: withoutUndefined({ count: turns.length, digest }),
      ...withoutUndefined({ summary: turnResult.summary, usage: usageCounter.usage() }),
    };
  }
}
