import { type Kysely, sql } from 'kysely';
import type { DeploymentCheck } from '../contract/deployment.ts';
import type { Site } from '../contract/site.ts';
import { createRowCache } from './rowCache.ts';
import type { RowChanges } from './rowChanges.ts';
import type { Schema } from './schema.ts';

/** A build that a task's push or merge causes at an external host. */
export interface CountedBuild {
  site: Pick<Site, 'siteId' | 'organizationId'>;
  taskId: string;
  commit: string;
  target: DeploymentCheck['target'];
}

export interface Builds {
  /**
   * Counts a build for the first task that reports it. Tasks whose results are pushed together
   * share one build. Repeatable.
   */
  add(build: CountedBuild): Promise<void>;
  /** How many builds each task or batch caused, in the order of their ids. */
  countsOf(taskIds: string[]): Promise<number[]>;
  /**
   * The number of an organization's builds by month (`YYYY-MM`, UTC). Months without builds are
   * missing.
   * @param month returns only this month
   */
  months(organizationId: string, month?: string): Promise<ReadonlyMap<string, number>>;
}

/** `YYYY-MM`, UTC. */
export const utcMonth = (moment: Date) => moment.toISOString().slice(0, 'YYYY-MM'.length);

const buildCount = sql<number>`count(*)::integer`.as('builds');

interface BuildOptions {
  /** Reports changes of rows. With it, the counts of tasks are cached until they change. */
  changes?: RowChanges;
}

/** Counts the builds that tasks cause at external hosts, because builds cost the teams money. */
export function createBuilds(db: Kysely<Schema>, { changes }: BuildOptions = {}): Builds {
  const countCache = createRowCache<number>('builds', changes);

  async function readCounts(taskIds: string[]): Promise<number[]> {
    const countRows = await db
      .selectFrom('builds')
      .select(['task_id', buildCount])
      .where('task_id', 'in', taskIds)
      .groupBy('task_id')
      .execute();
    const countsByTask = new Map(countRows.map((row) => [row.task_id, row.builds]));
    return taskIds.map((taskId) => countsByTask.get(taskId) ?? 0);
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
          month: utcMonth(new Date()),
        })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
      countCache.forget(taskId);
    },

    countsOf: async (taskIds) => (await countCache.getAll(taskIds, readCounts)) as number[],

    async months(organizationId, month) {
      const countRows = await db
        .selectFrom('builds')
        .select(['month', buildCount])
        .where('organization_id', '=', organizationId)
        .$if(month !== undefined, (query) => query.where('month', '=', month!))
        .groupBy('month')
        .execute();
      return new Map(countRows.map((row) => [row.month, row.builds]));
    },
  };
}
