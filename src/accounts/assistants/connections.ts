import { type InferResult, type Kysely, sql } from 'kysely';
import type { ConnectedAssistant, PersonalAssistant } from '../../contract/responses.ts';
import { DomainError } from '../../errors.ts';
import type { Role } from '../../contract/roles.ts';
import type { KeyOwner } from '../../organizations/apiKeys.ts';
import { isUuid } from '../../organizations/uuid.ts';
import type { Schema } from '../../storage/schema.ts';
import { redirectHost } from './registration.ts';
import { hashOfAccessToken } from './tokens.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const LAST_USED_PRECISION_MS = MINUTE;
/** Milliseconds for which an expired token is kept, so that its program hears that it expired. */
const EXPIRED_TOKEN_RETENTION_MS = DAY;
/** Milliseconds after which a program that nobody connected is removed. */
const UNUSED_CLIENT_RETENTION_MS = DAY;
/** Milliseconds since the last new connection after which a program without any is removed. */
const FORMER_CLIENT_RETENTION_MS = 90 * DAY;

/** What a connection consists of: a program, a person and an organization. */
interface ConnectionIdentity {
  clientId: string;
  userId: string;
  organizationId: string;
}

/**
 * The connections of programs. A connection is a person's permission for one program to act in one
 * organization. The API calls it an assistant (assistants.ts).
 */
export interface AssistantConnections {
  /**
   * Finds whom an access token acts for: the person, the organization, and the person's current
   * role there.
   * @param resource the URL at which the token is used
   * @returns null for an unknown token, for a token of another URL, and if the person is not a
   *   member any more
   * @throws DomainError UNAUTHORIZED for a token that has expired or was revoked. The program then
   *   uses its refresh token
   */
  authenticate(token: string, resource: string): Promise<KeyOwner | null>;
  /** Like `authenticate`, by the id of a connection. null if there is no such connection. */
  identify(connectionId: string): Promise<KeyOwner | null>;
  /** Whether there still is such a connection. */
  isConnected(identity: ConnectionIdentity): Promise<boolean>;
  /** A person's connections, the latest first. */
  of(userId: string): Promise<PersonalAssistant[]>;
  /**
   * Ends a connection of a person with all its tokens, at once.
   * @throws DomainError NOT_FOUND
   */
  end(assistantId: string, userId: string): Promise<PersonalAssistant>;
  /** Ends all connections of a person. */
  endAll(userId: string): Promise<void>;
  /** Removes expired tokens, connections without tokens, and programs without connections. */
  prune(): Promise<void>;
}

export function createConnections(db: Kysely<Schema>): AssistantConnections {
  return {
    async authenticate(token, resource) {
      const tokenHash = hashOfAccessToken(token);
      const foundConnection = tokenHash === null ? undefined : await findToken(db, tokenHash);
      if (!foundConnection || !parseUrls(foundConnection.resources).includes(resource)) return null;
      if (foundConnection.revoked !== null || foundConnection.expires_at <= new Date())
        throw new DomainError('UNAUTHORIZED', 'The token has expired', {
          reason: 'The token has expired. Refresh it.',
        });
      await noteConnectionUse(db, foundConnection, new Date());
      return presentOwner(foundConnection);
    },

    async identify(connectionId) {
      if (!isUuid(connectionId)) return null;
      const foundConnection = await selectConnections(db)
        .where('c.id', '=', connectionId)
        .executeTakeFirst();
      return foundConnection ? presentOwner(foundConnection) : null;
    },

    async isConnected({ clientId, userId, organizationId }) {
      if (!isUuid(organizationId)) return false;
      const connectionQuery = db
        .selectFrom('oauth_connections')
        .select('id')
        .where('client_id', '=', clientId)
        .where('user_id', '=', userId)
        .where('organization_id', '=', organizationId);
      return (await connectionQuery.executeTakeFirst()) !== undefined;
    },

    of: async (userId) =>
      (await selectConnections(db).where('c.user_id', '=', userId).execute()).map(
        presentPersonalAssistant,
      ),
    end: async (assistantId, userId) =>
      presentPersonalAssistant(
        await endConnection(db, assistantId, selectConnections(db).where('c.user_id', '=', userId)),
      ),

    endAll: (userId) => endConnectionsOf(db, userId),
    prune: () => pruneConnections(db, new Date()),
  };
}

/** The caller behind a token. The id of the connection takes the place of an API key's id. */
const presentOwner = (foundConnection: {
  id: string;
  organization_id: string;
  user_id: string;
  role: string;
}): KeyOwner => ({
  keyId: foundConnection.id,
  organizationId: foundConnection.organization_id,
  userId: foundConnection.user_id,
  role: foundConnection.role as Role,
  countsFor: foundConnection.user_id,
});

const findToken = (db: Kysely<Schema>, hash: string) =>
  db
    .selectFrom('oauth_access_tokens as t')
    .innerJoin('oauth_connections as c', (join) =>
      join
        .onRef('c.client_id', '=', 't.client_id')
        .onRef('c.user_id', '=', 't.user_id')
        .onRef('c.organization_id', '=', 't.organization_id'),
    )
    .innerJoin('members as m', (join) =>
      join
        .onRef('m.user_id', '=', 'c.user_id')
        .onRef('m.organization_id', '=', 'c.organization_id'),
    )
    .select(['c.id', 'c.organization_id', 'c.user_id', 'c.last_used_at', 'm.role'])
    .select(['t.resources', 't.revoked', 't.expires_at'])
    .where('t.token', '=', hash)
    .executeTakeFirst();

