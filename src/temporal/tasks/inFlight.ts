import type { Client } from '@temporalio/client';
import { LRUCache } from 'lru-cache';
import type { Calls } from './calls.ts';
import { quote, tasksOf, withStatus } from './queries.ts';

const COUNT_WITHIN_MS = 1_000;
/** How long an unlisted start counts: a workflow that really started is listed by then. */
const LISTED_WITHIN_MS = 10_000;
/** How old an answer may be: where less than half of the places are taken, and above. */
const OLDEST_MS = { belowHalf: 5_000, above: 1_000 };
const OWNERS = 10_000;

/** How many tasks an organization and each of its sites may have in flight. */
export interface InFlightLimits {
  organization: number;
  site: number;
}

/** Whose tasks are counted: an organization's, or one site's of it. */
export interface Owner {
  organizationId: string;
  siteId?: string;
}

/** Temporal's visibility, which may be some seconds behind. */
export interface Counts {
  /** How many tasks run. */
  running(owner: Owner): Promise<number>;
  /** How many of these tasks are listed, in any state. */
  listed(taskIds: string[]): Promise<number>;
}

interface Options {
  limits: InFlightLimits;
  counts: Counts;
  /** Milliseconds. */
  now?: () => number;
}

/** Who starts a task, and where. */
interface Start {
  organizationId: string;
  siteId: string;
  taskId: string;
}

/** A place for a task, which is given back if the task does not start; or the limit that leaves none. */
export type Place = { giveBack: () => void } | { full: keyof InFlightLimits };

export interface InFlight {
  /** Takes a place for a task that is about to start. */
  take(start: Start): Promise<Place>;
}

interface Tasks {
  /** Those that run by the last answer, less those of `recent` that it knew. */
  others: number;
  /** Starts of this process that the server may not list yet, by task, and when they were. */
  recent: Map<string, number>;
  /** When the last answer came, and when the last one that told something. */
  askedAt: number;
  toldAt: number;
  hasFailed: boolean;
  /** Whether the last answer told how many of `recent` it knew: else some may count twice. */
  isExact: boolean;
  asking?: Promise<void> | undefined;
}

/**
 * Counts the tasks in flight: those that run by the server's last count, and those that this process started and the
 * server may not list yet. A count serves all starts of 5 seconds, and of one second where over half of the places are
 * taken. So nobody is refused by a count that is older than that. Where counts fail for 10 seconds, only this process's
 * own starts count.
 */
export function createInFlight({ limits, counts, now = () => performance.now() }: Options): InFlight {
  const known = new LRUCache<string, Tasks>({ max: OWNERS });

  async function ask(tasks: Tasks, owner: Owner, limit: number): Promise<void> {
    const began = now();
    const isListed = (taskId: string) => tasks.recent.get(taskId)! < began - LISTED_WITHIN_MS;
    const [listed, young] = partition([...tasks.recent.keys()], isListed);
    const asked = countOf(tasks) - listed.length < limit / 2 ? [] : young;
    const told = await countAll(owner, asked).catch(() => undefined);
    for (const taskId of listed) tasks.recent.delete(taskId); // until now the answer before stood for the others
    if (!told) return fail(tasks, began);
    const { running } = told;
    const areAllListed = told.listed === asked.length;
    tasks.askedAt = now();
    tasks.toldAt = tasks.askedAt;
    tasks.hasFailed = false;
    tasks.isExact = asked.length === tasks.recent.size;
    tasks.others = areAllListed ? running : running - told.listed;
    if (areAllListed) for (const taskId of asked) tasks.recent.delete(taskId);
  }

  /** The last answer stands for a while. Nobody asks again for a second. */
  function fail(tasks: Tasks, began: number): void {
    if (began - tasks.toldAt > LISTED_WITHIN_MS) tasks.others = 0;
    tasks.askedAt = now();
    tasks.hasFailed = true;
    tasks.isExact = true;
  }

  /** In this order, so that what is listed between the two counts twice: on the safe side. */
  async function countAll(owner: Owner, asked: string[]) {
    const listed = asked.length === 0 ? 0 : await counts.listed(asked);
    return { listed, running: await counts.running(owner) };
  }

  function needsAnswer(tasks: Tasks, limit: number): boolean {
    const { belowHalf, above } = OLDEST_MS;
    const oldest = countOf(tasks) < limit / 2 && !tasks.hasFailed ? belowHalf : above;
    return now() - tasks.askedAt >= oldest || (countOf(tasks) >= limit && !tasks.isExact);
  }

  /** @returns how to give the place back; undefined where there is none */
  async function takeOne(owner: Owner, taskId: string, limit: number): Promise<(() => void) | undefined> {
    const tasks = tasksIn(known, owner);
    for (let answers = 0; answers < 2 && needsAnswer(tasks, limit); answers++) {
      tasks.asking ??= ask(tasks, owner, limit).finally(() => (tasks.asking = undefined));
      await tasks.asking;
    }
    if (tasks.recent.has(taskId)) return () => undefined;
    if (countOf(tasks) >= limit) return undefined;
    tasks.recent.set(taskId, now());
    return () => void tasks.recent.delete(taskId);
  }

  return {
    async take({ organizationId, siteId, taskId }) {
      const ofAll = await takeOne({ organizationId }, taskId, limits.organization);
      if (!ofAll) return { full: 'organization' };
      if (limits.site >= limits.organization) return { giveBack: ofAll };
      const ofSite = await takeOne({ organizationId, siteId }, taskId, limits.site);
      if (ofSite) return { giveBack: () => (ofAll(), ofSite()) };
      ofAll();
      return { full: 'site' };
    },
  };
}

/** Those for which it is true, and the others. */
const partition = <T>(all: T[], isTrue: (one: T) => boolean): [T[], T[]] => [
  all.filter(isTrue),
  all.filter((one) => !isTrue(one)),
];

const countOf = ({ others, recent }: Tasks) => others + recent.size;

function tasksIn(known: LRUCache<string, Tasks>, { organizationId, siteId = '' }: Owner): Tasks {
  const name = `${organizationId} ${siteId}`;
  const tasks = known.get(name) ?? {
    others: 0,
    recent: new Map(),
    askedAt: -Infinity,
    toldAt: -Infinity,
    hasFailed: false,
    isExact: false,
  };
  known.set(name, tasks);
  return tasks;
}

/** Counts by Temporal's visibility. Each fails if that does not answer within a second. */
export function countsOf(client: Client, calls: Calls): Counts {
  const count = async (query: string) => {
    const counted = await calls.within(COUNT_WITHIN_MS, () => client.workflow.count(query));
    return counted.count;
  };
  return {
    running: ({ organizationId, siteId }) => {
      const inSite = siteId === undefined ? '' : ` AND SiteId = ${quote(siteId)}`;
      return count(`${tasksOf(organizationId)} AND ${withStatus.running}${inSite}`);
    },
    listed: (taskIds) => count(`WorkflowId IN (${taskIds.map(quote).join(', ')})`),
  };
}
