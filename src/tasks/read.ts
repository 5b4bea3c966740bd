import type { LiveFacts } from '../contract/answers.ts';
import type { Cost } from '../contract/prices.ts';
import { notesIn, slugsOf, type TaskUsage, type TaskView } from '../contract/task.ts';
import type { ToldAbout } from '../temporal/tasks/tasks.ts';
import type { Caller } from './caller.ts';
import { statesOf, type ToldState } from './openNotes.ts';
import type { Needs } from './ports.ts';
import { openAddresses, type OpenAddresses } from './previews.ts';
import { liveFactsOf, nothingLive, type PublicationDeps } from './publications.ts';

type ChangingDeps = Needs<'deployments' | 'noteStates' | 'makers' | 'costOf' | 'builds'>;

export type ReadDeps = ChangingDeps & PublicationDeps & Needs<'tasks'>;

/** The parts of a finished task's view that may still change. */
export interface Changing {
  open: OpenAddresses;
  /** States of its notes, in the order of the notes. */
  states: readonly ToldState[];
  /** What its language model cost. null: there was none, or it has no price. */
  cost: Cost | null;
  /** Builds that it caused at a host of the team's own. */
  builds: number;
}

/** A task's view with everything that may have changed since it finished. */
export interface ReadTask extends Changing {
  view: TaskView & { about: ToldAbout };
  live: LiveFacts;
}

/** Reads a task. @throws DomainError NOT_FOUND, UNAVAILABLE */
export async function read(
  { organizationId }: Caller,
  deps: ReadDeps,
  taskId: string,
): Promise<ReadTask> {
  const view = await deps.tasks.read(organizationId, taskId);
  const changing = await changingOf(deps, view);
  if (view.status !== 'completed') return { view, ...changing, live: nothingLive };
  const live = await liveFactsOf(deps, organizationId, {
    ...view,
    slugs: () => slugsOf(view.output),
  });
  return { view, ...changing, live };
}

/** Reads the current state of a task's addresses, notes, cost and builds. */
export async function changingOf(deps: ChangingDeps, view: TaskView): Promise<Changing> {
  const usage = usageOf(view);
  return {
    open: await openAddresses(deps, view),
    states: await statesOf(deps, view.taskId, notesIn(view)),
    cost: usage ? deps.costOf(usage) : null,
    builds: view.status === 'running' ? 0 : (await deps.builds.countsOf([view.taskId]))[0]!,
  };
}

function usageOf(view: TaskView): TaskUsage | undefined {
  if (view.status === 'failed') return view.usage;
  return view.status === 'completed' ? view.output.usage : undefined;
}
