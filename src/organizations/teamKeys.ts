import { type Kysely, sql } from 'kysely';
import { DomainError } from '../errors.ts';
import type { Schema } from '../storage/schema.ts';
import { type Actor, createAudit } from './audit.ts';
import {
  beginTurn,
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

/** Who manages keys. */
export interface Manager extends Actor {
  keyId: string;
  role: Role;
}

/** Keys in force that an organization may have, beside those of sessions. */
const MOST = 100;

/** Which keys, and where their list goes on: the last one before. */
export interface KeyPart {
  /** A person's id. */
  createdBy?: string | undefined;
  after?: { at: string; id: string } | undefined;
  limit: number;
}

/**
 * Keys as their organization manages them. Admins manage all of them; others the key that they use, those that it made,
 * and those of their person. Keys of sessions are not among them. What is not theirs is NOT_FOUND.
 */
export interface TeamKeys {
  /** The latest first, and whether there are more. */
  list(by: Manager, part: KeyPart): Promise<{ keys: Key[]; more: boolean }>;
  /**
   * Makes a key. This answer is the only place where the key itself is ever shown.
   * @throws DomainError FORBIDDEN for a role above one's own, INVALID_INPUT for an expiry that is over, CONFLICT where
   * the organization has 100 keys
   */
  create(by: Manager, key: { name: string; role: Role; expires?: Date | undefined }): Promise<MadeKey>;
  /**
   * Makes a key that takes the place of another one: of the same name, role and lifetime. The other one ends after the
   * overlap, or at its expiry if that is sooner.
   * @param overlapMs milliseconds
   * @throws DomainError NOT_FOUND, FORBIDDEN for a role above one's own, CONFLICT for a key that is not in force or was
   * rotated before
   */
  rotate(by: Manager, keyId: string, overlapMs: number): Promise<MadeKey>;
  /**
   * Ends a key at once. Repeating it changes nothing.
   * @throws DomainError NOT_FOUND, FORBIDDEN for a program's key that ends one above its role
   */
  revoke(by: Manager, keyId: string): Promise<void>;
}

interface Options {
  now?: () => Date;
  /** Called after a change of keys: what this process keeps of them is old. */
  onChange?: () => void;
}

export function createTeamKeys(
  db: Kysely<Schema>,
  { now = () => new Date(), onChange = () => undefined }: Options = {},
): TeamKeys {
  /** Makes a change together with its entry in the audit. */
  const change = <T>(run: (trx: Kysely<Schema>, at: Date) => Promise<T>): Promise<T> =>
    db
      .transaction()
      .execute((trx) => run(trx, now()))
      .finally(onChange);

  return {
    async list(by, { createdBy, after, limit }) {
      let found = (await managedBy(db, by)).orderBy('created_at', 'desc').orderBy('id', 'desc');
      if (createdBy !== undefined) found = found.where('created_by_user', '=', createdBy);
      if (after) found = found.where(sql<boolean>`(created_at, id) < (${after.at}::timestamptz, ${after.id}::uuid)`);
      const rows = await found.limit(limit + 1).execute();
      return { keys: rows.slice(0, limit).map(presentKey), more: rows.length > limit };
    },

    create: (by, { name, role, expires }) =>
      change(async (trx, at) => {
        requireRoleUpTo(by, role);
        await beginTurn(trx, by, at);
        await requireRoom(trx, by.organizationId, at);
        const createdBy = await makerOf(trx, by);
        const { organizationId } = by;
        const made = await insertKey(trx, { organizationId, role, name, expires, createdBy }, at);
        await createAudit(trx, { now }).record({ ...by, action: 'key.create', subject: titleOf(made) });
        return made;
      }),

    rotate: (by, keyId, overlapMs) =>
      change(async (trx, at) => {
        await beginTurn(trx, by, at);
        const old = await findManaged(trx, by, keyId);
        requireRoleUpTo(by, old.role as Role);
        if (!isInForce(old, at)) throw conflict('Key is not in force any more: make another one');
        if (old.replaced_by !== null) throw conflict('Key was rotated already: rotate the one that took its place');
        await requireRoom(trx, by.organizationId, at);
        const made = await insertKey(trx, { ...(await likeOf(trx, by, old)), expires: expiryOf(old, at) }, at);
        const ends = Math.min(at.getTime() + overlapMs, old.expires_at?.getTime() ?? Infinity);
        const replaced = { expires_at: new Date(ends), replaced_by: made.keyId };
        await trx.updateTable('api_keys').set(replaced).where('id', '=', keyId).execute();
        await createAudit(trx, { now }).record({ ...by, action: 'key.rotate', subject: titleOf(made) });
        return made;
      }),

    revoke: (by, keyId) =>
      change(async (trx, at) => {
        const key = await findManaged(trx, by, keyId);
        if (key.revoked_at !== null) return;
        if (by.userId === undefined && !hasRole(by.role, 'admin')) requireRoleUpTo(by, key.role as Role);
        await trx.updateTable('api_keys').set({ revoked_at: at }).where('id', '=', keyId).execute();
        await createAudit(trx, { now }).record({ ...by, action: 'key.revoke', subject: titleOf(presentKey(key)) });
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

/** Waits for others that change the same key. */
async function findManaged(trx: Kysely<Schema>, by: Manager, keyId: string): Promise<KeyRow> {
  const found = isUuid(keyId)
    ? await (await managedBy(trx, by)).where('id', '=', keyId).forUpdate().executeTakeFirst()
    : undefined;
  if (!found) throw new DomainError('NOT_FOUND', 'Key not found');
  return found;
}

/** The new key belongs to whom the old one did. */
async function likeOf(trx: Kysely<Schema>, by: Manager, old: KeyRow) {
  const { organization_id: organizationId, name } = old;
  return { organizationId, name, role: old.role as Role, createdBy: makerIn(old) ?? (await makerOf(trx, by)) };
}

const expiryOf = ({ created_at: made, expires_at: ends }: KeyRow, at: Date): Date | null =>
  ends && new Date(at.getTime() + ends.getTime() - made.getTime());

function requireRoleUpTo({ role: own }: Manager, role: Role): void {
  if (hasRole(own, role)) return;
  throw new DomainError('FORBIDDEN', `Forbidden: a key of the role ${role} is above your own role, ${own}`);
}

async function requireRoom(trx: Kysely<Schema>, organizationId: string, at: Date): Promise<void> {
  const keys = trx.selectFrom('api_keys').select('id').where('organization_id', '=', organizationId);
  const inForce = await keys
    .where('session_id', 'is', null)
    .where('revoked_at', 'is', null)
    .where((where) => where.or([where('expires_at', 'is', null), where('expires_at', '>', at)]))
    .limit(MOST)
    .execute();
  if (inForce.length === MOST) throw conflict(`The organization has ${MOST} keys already: revoke some first`);
}

const conflict = (message: string) => new DomainError('CONFLICT', message);
