import type { Kysely } from 'kysely';
import { DomainError } from '../errors.ts';
import type { RowChanges } from '../storage/rowChanges.ts';
import { createRowCache } from '../storage/rowCache.ts';
import type { Schema } from '../storage/schema.ts';
import { hashOfApiKey, isApiKey } from './apiKey.ts';
import {
  insertKey,
  isKeyInForce,
  type ApiKey,
  type ApiKeyRow,
  type IssuedApiKey,
  type NewApiKey,
  presentKey,
} from './apiKeyRows.ts';
import { createOrganizations } from './organizations.ts';
import type { Role } from '../contract/roles.ts';
import { isUuid } from './uuid.ts';

/** Milliseconds between two stored times of a key's use. */
const LAST_USED_STEP = 60_000;

/** What a valid key or access token stands for: an organization and a role in it. */
export interface KeyOwner {
  keyId: string;
  organizationId: string;
  role: Role;
  /** The person, for a session's key. Absent for other keys. */
  userId?: string;
  /**
   * The id of the person or the first key that made the key, whose limits it counts for. Absent: it
   * counts for itself.
   */
  countsFor?: string;
}

export interface ApiKeys {
  /**
   * Makes a key. Only this result contains the key itself.
   * @throws DomainError NOT_FOUND for an unknown organization, INVALID_INPUT for an expiry in the
   *   past
   */
  create(key: NewApiKey): Promise<IssuedApiKey>;
  /**
   * The key's owner; null for an unknown, revoked or expired key (docs/contract.md, section 3).
   */
  authenticate(token: string): Promise<KeyOwner | null>;
  /**
   * Like `authenticate`, by the key's id: for a later check of something that the key allowed. Does
   * not count as a use of the key.
   */
  identify(keyId: string): Promise<KeyOwner | null>;
  /**
   * The keys of one organization, or of all, the oldest first. Leaves out session keys.
   * @throws DomainError NOT_FOUND for an unknown organization
   */
  list(organizationId?: string): Promise<ApiKey[]>;
  /**
   * Ends a key at once. Repeatable.
   * @throws DomainError NOT_FOUND for an unknown key
   */
  revoke(keyId: string): Promise<ApiKey>;
  /** Clears the cache of keys. For callers that changed keys in this process. */
  forget(): void;
}

interface ApiKeyOptions {
  /**
   * Notifications of changed rows. With them, `authenticate` answers from rows that it read before,
   * unless they changed.
   */
  changes?: RowChanges;
}

/**
 * The API keys of all organizations, for the operator's commands and for authentication. The keys
 * that an organization's own members manage are in teamKeys.ts.
 */
export function createKeys(db: Kysely<Schema>, { changes }: ApiKeyOptions = {}): ApiKeys {
  const keyCache = createRowCache<ApiKeyRow>('api_keys', changes);
  const findByToken = (token: string) => {
    const keyHash = hashOfApiKey(token);
    return keyCache.get(keyHash, () => findKeyRow(db, 'hash', keyHash));
  };

  return {
    async create(key) {
      await createOrganizations(db).get(key.organizationId);
      return insertKey(db, key, new Date());
    },

    async authenticate(token) {
      const key = isApiKey(token) ? await findByToken(token) : undefined;
      if (!key || !isKeyInForce(key, new Date())) return null;
      await noteKeyUse(db, key, new Date());
      return keyOwnerOf(key);
    },

    async identify(keyId) {
      const key = isUuid(keyId) ? await findKeyRow(db, 'id', keyId) : undefined;
      return key && isKeyInForce(key, new Date()) ? keyOwnerOf(key) : null;
    },

    async list(organizationId) {
      const allKeys = db.selectFrom('api_keys').selectAll().where('session_id', 'is', null);
      let keyQuery = allKeys.orderBy('created_at').orderBy('id');
      if (organizationId !== undefined) {
        await createOrganizations(db).get(organizationId);
        keyQuery = keyQuery.where('organization_id', '=', organizationId);
      }
      return (await keyQuery.execute()).map(presentKey);
    },

    async revoke(keyId) {
      const revokedKey = isUuid(keyId) ? await revokeOnce(db, keyId, new Date()) : undefined;
      keyCache.forget();
      if (!revokedKey) throw new DomainError('NOT_FOUND', `Key ${keyId} not found`);
      return presentKey(revokedKey);
    },

    forget: () => keyCache.forget(),
  };
}

const findKeyRow = (
  db: Kysely<Schema>,
  column: 'hash' | 'id',
  value: string,
): Promise<ApiKeyRow | undefined> =>
  db.selectFrom('api_keys').selectAll().where(column, '=', value).executeTakeFirst();

/**
 * Stores the time of a key's last use, at most once a minute in all processes together. Also sets
 * it on `keyRow`, which may be cached.
 */
async function noteKeyUse(db: Kysely<Schema>, keyRow: ApiKeyRow, usedAt: Date): Promise<void> {
  if (keyRow.last_used_at && usedAt.getTime() - keyRow.last_used_at.getTime() < LAST_USED_STEP)
    return;
  const lastStored = new Date(usedAt.getTime() - LAST_USED_STEP);
  await db
    .updateTable('api_keys')
    .set({ last_used_at: usedAt })
    .where('id', '=', keyRow.id)
    .where((where) =>
      where.or([where('last_used_at', 'is', null), where('last_used_at', '<=', lastStored)]),
    )
    .execute();
  keyRow.last_used_at = usedAt;
}

function revokeOnce(
  db: Kysely<Schema>,
  keyId: string,
  revokedAt: Date,
): Promise<ApiKeyRow | undefined> {
  return db
    .updateTable('api_keys')
    .set((column) => ({ revoked_at: column.fn.coalesce('revoked_at', column.val(revokedAt)) }))
    .where('id', '=', keyId)
    .returningAll()
    .executeTakeFirst();
}

const keyOwnerOf = (keyRow: ApiKeyRow): KeyOwner => ({
  keyId: keyRow.id,
  organizationId: keyRow.organization_id,
  role: keyRow.role as Role,
  ...(keyRow.user_id != null && { userId: keyRow.user_id }),
  ...(keyRow.counts_for !== null && { countsFor: keyRow.counts_for }),
});
