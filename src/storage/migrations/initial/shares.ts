import { type Kysely, sql } from 'kysely';

/** Links that let people without an account view or edit a task's pages. */
export async function createShares(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('shares')
    .addColumn('id', 'uuid', (column) => column.primaryKey())
    .addColumn('organization_id', 'uuid', (column) =>
      column.notNull().references('organizations.id'),
    )
    .addColumn('task_id', 'text', (column) => column.notNull())
    .addColumn('access', 'text', (column) =>
      column.notNull().check(sql`access in ('view', 'edit')`),
    )
    .addColumn('hash', 'text', (column) => column.notNull())
    .addColumn('created_by_user', 'uuid')
    .addColumn('created_at', 'timestamptz', (column) => column.notNull())
    .addColumn('expires_at', 'timestamptz', (column) => column.notNull())
    .addColumn('revoked_at', 'timestamptz')
    .execute();
  await db.schema
    .createIndex('shares_task')
    .on('shares')
    .columns(['organization_id', 'task_id'])
    .execute();
}
