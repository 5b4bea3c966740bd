import { type Kysely, sql } from 'kysely';

/** Sites, and the credentials for their repositories. */
export async function createSites(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('site_credentials')
    .addColumn('id', 'uuid', (column) => column.primaryKey())
    .addColumn('organization_id', 'uuid', (column) =>
      column.notNull().references('organizations.id'),
    )
    .addColumn('kind', 'text', (column) =>
      column.notNull().check(sql`kind in ('token', 'deploy-key', 'github-app', 'secret')`),
    )
    .addColumn('username', 'text')
    .addColumn('public_key', 'text')
    .addColumn('key_id', 'text', (column) => column.notNull())
    .addColumn('sealed', 'bytea', (column) => column.notNull())
    .addColumn('created_at', 'timestamptz', (column) => column.notNull())
    .execute();
  await db.schema
    .createTable('sites')
    .addColumn('id', 'uuid', (column) => column.primaryKey())
    .addColumn('organization_id', 'uuid', (column) =>
      column.notNull().references('organizations.id'),
    )
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('label', 'text', (column) => column.notNull().unique())
    .addColumn('repository_url', 'text')
    .addColumn('repository_branch', 'text', (column) => column.notNull())
    .addColumn('repository_root', 'text', (column) => column.notNull())
    .addColumn('own_host', 'jsonb')
    .addColumn('had_own_host', 'boolean', (column) => column.notNull().defaultTo(false))
    .addColumn('author_name', 'text', (column) => column.notNull())
    .addColumn('author_email', 'text', (column) => column.notNull())
    .addColumn('is_guarded', 'boolean', (column) => column.notNull().defaultTo(false))
    .addColumn('credential_id', 'uuid', (column) => column.references('site_credentials.id'))
    .addColumn('known_hosts', 'text')
    .addColumn('problem', 'text')
    .addColumn('problem_is_of_push', 'boolean', (column) => column.notNull().defaultTo(false))
    .addColumn('created_at', 'timestamptz', (column) => column.notNull())
    .execute();
  await db.schema.createIndex('sites_organization').on('sites').column('organization_id').execute();
  await db.schema.createIndex('sites_credential').on('sites').column('credential_id').execute();
  await createKeptLabels(db);
}

/** Host labels of removed sites, which are reserved for a while. */
async function createKeptLabels(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('kept_labels')
    .addColumn('label', 'text', (column) => column.primaryKey())
    .addColumn('organization_id', 'uuid', (column) =>
      column.notNull().references('organizations.id'),
    )
    .addColumn('removed_at', 'timestamptz', (column) => column.notNull())
    .execute();
  await db.schema
    .createIndex('kept_labels_organization')
    .on('kept_labels')
    .column('organization_id')
    .execute();
}
