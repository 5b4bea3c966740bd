import { type Kysely, sql } from 'kysely';

/** Links by which people without an account look at a task's pages, or edit them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('shares')
    .addColumn('id', 'uuid', (column) => column.primaryKey())
    .addColumn('organization_id', 'uuid', (column) => column.notNull().references('organizations.id'))
    .addColumn('task_id', 'text', (column) => column.notNull())
    .addColumn('created_by_user', 'uuid')
    .addColumn('access', 'text', (column) => column.notNull().check(sql`access in ('view', 'edit')`))
    .addColumn('hash', 'text', (column) => column.notNull())
    .addColumn('created_at', 'timestamptz', (column) => column.notNull())
    .addColumn('expires_at', 'timestamptz', (column) => column.notNull())
    .addColumn('revoked_at', 'timestamptz')
    .execute();
  await db.schema.createIndex('shares_task').on('shares').columns(['organization_id', 'task_id']).execute();
  await endWithMembership(db);
}

/** A link ends when who made it leaves the organization, or may not make one any more: whoever makes that change. */
async function endWithMembership(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function end_shares() returns trigger language plpgsql as $$
    begin
      if tg_op = 'DELETE' or new.role = 'viewer' then
        update shares set revoked_at = now()
        where created_by_user = old.user_id and organization_id = old.organization_id and revoked_at is null;
      end if;
      return null;
    end $$`.execute(db);
  await sql`
    create trigger ended_shares after delete or update of role
    on members for each row execute function end_shares()`.execute(db);
}
