import { type Kysely, sql } from 'kysely';
import type { Schema } from './schema.ts';

/** A task that is about to start. */
interface LeaseRequest {
  taskId: string;
  organizationId: string;
  siteId: string;
}

/** `taken`: the task got a lease. `had`: it already has one. `full`: the limit is reached. */
export type LeaseResult = 'taken' | 'had' | 'full';

/** Leases of tasks in flight, shared by all processes with this database. */
export interface TaskLeases {
  /** How many tasks an organization may have in flight. */
  limit: number;
  /** Takes a lease for a task, unless its organization has reached the limit. */
  take(start: LeaseRequest): Promise<LeaseResult>;
  /**
   * Takes a lease for a task that gave its own back. At the limit, the task gets in line: new tasks
   * come behind it. Repeatable.
   * @param after when it wanted one, which gives the order of the line
   * @returns whether it has a lease
   */
  takeAgain(start: LeaseRequest, after: Date): Promise<boolean>;
  /** Ends a lease, or leaves the line. Repeatable. */
  giveBack(taskId: string): Promise<void>;
  /**
   * Ends the lease of a workflow that has ended. A batch that is to run again keeps its own.
   * Repeatable.
   */
  ended(taskId: string): Promise<void>;
  /** Those tasks of the sites that have a lease. */
  ofSites(siteIds: string[]): Promise<string[]>;
  /**
   * Tasks whose leases were taken or last checked longer than `olderThan` ago. Marks them as
   * checked now, so that only one process checks each of them.
   * @param olderThan milliseconds
   * @param most how many tasks to return at most
   */
  unchecked(olderThan: number, most: number): Promise<string[]>;
}

export function createTaskLeases(db: Kysely<Schema>, limit: number): TaskLeases {
  return {
    limit,
    async take({ taskId, organizationId, siteId }) {
      const { rows } = await sql<{ taken: LeaseResult }>`
        select take_task_lease(
          ${taskId}, ${organizationId}, ${siteId}, ${limit}
        ) as taken`.execute(db);
      return rows[0]!.taken;
    },

    async takeAgain({ taskId, organizationId, siteId }, wantedSince) {
      const { rows } = await sql<{ has: boolean }>`
        select take_task_lease_again(
          ${taskId}, ${organizationId}, ${siteId}, ${limit}, ${wantedSince}
        ) as has`.execute(db);
      return rows[0]!.has;
    },

    async giveBack(taskId) {
      await db.deleteFrom('task_leases').where('task_id', '=', taskId).execute();
    },

    async ended(taskId) {
      // the lock makes commands that run a batch again wait; then they take a new lease
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

    async unchecked(olderThan, maxTasks) {
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
