import { type Kysely, sql } from 'kysely';

/** People, how they sign in, their sessions, and which organizations they belong to in which role. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createUsers(db);
  await createMembers(db);
  await createLinks(db);
  await bindKeys(db);
}

/** The tables of better-auth, with our names. */
async function createUsers(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('users')
    .addColumn('id', 'uuid', (column) => column.primaryKey())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('email', 'text', (column) => column.notNull().unique())
    .addColumn('email_verified', 'boolean', (column) => column.notNull())
    .addColumn('image', 'text')
    .addColumn('created_at', 'timestamptz', (column) => column.notNull())
    .addColumn('updated_at', 'timestamptz', (column) => column.notNull())
    .execute();
  await db.schema
    .createTable('sessions')
    .addColumn('id', 'uuid', (column) => column.primaryKey())
    .addColumn('user_id', 'uuid', (column) => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('token', 'text', (column) => column.notNull().unique())
    .addColumn('expires_at', 'timestamptz', (column) => column.notNull())
    .addColumn('ip_address', 'text')
    .addColumn('user_agent', 'text')
    .addColumn('created_at', 'timestamptz', (column) => column.notNull())
    .addColumn('updated_at', 'timestamptz', (column) => column.notNull())
    .execute();
  await db.schema.createIndex('sessions_user').on('sessions').column('user_id').execute();
  await db.schema
    .createTable('user_accounts')
    .addColumn('id', 'uuid', (column) => column.primaryKey())
    .addColumn('user_id', 'uuid', (column) => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('account_id', 'text', (column) => column.notNull())
    .addColumn('provider_id', 'text', (column) => column.notNull())
    .addColumn('access_token', 'text')
    .addColumn('refresh_token', 'text')
    .addColumn('id_token', 'text')
    .addColumn('access_token_expires_at', 'timestamptz')
    .addColumn('refresh_token_expires_at', 'timestamptz')
    .addColumn('scope', 'text')
    .addColumn('password', 'text')
    .addColumn('created_at', 'timestamptz', (column) => column.notNull())
    .addColumn('updated_at', 'timestamptz', (column) => column.notNull())
    .addUniqueConstraint('user_accounts_key', ['provider_id', 'account_id'])
    .execute();
  await db.schema.createIndex('user_accounts_user').on('user_accounts').column('user_id').execute();
  await db.schema
    .createTable('verifications')
    .addColumn('id', 'uuid', (column) => column.primaryKey())
    .addColumn('identifier', 'text', (column) => column.notNull())
    .addColumn('value', 'text', (column) => column.notNull())
    .addColumn('expires_at', 'timestamptz', (column) => column.notNull())
    .addColumn('created_at', 'timestamptz', (column) => column.notNull())
    .addColumn('updated_at', 'timestamptz', (column) => column.notNull())
    .execute();
  await db.schema.createIndex('verifications_identifier').on('verifications').column('identifier').execute();
}

const oneOfRoles = sql`role in ('viewer', 'member', 'admin', 'owner')`;

async function createMembers(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('members')
    .addColumn('id', 'uuid', (column) => column.primaryKey())
    .addColumn('organization_id', 'uuid', (column) => column.notNull().references('organizations.id'))
    .addColumn('user_id', 'uuid', (column) => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('role', 'text', (column) => column.notNull().check(oneOfRoles))
    .addColumn('created_at', 'timestamptz', (column) => column.notNull())
    .addUniqueConstraint('members_key', ['organization_id', 'user_id'])
    .execute();
  await db.schema.createIndex('members_user').on('members').column('user_id').execute();
  await db.schema
    .createTable('invitations')
    .addColumn('id', 'uuid', (column) => column.primaryKey())
    .addColumn('organization_id', 'uuid', (column) => column.notNull().references('organizations.id'))
    .addColumn('email', 'text', (column) => column.notNull())
    .addColumn('role', 'text', (column) => column.notNull().check(oneOfRoles))
    .addColumn('invited_by', 'uuid', (column) => column.references('users.id').onDelete('set null'))
    .addColumn('created_at', 'timestamptz', (column) => column.notNull())
    .addColumn('expires_at', 'timestamptz', (column) => column.notNull())
    .addUniqueConstraint('invitations_key', ['organization_id', 'email'])
    .execute();
  await db.schema.createIndex('invitations_email').on('invitations').column('email').execute();
}

async function createLinks(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('one_time_links')
    .addColumn('hash', 'text', (column) => column.primaryKey())
    .addColumn('user_id', 'uuid', (column) => column.references('users.id').onDelete('cascade'))
    .addColumn('organization_id', 'uuid', (column) => column.references('organizations.id').onDelete('cascade'))
    .addColumn('proves_email', 'boolean', (column) => column.notNull())
    .addColumn('created_at', 'timestamptz', (column) => column.notNull())
    .addColumn('expires_at', 'timestamptz', (column) => column.notNull())
    .execute();
}

/**
 * A key that a session minted ends with the session. It also ends when the person leaves the organization or gets
 * another role there, and the sessions of a person end with the last organization. The database sees to it, so that it
 * holds whoever makes the change; the trigger of api_keys then tells all processes.
 */
async function bindKeys(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('api_keys')
    .addColumn('user_id', 'uuid', (column) => column.references('users.id').onDelete('cascade'))
    .addColumn('session_id', 'uuid', (column) => column.references('sessions.id').onDelete('cascade'))
    .execute();
  await db.schema.createIndex('api_keys_session').on('api_keys').column('session_id').execute();
  await sql`
    create function end_membership() returns trigger language plpgsql as $$
    begin
      delete from api_keys
      where user_id = old.user_id and organization_id = old.organization_id and session_id is not null;
      if tg_op = 'DELETE' and not exists (select from members where user_id = old.user_id) then
        delete from sessions where user_id = old.user_id;
      end if;
      return null;
    end $$`.execute(db);
  await sql`
    create trigger ended_memberships after delete or update of role, organization_id, user_id
    on members for each row execute function end_membership()`.execute(db);
}
