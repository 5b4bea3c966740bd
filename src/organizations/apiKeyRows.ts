import { randomUUID } from 'node:crypto';
import type { Kysely, Selectable } from 'kysely';
import { creatorIds, type Creator, creatorFromIds } from '../contract/creator.ts';
import { DomainError } from '../errors.ts';
import type { Schema } from '../storage/schema.ts';
import { hashOfApiKey, newApiKey, keyPrefix } from './apiKey.ts';
import type { Role } from '../contract/roles.ts';
import { lockOrganization } from './locks.ts';

export type ApiKeyRow = Selectable<Schema['api_keys']>;

/** What people see of an API key: neither the key nor its hash. Times are ISO 8601, UTC. */
export interface ApiKey {
  keyId: string;
  organizationId: string;
  /** Its first characters. */
  prefix: string;
  role: Role;
  name: string | null;
  /** null: an operator's command made it. */
  createdBy: Creator | null;
  createdAt: string;
  lastUsedAt: string | null;
  expiresAt: string | null;
  revokedAt: string | null;
}

export interface NewApiKey {
  organizationId: string;
  role: Role;
  name?: string | null | undefined;
  expires?: Date | null | undefined;
  createdBy?: Creator | null | undefined;
  /**
   * The id of the person or key whose limits and quota it counts for. Absent: it counts for itself.
   */
  countsFor?: string | undefined;
  /** The person's session that it is minted for, and ends with. */
  session?: { userId: string; sessionId: string };
}

/** A new key, with the key itself. It can't be shown again later. */
export type IssuedApiKey = ApiKey & { apiKey: string };

/**
 * Makes an API key and stores its hash.
 * @returns the key itself too, which the database does not have
 * @throws DomainError INVALID_INPUT for an expiry in the past
 */
export async function insertKey(
  db: Kysely<Schema>,
  {
    organizationId,
    role,
    name = null,
    expires: expiresAt = null,
    createdBy,
    countsFor,
    session,
  }: NewApiKey,
  createdAt: Date,
): Promise<IssuedApiKey> {
  if (expiresAt && expiresAt <= createdAt)
    throw new DomainError(
      'INVALID_INPUT',
      `The expiry of a key must be in the future, not ${expiresAt.toISOString()}`,
    );
  const apiKey = newApiKey();
  const { userId, keyId: madeByKey } = creatorIds(createdBy);
  const insertedRow = await db
    .insertInto('api_keys')
    .values({
      id: randomUUID(),
      organization_id: organizationId,
      role,
      name,
      hash: hashOfApiKey(apiKey),
      prefix: keyPrefix(apiKey),
      created_at: createdAt,
      expires_at: expiresAt,
      created_by_user: userId,
      created_by_key: madeByKey,
      counts_for: countsFor ?? null,
      user_id: session?.userId ?? null,
      session_id: session?.sessionId ?? null,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  return { ...presentKey(insertedRow), apiKey };
}

export const isKeyInForce = (
  { revoked_at: revokedAt, expires_at: expiresAt }: ApiKeyRow,
  currentTime: Date,
): boolean => revokedAt === null && (expiresAt === null || expiresAt > currentTime);

/**
 * Begins a change to an organization's members or keys. Waits until other such changes have ended.
 * Checks the caller's key again: a key that has ended meanwhile must not make a new key that still
 * works.
 * @param caller.keyId the caller's key. Absent if the caller used no key
 * @throws DomainError UNAUTHORIZED if the key has ended meanwhile
 */
export async function beginChange(
  trx: Kysely<Schema>,
  { organizationId, keyId }: { organizationId: string; keyId?: string | undefined },
  currentTime: Date,
): Promise<void> {
  await lockOrganization(trx, organizationId);
  if (keyId === undefined) return;
  const callerKey = await trx
    .selectFrom('api_keys')
    .selectAll()
    .where('id', '=', keyId)
    .forShare()
    .executeTakeFirst();
  if (!callerKey || !isKeyInForce(callerKey, currentTime)) throw keyHasEnded();
}

/** The error for a key that ended after the request began. */
export const keyHasEnded = () =>
  new DomainError('UNAUTHORIZED', 'The API key expired or was revoked during the request');

export function presentKey(keyRow: ApiKeyRow): ApiKey {
  return {
    keyId: keyRow.id,
    organizationId: keyRow.organization_id,
    prefix: keyRow.prefix,
    role: keyRow.role as Role,
    name: keyRow.name,
    createdBy: keyCreator(keyRow),
    createdAt: keyRow.created_at.toISOString(),
    lastUsedAt: keyRow.last_used_at?.toISOString() ?? null,
    expiresAt: keyRow.expires_at?.toISOString() ?? null,
    revokedAt: keyRow.revoked_at?.toISOString() ?? null,
  };
}

/** A key in words, for the audit log. */
export const keyTitle = ({ name, prefix, role }: ApiKey) => `${name ?? prefix} (${role})`;

export const keyCreator = ({ created_by_user, created_by_key }: ApiKeyRow): Creator | null =>
  creatorFromIds(created_by_user, created_by_key);

/**
 * Finds the creator to record for what a caller creates: the person who asks, or who made the key
 * that asks. If a program made that key, the creator is the key.
 */
export async function findCreator(
  db: Kysely<Schema>,
  { userId, keyId }: { userId?: string | undefined; keyId: string },
): Promise<Creator> {
  if (userId !== undefined) return { userId };
  const callerKey = await db
    .selectFrom('api_keys')
    .selectAll()
    .where('id', '=', keyId)
    .executeTakeFirst();
  const creator = callerKey && keyCreator(callerKey);
  return creator && 'userId' in creator ? creator : { keyId };
}
