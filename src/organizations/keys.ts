import type { Kysely } from 'kysely';
import { DomainError } from '../errors.ts';
import type { RowChanges } from '../storage/rowChanges.ts';
import { createRowCache } from '../storage/rowCache.ts';
import type { Schema } from '../storage/schema.ts';
import { hashOfApiKey, isApiKey } from './apiKey.ts';
import {
  insertKey,
  isInForce,
  type Key,
  type KeyRow as Row,
  type MadeKey,
  type NewKey,
  presentKey,
} from './keyRows.ts';
import { createOrganizations } from './organizations.ts';
import type { Role } from '../contract/roles.ts';
import { isUuid } from './uuid.ts';

const LAST_USED_STEP = 60_000;

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

export interface Keys {
  /**
   * Makes a key. Only this result contains the key itself.
   * @throws DomainError NOT_FOUND for an unknown organization, INVALID_INPUT for an expiry in the
   *   past
   */
  create(key: NewKey): Promise<MadeKey>;
  /**
   * The key's owner; null for an unknown, revoked or expired key (docs/contract.md, section 3).
   */
  authenticate(token: string): Promise<KeyOwner | null>;
  /**
   * Like `authenticate`, by the key's id: for a later check of something that the key allowed. Does
   * not count as a use of the key.
   */
  identify(keyId: string): Promise<KeyOwner | null>;
  /** The keys of one organization, or of all, the oldest first. Leaves out session keys. */
  list(organizationId?: string): Promise<Key[]>;
  /**
   * Ends a key at once. Repeatable.
   * @throws DomainError NOT_FOUND
   */
  revoke(keyId: string): Promise<Key>;
  /** Clears the cache of keys. For callers that changed keys in this process. */
  forget(): void;
}

interface Options {
  /**
   * Notifications of changed rows. With them, `authenticate` answers from rows that it read before,
   * unless they changed.
   */
  changes?: RowChanges;
}

export function createKeys(db: Kysely<Schema>, { changes }: Options = {}): Keys {
  const cache = createRowCache<Row>('api_keys', changes);
  const byToken = (token: string) => {
    const hash = hashOfApiKey(token);
    return cache.get(hash, () => find(db, 'hash', hash));
  };

  return {
    async create(key) {
      await createOrganizations(db).get(key.organizationId);
      return insertKey(db, key, new Date());
    },

    async authenticate(token) {
      const key = isApiKey(token) ? await byToken(token) : undefined;
      if (!key || !isInForce(key, new Date())) return null;
      await noteUse(db, key, new Date());
      return ownerOf(key);
    },

    async identify(keyId) {
      const key = isUuid(keyId) ? await find(db, 'id', keyId) : undefined;
      return key && isInForce(key, new Date()) ? ownerOf(key) : null;
    },

    async list(organizationId) {
      const all = db.selectFrom('api_keys').selectAll().where('session_id', 'is', null);
      let keys = all.orderBy('created_at').orderBy('id');
      if (organizationId !== undefined) {
        await createOrganizations(db).get(organizationId);
        keys = keys.where('organization_id', '=', organizationId);
      }
      return (await keys.execute()).map(presentKey);
    },

    async revoke(keyId) {
      const revoked = isUuid(keyId) ? await revokeOnce(db, keyId, new Date()) : undefined;
      cache.forget();
      if (!revoked) throw new DomainError('NOT_FOUND', `Key ${keyId} not found`);
      return presentKey(revoked);
    },

    forget: () => cache.forget(),
  };
}

const find = (db: Kysely<Schema>, column: 'hash' | 'id', value: string): Promise<Row | undefined> =>
  db.selectFrom('api_keys').selectAll().where(column, '=', value).executeTakeFirst();

/**
 * Stores the time of a key's last use, at most once a minute, also if other processes store it too.
 * Also sets it on `key`, which may be cached.
 */
async function noteUse(db: Kysely<Schema>, key: Row, at: Date): Promise<void> {
  if (key.last_used_at && at.getTime() - key.last_used_at.getTime() < LAST_USED_STEP) return;
  const before = new Date(at.getTime() - LAST_USED_STEP);
  await db
    .updateTable('api_keys')
    .set({ last_used_at: at })
    .where('id', '=', key.id)
    .where((where) =>
      where.or([where('last_used_at', 'is', null), where('last_used_at', '<=', before)]),
    )
    .execute();
  key.last_used_at = at;
}

function revokeOnce(db: Kysely<Schema>, keyId: string, at: Date): Promise<Row | undefined> {
  return db
    .updateTable('api_keys')
    .set((column) => ({ revoked_at: column.fn.coalesce('revoked_at', column.val(at)) }))
    .where('id', '=', keyId)
    .returningAll()
    .executeTakeFirst();
}

const ownerOf = (key: Row): KeyOwner => ({
  keyId: key.id,
  organizationId: key.organization_id,
  role: key.role as Role,
  ...(key.user_id != null && { userId: key.user_id }),
  ...(key.counts_for !== null && { countsFor: key.counts_for }),
});
