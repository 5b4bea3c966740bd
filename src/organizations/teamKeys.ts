import { type Kysely, sql } from 'kysely';
import { DomainError } from '../errors.ts';
import type { Schema } from '../storage/schema.ts';
import { type AuditActor, type AuditRecord, createAudit } from './audit.ts';
import {
  beginChange,
  insertKey,
  isKeyInForce,
  type ApiKey,
  type ApiKeyRow,
  type IssuedApiKey,
  keyCreator,
  findCreator,
  presentKey,
  keyTitle,
} from './apiKeyRows.ts';
import { hasRole, type Role } from '../contract/roles.ts';
import { isUuid } from './uuid.ts';

/** The caller who manages keys. */
export interface KeyManager extends AuditActor {
  keyId: string;
  role: Role;
  /**
   * The id of the person or the first key that made the caller's key. Absent: an operator made it.
   */
  countsFor?: string | undefined;
}

/**
 * The most keys of one creator, not counting ended and rotated ones. The creator is a person or an
 * operator's key. Keys that a creator's keys made count too. Admins may have more, so that an admin
 * can still make keys after a program with the admin's key made too many.
 */
const MOST_KEYS = 100;
const MOST_FOR_ADMINS = 1_000;
/** The most rotated keys of one creator that still work. */
const MOST_ROTATED = 100;

/** Which keys to list. `after` is the last key of the previous page. */
export interface KeyListPart {
  /** A person's id. */
  createdBy?: string | undefined;
  after?: { at: string; id: string } | undefined;
  limit: number;
}

/**
 * Manages an organization's API keys. Admins manage all of them. Others manage the key that they
 * use, the keys that it made, and the keys that their person made. Any other key is NOT_FOUND.
 * Session keys are not included.
 */
export interface TeamKeys {
  /** A page of keys, the latest first, and whether there are more. */
  list(keyManager: KeyManager, part: KeyListPart): Promise<{ keys: ApiKey[]; more: boolean }>;
  /**
   * Makes a key. Only this result contains the key itself.
   * @throws DomainError FORBIDDEN for a role above the caller's, INVALID_INPUT for an expiry in the
   *   past, CONFLICT if the creator has 100 keys (admins: 1,000), UNAUTHORIZED if the caller's key
   *   has ended meanwhile
   */
  create(
    keyManager: KeyManager,
    key: { name: string; role: Role; expires?: Date | undefined },
  ): Promise<IssuedApiKey>;
  /**
   * Makes a key to replace another, with the same name, role, lifetime and creator. The old key
   * ends after the overlap, or at its expiry if that is earlier.
   * @param overlapMs milliseconds for which both keys work
   * @throws DomainError NOT_FOUND, FORBIDDEN for a role above the caller's, CONFLICT for a key that
   *   has ended or was rotated before, and if 100 rotated keys of the same creator still work,
   *   UNAUTHORIZED if the caller's key has ended meanwhile
   */
  rotate(keyManager: KeyManager, keyId: string, overlapMs: number): Promise<IssuedApiKey>;
  /**
   * Ends a key at once. Repeatable.
   * @throws DomainError NOT_FOUND, FORBIDDEN if the caller is a program and the key's role is above
   *   its own
   */
  revoke(keyManager: KeyManager, keyId: string): Promise<void>;
}

interface TeamKeyOptions {
  /** Called after keys changed, because this process may still cache them. */
  onChange?: () => void;
}

