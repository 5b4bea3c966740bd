import { randomUUID } from 'node:crypto';
import type { Kysely, Selectable } from 'kysely';
import { idsOf, type Maker, makerFrom } from '../contract/maker.ts';
import { DomainError } from '../errors.ts';
import type { Schema } from '../storage/schema.ts';
import { hashOfApiKey, newApiKey, prefixOf } from './apiKey.ts';
import type { Role } from '../contract/roles.ts';
import { lockOrganization } from './locks.ts';

export type KeyRow = Selectable<Schema['api_keys']>;

/** A key as its owners see it: neither the key itself nor its hash. Times are ISO 8601, UTC. */
export interface Key {
  keyId: string;
  organizationId: string;
  /** Its first characters. */
  prefix: string;
  role: Role;
  name: string | null;
  /** null: an operator's command made it. */
  createdBy: Maker | null;
  createdAt: string;
  lastUsedAt: string | null;
  expiresAt: string | null;
  revokedAt: string | null;
}

export interface NewKey {
  organizationId: string;
  role: Role;
  name?: string | null | undefined;
  expires?: Date | null | undefined;
  createdBy?: Maker | null | undefined;
  /**
   * The id of the person or key whose limits and quota it counts for. Absent: it counts for itself.
   */
  countsFor?: string | undefined;
  /** The person's session that it is minted for, and ends with. */
  session?: { userId: string; sessionId: string };
}

/** A new key, with the key itself. It can't be shown again later. */
export type MadeKey = Key & { apiKey: string };

/** @throws DomainError INVALID_INPUT for an expiry in the past */
export async function insertKey(
  db: Kysely<Schema>,
  { organizationId, role, name = null, expires = null, createdBy, countsFor, session }: NewKey,
  at: Date,
): Promise<MadeKey> {
  if (expires && expires <= at)
    throw new DomainError(
      'INVALID_INPUT',
      `A key's expiry must be in the future, not ${expires.toISOString()}`,
    );
  const apiKey = newApiKey();
  const { userId, keyId: madeByKey } = idsOf(createdBy);
  const row = await db
    .insertInto('api_keys')
    .values({
      id: randomUUID(),
      organization_id: organizationId,
      role,
      name,
      hash: hashOfApiKey(apiKey),
      prefix: prefixOf(apiKey),
      created_at: at,
      expires_at: expires,
      created_by_user: userId,
      created_by_key: madeByKey,
      counts_for: countsFor ?? null,
      user_id: session?.userId ?? null,
      session_id: session?.sessionId ?? null,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  return { ...presentKey(row), apiKey };
}

export const isInForce = ({ revoked_at: revoked, expires_at: ends }: KeyRow, at: Date): boolean =>
  revoked === null && (ends === null || ends > at);

/**
 * Begins a change to an organization's members or keys: such changes run one after another. Checks
 * the caller's key again, because a key that ended meanwhile must not make anything that still
 * works.
 * @param by.keyId the caller's key. Absent if the caller used no key
 * @throws DomainError UNAUTHORIZED if the key has ended meanwhile
 */
export async function beginChange(
  trx: Kysely<Schema>,
  { organizationId, keyId }: { organizationId: string; keyId?: string | undefined },
  at: Date,
): Promise<void> {
  await lockOrganization(trx, organizationId);
  if (keyId === undefined) return;
  const key = await trx
    .selectFrom('api_keys')
    .selectAll()
    .where('id', '=', keyId)
    .forShare()
    .executeTakeFirst();
  if (!key || !isInForce(key, at)) throw keyHasEnded();
}

/** The error for a key that ended after the request began. */
export const keyHasEnded = () => new DomainError('UNAUTHORIZED', 'The API key has ended meanwhile');

export function presentKey(row: KeyRow): Key {
  return {
    keyId: row.id,
    organizationId: row.organization_id,
    prefix: row.prefix,
    role: row.role as Role,
    name: row.name,
    createdBy: makerIn(row),
    createdAt: row.created_at.toISOString(),
    lastUsedAt: row.last_used_at?.toISOString() ?? null,
    expiresAt: row.expires_at?.toISOString() ?? null,
    revokedAt: row.revoked_at?.toISOString() ?? null,
  };
}

/** A key in words, for the audit log. */
export const titleOf = ({ name, prefix, role }: Key) => `${name ?? prefix} (${role})`;

export const makerIn = ({ created_by_user, created_by_key }: KeyRow): Maker | null =>
  makerFrom(created_by_user, created_by_key);

/**
 * The maker of what a caller makes: the person who asks, or who made the key that asks; otherwise
 * that key.
 */
export async function makerOf(
  db: Kysely<Schema>,
  { userId, keyId }: { userId?: string | undefined; keyId: string },
): Promise<Maker> {
  if (userId !== undefined) return { userId };
  const key = await db
    .selectFrom('api_keys')
    .selectAll()
    .where('id', '=', keyId)
    .executeTakeFirst();
  const maker = key && makerIn(key);
  return maker && 'userId' in maker ? maker : { keyId };
}
