import { type Kysely, sql } from 'kysely';
import type { Look } from '../contract/deployment.ts';
import type { Site } from '../contract/site.ts';
import { createRowCache } from './rowCache.ts';
import type { RowChanges } from './rowChanges.ts';
import type { Schema } from './schema.ts';

/** A build that a task's push or merge causes at a host of the team's own. */
export interface Build {
  site: Pick<Site, 'siteId' | 'organizationId'>;
  taskId: string;
  commit: string;
  target: Look['target'];
}

export interface Builds {
  /**
   * Counts a build, for the first task that names it: tasks whose results are pushed together share
   * one. Repeatable.
   */
  add(build: Build): Promise<void>;
  /** How many builds each task or batch caused, in the order of their ids. */
  countsOf(taskIds: string[]): Promise<number[]>;
  /**
   * The organization's builds by month (`YYYY-MM`, UTC), of months with any.
   * @param month only this month
   */
  months(organizationId: string, month?: string): Promise<ReadonlyMap<string, number>>;
}

/** `YYYY-MM`, UTC. */
export const monthOf = (at: Date) => at.toISOString().slice(0, 'YYYY-MM'.length);

const builds = sql<number>`count(*)::integer`.as('builds');

interface Options {
  /** Reports changes of rows. With it, the counts of tasks are cached until they change. */
  changes?: RowChanges;
}

/** Counts the builds that tasks cause at hosts of teams, because builds cost the teams money. */
export function createBuilds(db: Kysely<Schema>, { changes }: Options = {}): Builds {
  const cache = createRowCache<number>('builds', changes);

  async function readCounts(taskIds: string[]): Promise<number[]> {
    const found = await db
      .selectFrom('builds')
      .select(['task_id', builds])
      .where('task_id', 'in', taskIds)
      .groupBy('task_id')
      .execute();
    const counts = new Map(found.map((row) => [row.task_id, row.builds]));
    return taskIds.map((taskId) => counts.get(taskId) ?? 0);
  }

  return {
    async add({ site, taskId, commit, target }) {
      await db
        .insertInto('builds')
        .values({
          site_id: site.siteId,
          commit,
          target,
          organization_id: site.organizationId,
          task_id: taskId,
          month: monthOf(new Date()),
        })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
      cache.forget(taskId);
    },

    countsOf: async (taskIds) => (await cache.getAll(taskIds, readCounts)) as number[],

    async months(organizationId, month) {
      const found = await db
        .selectFrom('builds')
        .select(['month', builds])
        .where('organization_id', '=', organizationId)
        .$if(month !== undefined, (query) => query.where('month', '=', month!))
        .groupBy('month')
        .execute();
      return new Map(found.map((row) => [row.month, row.builds]));
    },
  };
}