export function createTeamKeys(
  db: Kysely<Schema>,
  { onChange = () => undefined }: TeamKeyOptions = {},
): TeamKeys {
  /** Runs a change in a transaction. `runChange` also writes the audit entry. */
  const changeKeys = <T>(
    runChange: (trx: Kysely<Schema>, currentTime: Date) => Promise<T>,
  ): Promise<T> =>
    db
      .transaction()
      .execute((trx) => runChange(trx, new Date()))
      .finally(onChange);

  const recordAudit = (
    trx: Kysely<Schema>,
    keyManager: KeyManager,
    action: AuditRecord['action'],
    auditedKey: ApiKey,
  ) => createAudit(trx).record({ ...keyManager, action, subject: keyTitle(auditedKey) });

  return {
    async list(keyManager, { createdBy, after, limit }) {
      let keyQuery = (await managedKeys(db, keyManager))
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc');
      if (createdBy !== undefined) keyQuery = keyQuery.where('created_by_user', '=', createdBy);
      if (after)
        keyQuery = keyQuery.where(
          sql<boolean>`(created_at, id) < (${after.at}::timestamptz, ${after.id}::uuid)`,
        );
      const rows = await keyQuery.limit(limit + 1).execute();
      return { keys: rows.slice(0, limit).map(presentKey), more: rows.length > limit };
    },

    create: (keyManager, { name, role, expires }) =>
      changeKeys(async (trx, currentTime) => {
        requireRoleUpTo(keyManager, role);
        await beginChange(trx, keyManager, currentTime);
        const { organizationId, countsFor = keyManager.userId ?? keyManager.keyId } = keyManager;
        await requireRoomForKey(trx, { by: keyManager, countsFor }, currentTime);
        const createdBy = await findCreator(trx, keyManager);
        const keyFields = { organizationId, role, name, expires, createdBy, countsFor };
        const issuedKey = await insertKey(trx, keyFields, currentTime);
        await recordAudit(trx, keyManager, 'key.create', issuedKey);
        return issuedKey;
      }),

    rotate: (keyManager, keyId, overlapMs) =>
      changeKeys(async (trx, currentTime) => {
        await beginChange(trx, keyManager, currentTime);
        const oldKey = await findManagedKey(trx, keyManager, keyId);
        requireRoleUpTo(keyManager, oldKey.role as Role);
        if (!isKeyInForce(oldKey, currentTime))
          throw keyConflict('The key has expired or was revoked. Create another one.');
        if (oldKey.replaced_by !== null)
          throw keyConflict('The key was already rotated. Rotate the key that replaced it.');
        await requireRoomToRotate(trx, oldKey, currentTime);
        const keyFields = {
          ...(await copiedKeyFields(trx, keyManager, oldKey)),
          expires: rotatedExpiry(oldKey, currentTime),
        };
        const issuedKey = await insertKey(trx, keyFields, currentTime);
        const oldKeyEnd = Math.min(
          currentTime.getTime() + overlapMs,
          oldKey.expires_at?.getTime() ?? Infinity,
        );
        const replacedColumns = { expires_at: new Date(oldKeyEnd), replaced_by: issuedKey.keyId };
        await trx.updateTable('api_keys').set(replacedColumns).where('id', '=', keyId).execute();
        await recordAudit(trx, keyManager, 'key.rotate', issuedKey);
        return issuedKey;
      }),

    revoke: (keyManager, keyId) =>
      changeKeys(async (trx, currentTime) => {
        const managedKey = await findManagedKey(trx, keyManager, keyId);
        if (managedKey.revoked_at !== null) return;
        if (keyManager.userId === undefined && !hasRole(keyManager.role, 'admin'))
          requireRoleUpTo(keyManager, managedKey.role as Role);
        await trx
          .updateTable('api_keys')
          .set({ revoked_at: currentTime })
          .where('id', '=', keyId)
          .execute();
        await recordAudit(trx, keyManager, 'key.revoke', presentKey(managedKey));
      }),
  };
}

async function managedKeys(db: Kysely<Schema>, keyManager: KeyManager) {
  const organizationKeys = db
    .selectFrom('api_keys')
    .selectAll()
    .where('organization_id', '=', keyManager.organizationId)
    .where('session_id', 'is', null);
  if (hasRole(keyManager.role, 'admin')) return organizationKeys;
  const creator = await findCreator(db, keyManager);
  return organizationKeys.where((where) =>
    where.or([
      where('id', '=', keyManager.keyId),
      where('created_by_key', '=', keyManager.keyId),
      ...('userId' in creator ? [where('created_by_user', '=', creator.userId)] : []),
    ]),
  );
}

