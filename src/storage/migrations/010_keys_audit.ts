import type { Kysely } from 'kysely';

/** Who made a key and how it begins, a callback secret that is being replaced, and who changed which setting. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('api_keys')
    .addColumn('prefix', 'text')
    .addColumn('created_by_user', 'uuid')
    .addColumn('created_by_key', 'uuid')
    .addColumn('replaced_by', 'uuid')
    .execute();
  await db.schema
    .alterTable('organizations')
    .addColumn('callback_secret_rotated_at', 'timestamptz')
    .addColumn('previous_callback_secret', 'text')
    .addColumn('previous_callback_secret_until', 'timestamptz')
    .execute();
  await db.schema
    .createTable('audit_entries')
    .addColumn('id', 'uuid', (column) => column.primaryKey())
    .addColumn('organization_id', 'uuid', (column) => column.notNull().references('organizations.id'))
    .addColumn('at', 'timestamptz', (column) => column.notNull())
    .addColumn('user_id', 'uuid')
    .addColumn('key_id', 'uuid')
    .addColumn('action', 'text', (column) => column.notNull())
    .addColumn('subject', 'text')
    .addColumn('address', 'text', (column) => column.notNull())
    .execute();
  const entries = db.schema.createIndex('audit_entries_organization').on('audit_entries');
  await entries.columns(['organization_id', 'at', 'id']).execute();
  await db.schema.createIndex('audit_entries_at').on('audit_entries').column('at').execute();
}
