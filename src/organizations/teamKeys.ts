import { type Kysely, sql } from 'kysely';
import { DomainError } from '../errors.ts';
import type { Schema } from '../storage/schema.ts';
import { type Actor, type AuditRecord, createAudit } from './audit.ts';
import {
  beginChange,
  insertKey,
  isInForce,
  type Key,
  type KeyRow,
  type MadeKey,
  makerIn,
  makerOf,
  presentKey,
  titleOf,
} from './keyRows.ts';
import { hasRole, type Role } from '../contract/roles.ts';
import { isUuid } from './uuid.ts';

/** The caller who manages keys. */
export interface Manager extends Actor {
  keyId: string;
  role: Role;
  /**
   * The id of the person or the first key that made the caller's key. Absent: an operator made it.
   */
  countsFor?: string | undefined;
}

/**
 * The most keys of one maker, not counting ended and rotated ones. A maker is a person or an
 * operator's key. Keys that a maker's keys made count too. Admins may have more, so that an admin
 * can still make keys after a program with the admin's key made too many.
 */
const MOST = 100;
const MOST_FOR_ADMINS = 1_000;
/** The most rotated keys of one maker that still work. */
const MOST_ROTATED = 100;

/** Which keys to list. `after` is the last key of the previous page. */
export interface KeyPart {
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
  list(by: Manager, part: KeyPart): Promise<{ keys: Key[]; more: boolean }>;
  /**
   * Makes a key. Only this result contains the key itself.
   * @throws DomainError FORBIDDEN for a role above the caller's, INVALID_INPUT for an expiry in the
   *   past, CONFLICT if the maker has 100 keys (admins: 1,000)
   */
  create(
    by: Manager,
    key: { name: string; role: Role; expires?: Date | undefined },
  ): Promise<MadeKey>;
  /**
   * Makes a key to replace another, with the same name, role, lifetime and maker. The old key ends
   * after the overlap, or at its expiry if that is earlier.
   * @param overlapMs milliseconds
   * @throws DomainError NOT_FOUND, FORBIDDEN for a role above the caller's, CONFLICT for a key that
   *   has ended or was rotated before, and if 100 rotated keys of the same maker still work
   */
  rotate(by: Manager, keyId: string, overlapMs: number): Promise<MadeKey>;
  /**
   * Ends a key at once. Repeatable.
   * @throws DomainError NOT_FOUND, FORBIDDEN if the caller is a program and the key's role is above
   *   its own
   */
  revoke(by: Manager, keyId: string): Promise<void>;
}

interface Options {
  /** Called after keys changed, because this process may still cache them. */
  onChange?: () => void;
}

export function createTeamKeys(
  db: Kysely<Schema>,
  { onChange = () => undefined }: Options = {},
): TeamKeys {
  /** Runs a change in a transaction. `run` also writes the audit entry. */
  const change = <T>(run: (trx: Kysely<Schema>, at: Date) => Promise<T>): Promise<T> =>
    db
      .transaction()
      .execute((trx) => run(trx, new Date()))
      .finally(onChange);

  const note = (trx: Kysely<Schema>, by: Manager, action: AuditRecord['action'], key: Key) =>
    createAudit(trx).record({ ...by, action, subject: titleOf(key) });

  return {
    async list(by, { createdBy, after, limit }) {
      let found = (await managedBy(db, by)).orderBy('created_at', 'desc').orderBy('id', 'desc');
      if (createdBy !== undefined) found = found.where('created_by_user', '=', createdBy);
      if (after)
        found = found.where(
          sql<boolean>`(created_at, id) < (${after.at}::timestamptz, ${after.id}::uuid)`,
        );
      const rows = await found.limit(limit + 1).execute();
      return { keys: rows.slice(0, limit).map(presentKey), more: rows.length > limit };
    },

    create: (by, { name, role, expires }) =>
      change(async (trx, at) => {
        requireRoleUpTo(by, role);
        await beginChange(trx, by, at);
        const { organizationId, countsFor = by.userId ?? by.keyId } = by;
        await requireRoom(trx, { by, countsFor }, at);
        const createdBy = await makerOf(trx, by);
        const key = { organizationId, role, name, expires, createdBy, countsFor };
        const made = await insertKey(trx, key, at);
        await note(trx, by, 'key.create', made);
        return made;
      }),

    rotate: (by, keyId, overlapMs) =>
      change(async (trx, at) => {
        await beginChange(trx, by, at);
        const old = await findManaged(trx, by, keyId);
        requireRoleUpTo(by, old.role as Role);
        if (!isInForce(old, at)) throw conflict('Key is not in force any more: make another one');
        if (old.replaced_by !== null)
          throw conflict('Key was rotated already: rotate the one that took its place');
        await requireRoomToRotate(trx, old, at);
        const key = { ...(await likeOf(trx, by, old)), expires: expiryOf(old, at) };
        const made = await insertKey(trx, key, at);
        const ends = Math.min(at.getTime() + overlapMs, old.expires_at?.getTime() ?? Infinity);
        const replaced = { expires_at: new Date(ends), replaced_by: made.keyId };
        await trx.updateTable('api_keys').set(replaced).where('id', '=', keyId).execute();
        await note(trx, by, 'key.rotate', made);
        return made;
      }),

    revoke: (by, keyId) =>
      change(async (trx, at) => {
        const key = await findManaged(trx, by, keyId);
        if (key.revoked_at !== null) return;
        if (by.userId === undefined && !hasRole(by.role, 'admin'))
          requireRoleUpTo(by, key.role as Role);
        await trx.updateTable('api_keys').set({ revoked_at: at }).where('id', '=', keyId).execute();
        await note(trx, by, 'key.revoke', presentKey(key));
      }),
  };
}