/** Finds a key and locks its row. @throws DomainError NOT_FOUND if the caller may not manage it */
async function findManagedKey(
  trx: Kysely<Schema>,
  keyManager: KeyManager,
  keyId: string,
): Promise<ApiKeyRow> {
  const foundKey = isUuid(keyId)
    ? await (
        await managedKeys(trx, keyManager)
      )
        .where('id', '=', keyId)
        .forUpdate()
        .executeTakeFirst()
    : undefined;
  if (!foundKey) throw new DomainError('NOT_FOUND', 'Key not found');
  return foundKey;
}

/** The fields that the new key takes from the old one, with its creator and `countsFor`. */
async function copiedKeyFields(trx: Kysely<Schema>, keyManager: KeyManager, oldKey: ApiKeyRow) {
  const { organization_id: organizationId, name } = oldKey;
  const createdBy = keyCreator(oldKey) ?? (await findCreator(trx, keyManager));
  return {
    organizationId,
    name,
    role: oldKey.role as Role,
    createdBy,
    countsFor: countedCreatorId(oldKey),
  };
}

const countedCreatorId = (keyRow: ApiKeyRow) => keyRow.counts_for ?? keyRow.id;

const rotatedExpiry = (
  { created_at: createdAt, expires_at: expiresAt }: ApiKeyRow,
  currentTime: Date,
): Date | null =>
  expiresAt && new Date(currentTime.getTime() + expiresAt.getTime() - createdAt.getTime());

function requireRoleUpTo({ role: ownRole }: KeyManager, role: Role): void {
  if (hasRole(ownRole, role)) return;
  throw new DomainError(
    'FORBIDDEN',
    `Forbidden: the role ${role} of the key is above your own role, ${ownRole}`,
  );
}

async function requireRoomForKey(
  trx: Kysely<Schema>,
  { by: keyManager, countsFor }: { by: KeyManager; countsFor: string },
  currentTime: Date,
): Promise<void> {
  const maxKeys = hasRole(keyManager.role, 'admin') ? MOST_FOR_ADMINS : MOST_KEYS;
  const countedKeys = keysInForce(trx, keyManager.organizationId, currentTime).where(
    'counts_for',
    '=',
    countsFor,
  );
  if (
    (await countedKeys.where('replaced_by', 'is', null).limit(maxKeys).execute()).length === maxKeys
  )
    throw keyConflict(
      `You already have ${maxKeys} keys, including those that your keys created. Revoke some of them first.`,
    );
}

/**
 * Checks the limit of rotated keys. A rotation does not add a key to the other limit: the new key
 * counts in place of the old one, which counts as rotated while it still works.
 * @throws DomainError CONFLICT
 */
async function requireRoomToRotate(
  trx: Kysely<Schema>,
  oldKey: ApiKeyRow,
  currentTime: Date,
): Promise<void> {
  const rotatedKeys = keysInForce(trx, oldKey.organization_id, currentTime).where(
    'replaced_by',
    'is not',
    null,
  );
  const keysOfCreator = rotatedKeys.where(
    (expression) => expression.fn.coalesce('counts_for', 'id'),
    '=',
    countedCreatorId(oldKey),
  );
  if ((await keysOfCreator.limit(MOST_ROTATED).execute()).length === MOST_ROTATED)
    throw keyConflict(
      `${MOST_ROTATED} rotated keys of the same creator are still valid. Revoke some of them first.`,
    );
}

function keysInForce(trx: Kysely<Schema>, organizationId: string, currentTime: Date) {
  return trx
    .selectFrom('api_keys')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('session_id', 'is', null)
    .where('revoked_at', 'is', null)
    .where((where) =>
      where.or([where('expires_at', 'is', null), where('expires_at', '>', currentTime)]),
    );
}

const keyConflict = (message: string) => new DomainError('CONFLICT', message);