const parseUrls = (resources: string | null) => JSON.parse(resources ?? '[]') as string[];

/** Stores the time of the last use, at most once a minute. */
async function noteConnectionUse(
  db: Kysely<Schema>,
  { id, last_used_at }: { id: string; last_used_at: Date | null },
  usedAt: Date,
): Promise<void> {
  if (last_used_at && usedAt.getTime() - last_used_at.getTime() < LAST_USED_PRECISION_MS) return;
  await db
    .updateTable('oauth_connections')
    .set({ last_used_at: usedAt })
    .where('id', '=', id)
    .execute();
}

/** A query of all connections, the latest first, to which callers add their conditions. */
export const selectConnections = (db: Kysely<Schema>) =>
  db
    .selectFrom('oauth_connections as c')
    .innerJoin('oauth_clients as p', 'p.client_id', 'c.client_id')
    .innerJoin('organizations as o', 'o.id', 'c.organization_id')
    .innerJoin('users as u', 'u.id', 'c.user_id')
    .innerJoin('members as m', (join) =>
      join
        .onRef('m.user_id', '=', 'c.user_id')
        .onRef('m.organization_id', '=', 'c.organization_id'),
    )
    .select(['c.id', 'c.created_at', 'c.last_used_at', 'p.name', 'p.redirect_uris'])
    .select(['o.id as organization_id', 'o.name as organization', 'm.role'])
    .select(['u.id as user_id', 'u.name as person', 'u.email'])
    .orderBy('c.created_at', 'desc')
    .orderBy('c.id', 'desc');

type ConnectionQuery = ReturnType<typeof selectConnections>;
type ConnectionRow = InferResult<ConnectionQuery>[number];

export const presentConnection = (row: ConnectionRow): ConnectedAssistant => ({
  assistantId: row.id,
  name: row.name,
  hosts: [
    ...new Set(
      parseUrls(row.redirect_uris).flatMap((redirectUri) => redirectHost(redirectUri) ?? []),
    ),
  ],
  person: { userId: row.user_id, name: row.person, email: row.email },
  role: row.role as Role,
  connectedAt: row.created_at.toISOString(),
  lastUsedAt: row.last_used_at?.toISOString() ?? null,
});

const presentPersonalAssistant = (row: ConnectionRow): PersonalAssistant => ({
  ...presentConnection(row),
  organization: { organizationId: row.organization_id, name: row.organization },
});

/**
 * Ends a connection with all its tokens.
 * @param connectionQuery the connections that the caller may end
 * @throws DomainError NOT_FOUND if the connection is not one of these
 */
export async function endConnection(
  db: Kysely<Schema>,
  assistantId: string,
  connectionQuery: ConnectionQuery,
): Promise<ConnectionRow> {
  const foundConnection = isUuid(assistantId)
    ? await connectionQuery.where('c.id', '=', assistantId).executeTakeFirst()
    : undefined;
  if (!foundConnection) throw new DomainError('NOT_FOUND', 'Assistant not found');
  await db.deleteFrom('oauth_connections').where('id', '=', foundConnection.id).execute();
  return foundConnection;
}

/** Ends all connections of a person, with their tokens. */
export async function endConnectionsOf(db: Kysely<Schema>, userId: string): Promise<void> {
  await db.deleteFrom('oauth_connections').where('user_id', '=', userId).execute();
}

async function pruneConnections(db: Kysely<Schema>, currentTime: Date): Promise<void> {
  const timeBefore = (ms: number) => new Date(currentTime.getTime() - ms);
  const endedBefore = timeBefore(EXPIRED_TOKEN_RETENTION_MS);
  await db.deleteFrom('oauth_access_tokens').where('expires_at', '<', endedBefore).execute();
  await db.deleteFrom('oauth_refresh_tokens').where('expires_at', '<', endedBefore).execute();
  await forgetReplays(db, currentTime);
  await db
    .deleteFrom('oauth_connections as c')
    .where('c.updated_at', '<', timeBefore(HOUR))
    .where((where) => where.not(where.exists(tokensOfConnection(db))))
    .execute();
  await db
    .deleteFrom('oauth_clients as p')
    .where((where) =>
      where.or([
        where('p.used_at', '<', timeBefore(FORMER_CLIENT_RETENTION_MS)),
        where.and([
          where('p.used_at', 'is', null),
          where('p.created_at', '<', timeBefore(UNUSED_CLIENT_RETENTION_MS)),
        ]),
      ]),
    )
    .where('p.client_id', 'not in', db.selectFrom('oauth_connections').select('client_id'))
    .execute();
}

const tokensOfConnection = (db: Kysely<Schema>) =>
  db
    .selectFrom('oauth_refresh_tokens as t')
    .select('t.id')
    .where(sql<boolean>`t.client_id = c.client_id`)
    .where(sql<boolean>`t.user_id = c.user_id`)
    .where(sql<boolean>`t.organization_id = c.organization_id`);

/** Removes the stored answers to those refreshes that a program can no longer repeat. */
export async function forgetReplays(db: Kysely<Schema>, currentTime: Date): Promise<void> {
  await db
    .updateTable('oauth_refresh_tokens')
    .set({ rotation_replay_response: null })
    .where('rotation_replay_response', 'is not', null)
    .where('rotation_replay_expires_at', '<', currentTime)
    .execute();
}
