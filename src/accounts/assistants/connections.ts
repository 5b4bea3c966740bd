import { type InferResult, type Kysely, sql } from 'kysely';
import type { Assistant, OwnAssistant } from '../../contract/answers.ts';
import { DomainError } from '../../errors.ts';
import type { Role } from '../../contract/roles.ts';
import type { KeyOwner } from '../../organizations/keys.ts';
import { isUuid } from '../../organizations/uuid.ts';
import type { Schema } from '../../storage/schema.ts';
import { hostOf } from './registration.ts';
import { hashOfAccessToken } from './tokens.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const LAST_USED_STEP = MINUTE;
/** Milliseconds for which an ended token is still known, so that its program learns to refresh. */
const KNOWN_AFTER_END = DAY;
/** Milliseconds after which a program that nobody connected is forgotten. */
const UNUSED_CLIENT = DAY;
/** Milliseconds after which a program without a connection is forgotten, if it had one. */
const FORMER_CLIENT = 90 * DAY;

/** A code that a program exchanges for tokens. */
interface Exchange {
  clientId: string;
  userId: string;
  organizationId: string;
}

/** The programs that people connected by OAuth. */
export interface Connections {
  /**
   * The person of an access token, with the present role in the organization that was chosen.
   * @param resource the address at which it is used
   * @returns null for an unknown token, for another address, and where the person left
   * @throws DomainError UNAUTHORIZED for a token that has expired: no guess, but time to refresh
   */
  authenticate(token: string, resource: string): Promise<KeyOwner | null>;
  /** The person of a connection in force, by its id. null for an unknown id. */
  identify(connectionId: string): Promise<KeyOwner | null>;
  /** Whether the person still allows it. */
  isConnected(exchange: Exchange): Promise<boolean>;
  /** A person's connections, the latest first. */
  of(userId: string): Promise<OwnAssistant[]>;
  /**
   * Ends a connection of a person with all its tokens, at once.
   * @throws DomainError NOT_FOUND
   */
  end(assistantId: string, userId: string): Promise<OwnAssistant>;
  /** Ends all connections of a person. */
  endAll(userId: string): Promise<void>;
  /** Removes what has expired, and programs that nobody connected. */
  prune(): Promise<void>;
}

export function createConnections(db: Kysely<Schema>): Connections {
  return {
    async authenticate(token, resource) {
      const hash = hashOfAccessToken(token);
      const found = hash === null ? undefined : await find(db, hash);
      if (!found || !addressesOf(found.resources).includes(resource)) return null;
      if (found.revoked !== null || found.expires_at <= new Date())
        throw new DomainError('UNAUTHORIZED', 'The token has expired', {
          reason: 'the token has expired: refresh it',
        });
      await noteUse(db, found, new Date());
      return presentOwner(found);
    },

    async identify(connectionId) {
      if (!isUuid(connectionId)) return null;
      const found = await connectionsIn(db).where('c.id', '=', connectionId).executeTakeFirst();
      return found ? presentOwner(found) : null;
    },

    async isConnected({ clientId, userId, organizationId }) {
      if (!isUuid(organizationId)) return false;
      const found = db
        .selectFrom('oauth_connections')
        .select('id')
        .where('client_id', '=', clientId)
        .where('user_id', '=', userId)
        .where('organization_id', '=', organizationId);
      return (await found.executeTakeFirst()) !== undefined;
    },

    of: async (userId) =>
      (await connectionsIn(db).where('c.user_id', '=', userId).execute()).map(presentOwn),
    end: async (assistantId, userId) =>
      presentOwn(await endOne(db, assistantId, connectionsIn(db).where('c.user_id', '=', userId))),

    endAll: (userId) => endConnectionsOf(db, userId),
    prune: () => prune(db, new Date()),
  };
}

const presentOwner = (found: {
  id: string;
  organization_id: string;
  user_id: string;
  role: string;
}): KeyOwner => ({
  keyId: found.id,
  organizationId: found.organization_id,
  userId: found.user_id,
  role: found.role as Role,
  countsFor: found.user_id,
});

const find = (db: Kysely<Schema>, hash: string) =>
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

const addressesOf = (resources: string | null) => JSON.parse(resources ?? '[]') as string[];

/** Stores the time of the last use, at most once a minute. */
async function noteUse(
  db: Kysely<Schema>,
  { id, last_used_at }: { id: string; last_used_at: Date | null },
  at: Date,
): Promise<void> {
  if (last_used_at && at.getTime() - last_used_at.getTime() < LAST_USED_STEP) return;
  await db
    .updateTable('oauth_connections')
    .set({ last_used_at: at })
    .where('id', '=', id)
    .execute();
}

/** Connections, the latest first. */
export const connectionsIn = (db: Kysely<Schema>) =>
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

type Found = ReturnType<typeof connectionsIn>;
type Row = InferResult<Found>[number];

export const presentConnection = (row: Row): Assistant => ({
  assistantId: row.id,
  name: row.name,
  hosts: [...new Set(addressesOf(row.redirect_uris).flatMap((each) => hostOf(each) ?? []))],
  person: { userId: row.user_id, name: row.person, email: row.email },
  role: row.role as Role,
  connectedAt: row.created_at.toISOString(),
  lastUsedAt: row.last_used_at?.toISOString() ?? null,
});

const presentOwn = (row: Row): OwnAssistant => ({
  ...presentConnection(row),
  organization: { organizationId: row.organization_id, name: row.organization },
});

/**
 * Ends one of some connections, with all its tokens.
 * @throws DomainError NOT_FOUND
 */
export async function endOne(db: Kysely<Schema>, assistantId: string, of: Found): Promise<Row> {
  const found = isUuid(assistantId)
    ? await of.where('c.id', '=', assistantId).executeTakeFirst()
    : undefined;
  if (!found) throw new DomainError('NOT_FOUND', 'Assistant not found');
  await db.deleteFrom('oauth_connections').where('id', '=', found.id).execute();
  return found;
}

/** Ends all connections of a person, with their tokens. */
export async function endConnectionsOf(db: Kysely<Schema>, userId: string): Promise<void> {
  await db.deleteFrom('oauth_connections').where('user_id', '=', userId).execute();
}

async function prune(db: Kysely<Schema>, at: Date): Promise<void> {
  const before = (ms: number) => new Date(at.getTime() - ms);
  const known = before(KNOWN_AFTER_END);
  await db.deleteFrom('oauth_access_tokens').where('expires_at', '<', known).execute();
  await db.deleteFrom('oauth_refresh_tokens').where('expires_at', '<', known).execute();
  await forgetReplays(db, at);
  await db
    .deleteFrom('oauth_connections as c')
    .where('c.updated_at', '<', before(HOUR))
    .where((where) => where.not(where.exists(tokensOfConnection(db))))
    .execute();
  await db
    .deleteFrom('oauth_clients as p')
    .where((where) =>
      where.or([
        where('p.used_at', '<', before(FORMER_CLIENT)),
        where.and([
          where('p.used_at', 'is', null),
          where('p.created_at', '<', before(UNUSED_CLIENT)),
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

/** Removes answers to refreshes that may not be repeated any more. */
export async function forgetReplays(db: Kysely<Schema>, at: Date): Promise<void> {
  await db
    .updateTable('oauth_refresh_tokens')
    .set({ rotation_replay_response: null })
    .where('rotation_replay_response', 'is not', null)
    .where('rotation_replay_expires_at', '<', at)
    .execute();
}
