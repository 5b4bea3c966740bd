import { type Kysely, sql } from 'kysely';

/** A migration sees the schema as it was then, never the present `Schema`. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createOwners(db);
  await createSites(db);
  await createDeployments(db);
  await db.schema
    .createTable('secrets')
    .addColumn('name', 'text', (column) => column.primaryKey())
    .addColumn('value', 'bytea', (column) => column.notNull())
    .execute();
}

async function createOwners(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('organizations')
    .addColumn('id', 'uuid', (column) => column.primaryKey())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('callback_secret', 'text', (column) => column.notNull())
    .addColumn('created_at', 'timestamptz', (column) => column.notNull())
    .execute();
  await db.schema
    .createTable('api_keys')
    .addColumn('id', 'uuid', (column) => column.primaryKey())
    .addColumn('organization_id', 'uuid', (column) => column.notNull().references('organizations.id'))
    .addColumn('role', 'text', (column) => column.notNull().check(sql`role in ('viewer', 'member', 'admin', 'owner')`))
    .addColumn('name', 'text')
    .addColumn('hash', 'text', (column) => column.notNull().unique())
    .addColumn('created_at', 'timestamptz', (column) => column.notNull())
    .addColumn('last_used_at', 'timestamptz')
    .addColumn('expires_at', 'timestamptz')
    .addColumn('revoked_at', 'timestamptz')
    .execute();
  await db.schema.createIndex('api_keys_organization').on('api_keys').column('organization_id').execute();
}

async function createSites(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('sites')
    .addColumn('id', 'uuid', (column) => column.primaryKey())
    .addColumn('organization_id', 'uuid', (column) => column.notNull().references('organizations.id'))
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('label', 'text', (column) => column.notNull().unique())
    .addColumn('repository_url', 'text')
    .addColumn('repository_branch', 'text', (column) => column.notNull())
    .addColumn('repository_root', 'text', (column) => column.notNull())
    .addColumn('author_name', 'text', (column) => column.notNull())
    .addColumn('author_email', 'text', (column) => column.notNull())
    .addColumn('created_at', 'timestamptz', (column) => column.notNull())
    .execute();
  await db.schema.createIndex('sites_organization').on('sites').column('organization_id').execute();
}

async function createDeployments(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('live_deployments')
    .addColumn('site_id', 'uuid', (column) => column.primaryKey().references('sites.id').onDelete('cascade'))
    .addColumn('commit', 'text', (column) => column.notNull())
    .addColumn('task_id', 'text')
    .addColumn('deployed_at', 'timestamptz', (column) => column.notNull())
    .execute();
  await db.schema
    .createTable('preview_deployments')
    .addColumn('task_id', 'text', (column) => column.primaryKey())
    .addColumn('site_id', 'uuid', (column) => column.notNull().references('sites.id').onDelete('cascade'))
    .addColumn('commit', 'text', (column) => column.notNull())
    .execute();
}