async function managedBy(db: Kysely<Schema>, by: Manager) {
  const all = db
    .selectFrom('api_keys')
    .selectAll()
    .where('organization_id', '=', by.organizationId)
    .where('session_id', 'is', null);
  if (hasRole(by.role, 'admin')) return all;
  const maker = await makerOf(db, by);
  return all.where((where) =>
    where.or([
      where('id', '=', by.keyId),
      where('created_by_key', '=', by.keyId),
      ...('userId' in maker ? [where('created_by_user', '=', maker.userId)] : []),
    ]),
  );
}

/** Finds a key and locks its row. Throws NOT_FOUND for a key that the caller does not manage. */
async function findManaged(trx: Kysely<Schema>, by: Manager, keyId: string): Promise<KeyRow> {
  const found = isUuid(keyId)
    ? await (await managedBy(trx, by)).where('id', '=', keyId).forUpdate().executeTakeFirst()
    : undefined;
  if (!found) throw new DomainError('NOT_FOUND', 'Key not found');
  return found;
}

/**
 * The fields of the new key that are the old key's: also its maker, and whose limits it counts for.
 */
async function likeOf(trx: Kysely<Schema>, by: Manager, old: KeyRow) {
  const { organization_id: organizationId, name } = old;
  const createdBy = makerIn(old) ?? (await makerOf(trx, by));
  return { organizationId, name, role: old.role as Role, createdBy, countsFor: makerFor(old) };
}

const makerFor = (key: KeyRow) => key.counts_for ?? key.id;

const expiryOf = ({ created_at: made, expires_at: ends }: KeyRow, at: Date): Date | null =>
  ends && new Date(at.getTime() + ends.getTime() - made.getTime());

function requireRoleUpTo({ role: own }: Manager, role: Role): void {
  if (hasRole(own, role)) return;
  throw new DomainError(
    'FORBIDDEN',
    `Forbidden: a key of the role ${role} is above your own role, ${own}`,
  );
}

async function requireRoom(
  trx: Kysely<Schema>,
  { by, countsFor }: { by: Manager; countsFor: string },
  at: Date,
): Promise<void> {
  const most = hasRole(by.role, 'admin') ? MOST_FOR_ADMINS : MOST;
  const made = keysInForce(trx, by.organizationId, at).where('counts_for', '=', countsFor);
  if ((await made.where('replaced_by', 'is', null).limit(most).execute()).length === most)
    throw conflict(
      `You have ${most} keys already, with those that your keys made: revoke some first`,
    );
}

/**
 * The new key counts in place of the old one. The old one counts as rotated while it still works.
 */
async function requireRoomToRotate(trx: Kysely<Schema>, old: KeyRow, at: Date): Promise<void> {
  const rotated = keysInForce(trx, old.organization_id, at).where('replaced_by', 'is not', null);
  const ofMaker = rotated.where((key) => key.fn.coalesce('counts_for', 'id'), '=', makerFor(old));
  if ((await ofMaker.limit(MOST_ROTATED).execute()).length === MOST_ROTATED)
    throw conflict(`${MOST_ROTATED} rotated keys of the same maker still work: revoke some first`);
}

function keysInForce(trx: Kysely<Schema>, organizationId: string, at: Date) {
  return trx
    .selectFrom('api_keys')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('session_id', 'is', null)
    .where('revoked_at', 'is', null)
    .where((where) => where.or([where('expires_at', 'is', null), where('expires_at', '>', at)]));
}

const conflict = (message: string) => new DomainError('CONFLICT', message);
