import type { Client } from '@temporalio/client';
import { LRUCache } from 'lru-cache';
import type { Calls } from './calls.ts';
import { tasksOf, withStatus } from './queries.ts';

const LIST_WITHIN_MS = 1_000;
/** How long a start counts that the server does not list: it is listed by then, or never was one. */
const LISTED_WITHIN_MS = 10_000;
/** The server's clock may be behind ours. */
const RECENT_MS = LISTED_WITHIN_MS + 5_000;
const ORGANIZATIONS = 10_000;

/** Tasks of an organization as the server lists them: those that run, and those that began in the last moments, in whatever state. */
export interface ListedTasks {
  running: Set<string>;
  all: Set<string>;
}

interface Options {
  /** Tasks of one organization that may run at the same time. */
  limit: number;
  /** The list may be some seconds behind. */
  list: (organizationId: string) => Promise<ListedTasks>;
}

export interface InFlight {
  /**
   * Takes the place of a task that is about to be started.
   * @returns how to give it back if the task is not started after all; undefined where there is no place
   */
  take(organizationId: string, taskId: string): Promise<(() => void) | undefined>;
}

interface Organization {
  running: Set<string>;
  /** Starts of this process that the server has not listed yet, and when they were. */
  unlisted: Map<string, number>;
  /** The question that is asked, or was asked last. */
  asked: Promise<void>;
  /** The one after it, where somebody waits for it. */
  next?: Promise<void> | undefined;
}

/**
 * Counts the tasks in flight of each organization: what the server lists, and what this process started that is not listed yet. Each start
 * waits for a list that was asked for after it came; those that wait at the same time share one. A list that fails counts as an empty one.
 */
export function createInFlight({ limit, list }: Options): InFlight {
  const organizations = new LRUCache<string, Organization>({ max: ORGANIZATIONS });

  async function ask(organizationId: string, organization: Organization): Promise<void> {
    organization.next = undefined;
    const began = performance.now();
    const { running, all } = await list(organizationId).catch(() => ({ running: new Set<string>(), all: new Set() }));
    organization.running = running;
    for (const [taskId, since] of organization.unlisted)
      if (all.has(taskId) || since < began - LISTED_WITHIN_MS) organization.unlisted.delete(taskId);
  }

  function organizationOf(organizationId: string): Organization {
    const known = organizations.get(organizationId);
    if (known) return known;
    const organization = { running: new Set<string>(), unlisted: new Map<string, number>(), asked: Promise.resolve() };
    organizations.set(organizationId, organization);
    return organization;
  }

  return {
    async take(organizationId, taskId) {
      const organization = organizationOf(organizationId);
      organization.next ??= organization.asked = organization.asked.then(() => ask(organizationId, organization));
      await organization.next;
      return place(organization, taskId);
    },
  };

  function place({ running, unlisted }: Organization, taskId: string): (() => void) | undefined {
    if (running.has(taskId) || unlisted.has(taskId)) return () => undefined;
    if (running.size + unlisted.size >= limit) return undefined;
    unlisted.set(taskId, performance.now());
    return () => unlisted.delete(taskId);
  }
}

/** Tasks in flight as Temporal's visibility has them. Fails where it does not answer within a second. */
export function listInFlight(client: Client, calls: Calls, organizationId: string): Promise<ListedTasks> {
  const recent = new Date(Date.now() - RECENT_MS).toISOString();
  const query = `${tasksOf(organizationId)} AND (${withStatus.running} OR StartTime > '${recent}')`;
  return calls.within(LIST_WITHIN_MS, async () => {
    const [running, all] = [new Set<string>(), new Set<string>()];
    for await (const { workflowId, status, searchAttributes } of client.workflow.list({ query })) {
      all.add(workflowId);
      if (status.name === 'RUNNING' && searchAttributes['TaskStatus']?.[0] === 'running') running.add(workflowId);
    }
    return { running, all };
  });
}
