import type { Kysely } from 'kysely';

/**
 * Assistants that people connected by OAuth: the programs, what people allowed them, and their
 * tokens. better-auth's OAuth provider reads the programs, and writes the rest. Its lists are JSON
 * texts.
 */
export async function createAssistants(db: Kysely<unknown>): Promise<void> {
  await createClients(db);
  await createResources(db);
  await createConnections(db);
  await createRefreshTokens(db);
  await createAccessTokens(db);
}

async function createClients(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('oauth_clients')
    .addColumn('id', 'uuid', (column) => column.primaryKey())
    .addColumn('client_id', 'text', (column) => column.notNull().unique())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('redirect_uris', 'text', (column) => column.notNull())
    .addColumn('token_endpoint_auth_method', 'text', (column) => column.notNull())
    .addColumn('created_at', 'timestamptz', (column) => column.notNull())
    .addColumn('used_at', 'timestamptz')
    .addColumn('read_at', 'timestamptz')
    .execute();
  await db.schema
    .createIndex('oauth_clients_made')
    .on('oauth_clients')
    .column('created_at')
    .execute();
}

async function createResources(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('oauth_resources')
    .addColumn('id', 'uuid', (column) => column.primaryKey())
    .addColumn('identifier', 'text', (column) => column.notNull().unique())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('access_token_ttl', 'integer')
    .addColumn('refresh_token_ttl', 'integer')
    .addColumn('signing_algorithm', 'text')
    .addColumn('signing_key_id', 'text')
    .addColumn('allowed_scopes', 'text')
    .addColumn('custom_claims', 'jsonb')
    .addColumn('dpop_bound_access_tokens_required', 'boolean')
    .addColumn('disabled', 'boolean')
    .addColumn('policy_version', 'integer')
    .addColumn('metadata', 'jsonb')
    .addColumn('created_at', 'timestamptz')
    .addColumn('updated_at', 'timestamptz')
    .execute();
}

/** A connection ends with the membership, and its tokens end with the connection. */
async function createConnections(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('oauth_connections')
    .addColumn('id', 'uuid', (column) => column.primaryKey())
    .addColumn('client_id', 'text', (column) =>
      column.notNull().references('oauth_clients.client_id').onDelete('cascade'),
    )
    .addColumn('user_id', 'uuid', (column) => column.notNull())
    .addColumn('organization_id', 'uuid', (column) => column.notNull())
    .addColumn('resources', 'text')
    .addColumn('requested_user_info_claims', 'text')
    .addColumn('scopes', 'text', (column) => column.notNull())
    .addColumn('created_at', 'timestamptz', (column) => column.notNull())
    .addColumn('updated_at', 'timestamptz', (column) => column.notNull())
    .addColumn('last_used_at', 'timestamptz')
    .addUniqueConstraint('oauth_connections_key', ['client_id', 'user_id', 'organization_id'])
    .addForeignKeyConstraint(
      'oauth_connections_member',
      ['organization_id', 'user_id'],
      'members',
      ['organization_id', 'user_id'],
      (constraint) => constraint.onDelete('cascade'),
    )
    .execute();
  await db.schema
    .createIndex('oauth_connections_member')
    .on('oauth_connections')
    .columns(['organization_id', 'user_id'])
    .execute();
  await db.schema
    .createIndex('oauth_connections_user')
    .on('oauth_connections')
    .column('user_id')
    .execute();
}

/** The columns that both kinds of tokens have. `token` is a SHA-256. */
const tokenTable = (db: Kysely<unknown>, name: string) =>
  db.schema
    .createTable(name)
    .addColumn('id', 'uuid', (column) => column.primaryKey())
    .addColumn('token', 'text', (column) => column.notNull().unique())
    .addColumn('client_id', 'text', (column) => column.notNull())
    .addColumn('user_id', 'uuid', (column) => column.notNull())
    .addColumn('organization_id', 'uuid', (column) => column.notNull())
    .addColumn('session_id', 'uuid', (column) =>
      column.references('sessions.id').onDelete('set null'),
    )
    .addColumn('authorization_code_id', 'text')
    .addColumn('resources', 'text')
    .addColumn('requested_user_info_claims', 'text')
    .addColumn('scopes', 'text', (column) => column.notNull())
    .addColumn('confirmation', 'jsonb')
    .addColumn('revoked', 'timestamptz')
    .addColumn('created_at', 'timestamptz', (column) => column.notNull())
    .addColumn('expires_at', 'timestamptz', (column) => column.notNull())
    .addForeignKeyConstraint(
      `${name}_connection`,
      ['client_id', 'user_id', 'organization_id'],
      'oauth_connections',
      ['client_id', 'user_id', 'organization_id'],
      (constraint) => constraint.onDelete('cascade'),
    );

async function createRefreshTokens(db: Kysely<unknown>): Promise<void> {
  await tokenTable(db, 'oauth_refresh_tokens')
    .addColumn('auth_time', 'timestamptz')
    .addColumn('rotated_at', 'timestamptz')
    .addColumn('rotation_replay_response', 'text')
    .addColumn('rotation_replay_expires_at', 'timestamptz')
    .execute();
  await indexTokens(db, 'oauth_refresh_tokens');
}

async function createAccessTokens(db: Kysely<unknown>): Promise<void> {
  await tokenTable(db, 'oauth_access_tokens')
    .addColumn('refresh_id', 'uuid', (column) =>
      column.references('oauth_refresh_tokens.id').onDelete('cascade'),
    )
    .execute();
  await indexTokens(db, 'oauth_access_tokens');
  await db.schema
    .createIndex('oauth_access_tokens_refresh')
    .on('oauth_access_tokens')
    .column('refresh_id')
    .execute();
}

async function indexTokens(db: Kysely<unknown>, table: string): Promise<void> {
  for (const [name, columns] of [
    ['connection', ['client_id', 'user_id', 'organization_id']],
    ['session', ['session_id']],
    ['code', ['authorization_code_id']],
    ['end', ['expires_at']],
  ] as const)
    await db.schema
      .createIndex(`${table}_${name}_index`)
      .on(table)
      .columns([...columns])
      .execute();
}
