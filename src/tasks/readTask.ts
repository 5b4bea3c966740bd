import type { LiveStatusResponse } from '../contract/responses.ts';
import type { Cost } from '../contract/prices.ts';
import { outcomeNotes, changedPageSlugs, type TaskUsage, type TaskView } from '../contract/task.ts';
import type { TaskFacts } from '../temporal/tasks/taskService.ts';
import type { RequestCaller } from './caller.ts';
import { readNoteStates, type NoteStateView } from './openNotes.ts';
import type { NeededPorts } from './ports.ts';
import { findOpenUrls, type OpenUrls } from './previews.ts';
import { readLiveFacts, nothingLive, type PublicationPorts } from './publications.ts';

type ChangingFactsPorts = NeededPorts<
  'deployments' | 'noteStates' | 'creators' | 'costOf' | 'builds'
>;

export type ReadTaskPorts = ChangingFactsPorts & PublicationPorts & NeededPorts<'tasks'>;

/** The parts of a finished task's view that may still change. */
export interface ChangingFacts {
  open: OpenUrls;
  /** States of its notes, in the order of the notes. */
  states: readonly NoteStateView[];
  /** What its language model cost. null: there was none, or it has no price. */
  cost: Cost | null;
  /** Builds that it caused at an external host. */
  builds: number;
}

/** A task's view with everything that may have changed since it finished. */
export interface TaskReading extends ChangingFacts {
  view: TaskView & { about: TaskFacts };
  live: LiveStatusResponse;
}

/** Reads a task. @throws DomainError NOT_FOUND, UNAVAILABLE */
export async function readTask(
  { organizationId }: RequestCaller,
  deps: ReadTaskPorts,
  taskId: string,
): Promise<TaskReading> {
  const view = await deps.tasks.read(organizationId, taskId);
  const changingFacts = await readChangingFacts(deps, view);
  if (view.status !== 'completed') return { view, ...changingFacts, live: nothingLive };
  const live = await readLiveFacts(deps, organizationId, {
    ...view,
    slugs: () => changedPageSlugs(view.output),
  });
  return { view, ...changingFacts, live };
}

/** Reads the current state of a task's addresses, notes, cost and builds. */
export async function readChangingFacts(
  deps: ChangingFactsPorts,
  view: TaskView,
): Promise<ChangingFacts> {
  const usage = taskUsage(view);
  return {
    open: await findOpenUrls(deps, view),
    states: await readNoteStates(deps, view.taskId, outcomeNotes(view)),
    cost: usage ? deps.costOf(usage) : null,
    builds: view.status === 'running' ? 0 : (await deps.builds.countsOf([view.taskId]))[0]!,
  };
}

function taskUsage(view: TaskView): TaskUsage | undefined {
  if (view.status === 'failed') return view.usage;
  return view.status === 'completed' ? view.output.usage : undefined;
}
