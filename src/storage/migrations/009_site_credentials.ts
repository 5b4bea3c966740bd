import { type Kysely, sql } from 'kysely';

/** Sites that are added over HTTP: their credentials, host keys and problems; and what is told of past deployments. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('site_credentials')
    .addColumn('id', 'uuid', (column) => column.primaryKey())
    .addColumn('organization_id', 'uuid', (column) => column.notNull().references('organizations.id'))
    .addColumn('kind', 'text', (column) => column.notNull().check(sql`kind in ('token', 'deploy-key')`))
    .addColumn('username', 'text')
    .addColumn('public_key', 'text')
    .addColumn('key_id', 'text', (column) => column.notNull())
    .addColumn('sealed', 'bytea', (column) => column.notNull())
    .addColumn('created_at', 'timestamptz', (column) => column.notNull())
    .execute();
  await db.schema
    .alterTable('sites')
    .addColumn('is_guarded', 'boolean', (column) => column.notNull().defaultTo(false))
    .addColumn('credential_id', 'uuid', (column) => column.references('site_credentials.id'))
    .addColumn('known_hosts', 'text')
    .addColumn('problem', 'text')
    .addColumn('problem_is_of_push', 'boolean', (column) => column.notNull().defaultTo(false))
    .execute();
  await db.schema.createIndex('sites_credential').on('sites').column('credential_id').execute();
  await db.schema
    .alterTable('past_deployments')
    .addColumn('task_id', 'text')
    .addColumn('deployed_at', 'timestamptz')
    .execute();
}
