import type { Client } from '@temporalio/client';
import { LRUCache } from 'lru-cache';
import type { Calls } from './calls.ts';
import { tasksOf, withStatus } from './queries.ts';

const LIST_WITHIN_MS = 1_000;
/** How long an unlisted start counts: a workflow that really started is listed by then. */
const LISTED_WITHIN_MS = 10_000;
/** The server's clock may be behind ours. */
const RECENT_MS = LISTED_WITHIN_MS + 5_000;
const ORGANIZATIONS = 10_000;

/** How many tasks an organization and each of its sites may have in flight. */
export interface InFlightLimits {
  organization: number;
  site: number;
}

/** An organization's tasks as the server lists them: those that run, and those that began just now, in any state. */
export interface ListedTasks {
  /** By task, its site. */
  running: Map<string, string>;
  all: Set<string>;
}

interface Options {
  limits: InFlightLimits;
  /** The list may be some seconds behind. */
  list: (organizationId: string) => Promise<ListedTasks>;
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

interface Organization {
  /** By task, its site. */
  running: Map<string, string>;
  /** Starts of this process that the server has not listed yet: their sites, and when they were. */
  unlisted: Map<string, { siteId: string; since: number }>;
  /** The current query, or the last one. */
  asked: Promise<void>;
  /** The next query, if a start waits for it. */
  next?: Promise<void> | undefined;
}

/**
 * Counts the tasks in flight of each organization: those that the server lists, and those that this process started and
 * the server does not list yet. Each start waits for a list requested after it arrived; starts that wait at the same
 * time share one. A failed list counts as empty.
 */
export function createInFlight({ limits, list }: Options): InFlight {
  const organizations = new LRUCache<string, Organization>({ max: ORGANIZATIONS });

  async function ask(organizationId: string, organization: Organization): Promise<void> {
    organization.next = undefined;
    const began = performance.now();
    const { running, all } = await list(organizationId).catch(() => ({ running: new Map(), all: new Set() }));
    organization.running = running;
    for (const [taskId, { since }] of organization.unlisted)
      if (all.has(taskId) || since < began - LISTED_WITHIN_MS) organization.unlisted.delete(taskId);
  }

  function organizationOf(organizationId: string): Organization {
    const known = organizations.get(organizationId);
    if (known) return known;
    const organization = { running: new Map(), unlisted: new Map(), asked: Promise.resolve() };
    organizations.set(organizationId, organization);
    return organization;
  }

  return {
    async take(start) {
      const { organizationId } = start;
      const organization = organizationOf(organizationId);
      organization.next ??= organization.asked = organization.asked.then(() => ask(organizationId, organization));
      await organization.next;
      return placeIn(organization, limits, start);
    },
  };
}

function placeIn({ running, unlisted }: Organization, limits: InFlightLimits, { siteId, taskId }: Start): Place {
  if (running.has(taskId) || unlisted.has(taskId)) return { giveBack: () => undefined };
  const sites = [...running.values(), ...[...unlisted.values()].map((start) => start.siteId)];
  if (sites.length >= limits.organization) return { full: 'organization' };
  if (sites.filter((site) => site === siteId).length >= limits.site) return { full: 'site' };
  unlisted.set(taskId, { siteId, since: performance.now() });
  return { giveBack: () => unlisted.delete(taskId) };
}

/** Tasks in flight by Temporal's visibility. Fails if that does not answer within a second. */
export function listInFlight(client: Client, calls: Calls, organizationId: string): Promise<ListedTasks> {
  const recent = new Date(Date.now() - RECENT_MS).toISOString();
  const query = `${tasksOf(organizationId)} AND (${withStatus.running} OR StartTime > '${recent}')`;
  return calls.within(LIST_WITHIN_MS, async () => {
    const [running, all] = [new Map<string, string>(), new Set<string>()];
    for await (const { workflowId, status, searchAttributes } of client.workflow.list({ query })) {
      all.add(workflowId);
      if (status.name === 'RUNNING' && searchAttributes['TaskStatus']?.[0] === 'running')
        running.set(workflowId, String(searchAttributes['SiteId']?.[0]));
    }
    return { running, all };
  });
}
