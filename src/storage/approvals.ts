import type { Kysely } from 'kysely';
import type { Approvals } from '../contract/approvals.ts';
import { removeExpiredRows } from './removeExpiredRows.ts';
import type { Schema } from './schema.ts';

/** Stores who approved which versions of tasks and batches. */
export function createApprovals(db: Kysely<Schema>): Approvals {
  return {
    async of(taskId) {
      const rows = await db
        .selectFrom('approvals')
        .selectAll()
        .where('task_id', '=', taskId)
        .orderBy('at', 'desc')
        .execute();
      return rows.map(({ version, approver, guest_name: name, at }) => ({
        version,
        by: name === null ? { userId: approver } : { shareId: approver, name },
        at,
      }));
    },

    async add({ organizationId, taskId, version, by }) {
      await removeExpiredRows(db, 'approvals');
      const approvalColumns = {
        organization_id: organizationId,
        task_id: taskId,
        version,
        approver: 'userId' in by ? by.userId : by.shareId,
        guest_name: 'userId' in by ? null : by.name,
        at: new Date(),
      };
      await db
        .insertInto('approvals')
        .values(approvalColumns)
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    },

    async personBehind(creator) {
      if ('userId' in creator) return creator.userId;
      const key = await db
        .selectFrom('api_keys')
        .select(['user_id', 'counts_for'])
        .where('id', '=', creator.keyId)
        .executeTakeFirst();
      return key?.user_id ?? key?.counts_for ?? null;
    },
  };
}
