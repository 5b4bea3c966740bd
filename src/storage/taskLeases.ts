import { type Kysely, sql } from 'kysely';
import type { Schema } from './schema.ts';

/*
 * The permits of tasks in the database. A permit, here also called a lease, is an organization's
 * right to have one more task running. Each running task has one, and an organization has at most
 * `limit`. A task that waits for a person gives its permit back, and later waits for another one.
 */

/** A task that is about to start. */
interface LeaseRequest {
  taskId: string;
  organizationId: string;
  siteId: string;
}

/** `taken`: the task got a permit. `had`: it already has one. `full`: the limit is reached. */
export type LeaseResult = 'taken' | 'had' | 'full';

/** The permits of tasks, shared by all processes with this database. */
export interface TaskLeases {
  /** How many tasks of an organization may run at the same time. */
  limit: number;
  /** Acquires a permit for a task, unless its organization has reached the limit. */
  acquire(start: LeaseRequest): Promise<LeaseResult>;
  /**
   * Acquires a permit for a task that gave its own back. If the limit is reached, the task waits in
   * line, before new tasks. Repeatable: call it again until the task has a permit.
   * @param after when the task first asked for the permit, which is its position in the line
   * @returns whether the task has a permit
   */
  reacquire(start: LeaseRequest, after: Date): Promise<boolean>;
  /** Releases a task's permit, or removes the task from the line. Repeatable. */
  release(taskId: string): Promise<void>;
  /**
   * Releases the permit of a workflow that has ended. A batch that is about to run again keeps its
   * permit. Repeatable.
   */
  releaseEnded(taskId: string): Promise<void>;
  /** The tasks of the sites that have a permit or wait for one. */
  ofSites(siteIds: string[]): Promise<string[]>;
  /**
   * Tasks whose permits were acquired or last checked longer than `olderThan` ago. Marks them as
   * checked now, so that only one process checks each of them.
   * @param olderThan milliseconds
   * @param most how many tasks to return at most
   */
  claimUnchecked(olderThan: number, most: number): Promise<string[]>;
}

/** @param limit how many tasks of an organization may run at the same time */
export function createTaskLeases(db: Kysely<Schema>, limit: number): TaskLeases {
  return {
    limit,
    async acquire({ taskId, organizationId, siteId }) {
      const { rows } = await sql<{ taken: LeaseResult }>`
        select take_task_lease(
          ${taskId}, ${organizationId}, ${siteId}, ${limit}
        ) as taken`.execute(db);
      return rows[0]!.taken;
    },

    async reacquire({ taskId, organizationId, siteId }, waitingSince) {
      const { rows } = await sql<{ has: boolean }>`
        select take_task_lease_again(
          ${taskId}, ${organizationId}, ${siteId}, ${limit}, ${waitingSince}
        ) as has`.execute(db);
      return rows[0]!.has;
    },

    async release(taskId) {
      await db.deleteFrom('task_leases').where('task_id', '=', taskId).execute();
    },

    async releaseEnded(taskId) {
      // the lock makes commands that run a batch again wait; then they acquire a new permit
      await sql`
        with batch as (select status from batches where id = ${taskId} for share)
        delete from task_leases
        where task_id = ${taskId} and not exists (select from batch where status = 'running')`.execute(
        db,
      );
    },

    async ofSites(siteIds) {
      if (siteIds.length === 0) return [];
      const rows = await db
        .selectFrom('task_leases')
        .select('task_id')
        .where('site_id', 'in', siteIds)
        .execute();
      return rows.map(({ task_id }) => task_id);
    },

    async claimUnchecked(olderThan, maxTasks) {
      const rows = await db
        .updateTable('task_leases')
        .set({ checked_at: sql`clock_timestamp()` })
        .where('task_id', 'in', (leases) =>
          leases
            .selectFrom('task_leases')
            .select('task_id')
            .where(
              'checked_at',
              '<',
              sql<Date>`clock_timestamp() - ${olderThan} * interval '1 millisecond'`,
            )
            .orderBy('checked_at')
            .limit(maxTasks)
            .forUpdate()
            .skipLocked(),
        )
        .returning('task_id')
        .execute();
      return rows.map(({ task_id }) => task_id);
    },
  };
}
