import { type Kysely, sql } from 'kysely';

const oneOfRoles = sql`role in ('viewer', 'member', 'admin', 'owner')`;

/** Organizations, their members with roles, their API keys, and the audit of changed settings. */
export async function createOrganizations(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('organizations')
    .addColumn('id', 'uuid', (column) => column.primaryKey())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('callback_secret', 'text', (column) => column.notNull())
    .addColumn('callback_secret_rotated_at', 'timestamptz')
    .addColumn('previous_callback_secret', 'text')
    .addColumn('previous_callback_secret_until', 'timestamptz')
    .addColumn('tokens_per_month', 'bigint')
    .addColumn('created_at', 'timestamptz', (column) => column.notNull())
    .execute();
  await createMembers(db);
  await createInvitations(db);
  await createOneTimeLinks(db);
  await createApiKeys(db);
  await createAuditEntries(db);
}

async function createMembers(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('members')
    .addColumn('id', 'uuid', (column) => column.primaryKey())
    .addColumn('organization_id', 'uuid', (column) =>
      column.notNull().references('organizations.id'),
    )
    .addColumn('user_id', 'uuid', (column) =>
      column.notNull().references('users.id').onDelete('cascade'),
    )
    .addColumn('role', 'text', (column) => column.notNull().check(oneOfRoles))
    .addColumn('created_at', 'timestamptz', (column) => column.notNull())
    .addUniqueConstraint('members_key', ['organization_id', 'user_id'])
    .execute();
  await db.schema.createIndex('members_user').on('members').column('user_id').execute();
}

async function createInvitations(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('invitations')
    .addColumn('id', 'uuid', (column) => column.primaryKey())
    .addColumn('organization_id', 'uuid', (column) =>
      column.notNull().references('organizations.id'),
    )
    .addColumn('email', 'text', (column) => column.notNull())
    .addColumn('role', 'text', (column) => column.notNull().check(oneOfRoles))
    .addColumn('invited_by', 'uuid', (column) => column.references('users.id').onDelete('set null'))
    .addColumn('created_at', 'timestamptz', (column) => column.notNull())
    .addColumn('expires_at', 'timestamptz', (column) => column.notNull())
    .addUniqueConstraint('invitations_key', ['organization_id', 'email'])
    .execute();
  await db.schema.createIndex('invitations_email').on('invitations').column('email').execute();
}

async function createOneTimeLinks(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('one_time_links')
    .addColumn('hash', 'text', (column) => column.primaryKey())
    .addColumn('user_id', 'uuid', (column) => column.references('users.id').onDelete('cascade'))
    .addColumn('organization_id', 'uuid', (column) =>
      column.references('organizations.id').onDelete('cascade'),
    )
    .addColumn('proves_email', 'boolean', (column) => column.notNull())
    .addColumn('created_at', 'timestamptz', (column) => column.notNull())
    .addColumn('expires_at', 'timestamptz', (column) => column.notNull())
    .execute();
}

async function createApiKeys(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('api_keys')
    .addColumn('id', 'uuid', (column) => column.primaryKey())
    .addColumn('organization_id', 'uuid', (column) =>
      column.notNull().references('organizations.id'),
    )
    .addColumn('role', 'text', (column) => column.notNull().check(oneOfRoles))
    .addColumn('name', 'text')
    .addColumn('hash', 'text', (column) => column.notNull().unique())
    .addColumn('prefix', 'text', (column) => column.notNull())
    .addColumn('user_id', 'uuid', (column) => column.references('users.id').onDelete('cascade'))
    .addColumn('session_id', 'uuid', (column) =>
      column.references('sessions.id').onDelete('cascade'),
    )
    .addColumn('created_by_user', 'uuid')
    .addColumn('created_by_key', 'uuid')
    .addColumn('counts_for', 'uuid')
    .addColumn('replaced_by', 'uuid')
    .addColumn('created_at', 'timestamptz', (column) => column.notNull())
    .addColumn('last_used_at', 'timestamptz')
    .addColumn('expires_at', 'timestamptz')
    .addColumn('revoked_at', 'timestamptz')
    .execute();
  await db.schema
    .createIndex('api_keys_organization')
    .on('api_keys')
    .column('organization_id')
    .execute();
  await db.schema.createIndex('api_keys_session').on('api_keys').column('session_id').execute();
}

async function createAuditEntries(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('audit_entries')
    .addColumn('id', 'uuid', (column) => column.primaryKey())
    .addColumn('organization_id', 'uuid', (column) =>
      column.notNull().references('organizations.id'),
    )
    .addColumn('at', 'timestamptz', (column) => column.notNull())
    .addColumn('user_id', 'uuid')
    .addColumn('key_id', 'uuid')
    .addColumn('action', 'text', (column) => column.notNull())
    .addColumn('subject', 'text')
    .addColumn('address', 'text', (column) => column.notNull())
    .execute();
  await db.schema
    .createIndex('audit_entries_organization')
    .on('audit_entries')
    .columns(['organization_id', 'at', 'id'])
    .execute();
  await db.schema.createIndex('audit_entries_at').on('audit_entries').column('at').execute();
}
