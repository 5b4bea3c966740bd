import { hash, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto';
import { type Kysely, type Selectable, type SelectQueryBuilder, sql } from 'kysely';
import { hasRole } from '../contract/roles.ts';
import { DomainError } from '../errors.ts';
import { shownPreviews } from '../storage/deployments.ts';
import type { Schema } from '../storage/schema.ts';
import { keyHasEnded } from './keyRows.ts';
import { lockOrganization, lockRole } from './locks.ts';
import { isUuid } from './uuid.ts';

const KEY_BYTES = 32;
const DAY = 24 * 60 * 60_000;
/** The most valid links of a task. */
const MOST = 100;

export const accesses = ['view', 'edit'] as const;
export type Access = (typeof accesses)[number];

/** Days that a link may be valid. */
export const shareDays = [1, 7, 30] as const;

/** A link by which a person without an account sees or edits a task's pages. */
export interface Share {
  shareId: string;
  organizationId: string;
  taskId: string;
  access: Access;
  /** null: a program made it. */
  createdBy: { userId: string } | null;
  /** ISO 8601, UTC. */
  createdAt: string;
  expiresAt: string;
}

/** Which links to list. `after` is the last link of the previous page. */
export interface SharePart {
  taskId?: string | undefined;
  access?: Access | undefined;
  /** A person's id. */
  createdBy?: string | undefined;
  after?: { at: string; id: string } | undefined;
  limit: number;
}

export interface NewShare extends Pick<Share, 'organizationId' | 'taskId' | 'access'> {
  /** The person who makes the link. The link ends with the person's membership. */
  userId?: string | undefined;
  days: (typeof shareDays)[number];
}

export interface Shares {
  /**
   * @returns the share with the key for its link. The database stores only the key's hash
   * @throws DomainError CONFLICT if the task has 100 links; UNAUTHORIZED if the person is no longer
   *   a member
   */
  create(share: NewShare): Promise<{ share: Share; key: string }>;
  /**
   * A page of an organization's valid links whose preview is still shown, the newest first, and
   * whether there are more.
   */
  listAll(organizationId: string, part: SharePart): Promise<{ shares: Share[]; more: boolean }>;
  /** The valid share that a link's key opens; null for a wrong key or id. */
  open(shareId: string, key: string): Promise<Share | null>;
  /** The share; null if it has ended. */
  find(shareId: string): Promise<Share | null>;
  /**
   * Ends a link at once.
   * @returns the task's id
   * @throws DomainError NOT_FOUND for an unknown or ended link, and for another organization's
   */
  revoke(organizationId: string, shareId: string): Promise<string>;
}

interface Options {
  /** Days after its last change for which a preview is shown. Default: no end. */
  previewRetention?: number;
}

export function createShares(db: Kysely<Schema>, { previewRetention }: Options = {}): Shares {
  const inForce = (on = db) =>
    on
      .selectFrom('shares')
      .selectAll()
      .where('revoked_at', 'is', null)
      .where('expires_at', '>', new Date());
  const shown = () =>
    inForce().where('task_id', 'in', shownPreviews(db, new Date(), previewRetention));
  const row = async (shareId: string): Promise<Row | undefined> =>
    isUuid(shareId) ? inForce().where('id', '=', shareId).executeTakeFirst() : undefined;
  const ofTask = (organizationId: string, taskId: string, on = db) =>
    inForce(on).where('organization_id', '=', organizationId).where('task_id', '=', taskId);

  return {
    async create({ organizationId, taskId, access, days, userId = null }) {
      await removeEnded(db, organizationId, new Date());
      const key = randomBytes(KEY_BYTES).toString('base64url');
      const created = new Date();
      const values = {
        id: randomUUID(),
        organization_id: organizationId,
        task_id: taskId,
        access,
        hash: hashOf(key),
        created_by_user: userId,
        created_at: created,
        expires_at: new Date(created.getTime() + days * DAY),
      };
      const made = await db.transaction().execute(async (trx) => {
        await lockOrganization(trx, organizationId);
        if ((await ofTask(organizationId, taskId, trx).limit(MOST).execute()).length === MOST)
          throw new DomainError('CONFLICT', `Task has ${MOST} links already: revoke some first`);
        const role = userId === null ? 'member' : await lockRole(trx, { userId, organizationId });
        if (role === null || !hasRole(role, 'member')) throw keyHasEnded();
        return trx.insertInto('shares').values(values).returningAll().executeTakeFirstOrThrow();
      });
      return { share: present(made), key };
    },

    listAll: (organizationId, part) =>
      listAll(shown().where('organization_id', '=', organizationId), part),

    async open(shareId, key) {
      const found = await row(shareId);
      return found && isEqual(hashOf(key), found.hash) ? present(found) : null;
    },

    async find(shareId) {
      const found = await row(shareId);
      return found ? present(found) : null;
    },

    async revoke(organizationId, shareId) {
      const ended = isUuid(shareId)
        ? await db
            .updateTable('shares')
            .set({ revoked_at: new Date() })
            .where('id', '=', shareId)
            .where('organization_id', '=', organizationId)
            .where('revoked_at', 'is', null)
            .returning('task_id')
            .executeTakeFirst()
        : undefined;
      if (!ended) throw new DomainError('NOT_FOUND', 'Share not found');
      return ended.task_id;
    },
  };
}

type Row = Selectable<Schema['shares']>;

/** @param shares the shares to choose from */
async function listAll(
  shares: SelectQueryBuilder<Schema, 'shares', Row>,
  { taskId, access, createdBy, after, limit }: SharePart,
): Promise<{ shares: Share[]; more: boolean }> {
  const place = sql<boolean>`(created_at, id) < (${after?.at}::timestamptz, ${after?.id}::uuid)`;
  const rows = await shares
    .$if(taskId !== undefined, (query) => query.where('task_id', '=', taskId!))
    .$if(access !== undefined, (query) => query.where('access', '=', access!))
    .$if(createdBy !== undefined, (query) => query.where('created_by_user', '=', createdBy!))
    .$if(after !== undefined, (query) => query.where(place))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute();
  return { shares: rows.slice(0, limit).map(present), more: rows.length > limit };
}

async function removeEnded(db: Kysely<Schema>, organizationId: string, at: Date): Promise<void> {
  await db
    .deleteFrom('shares')
    .where('organization_id', '=', organizationId)
    .where('expires_at', '<=', at)
    .execute();
}

const hashOf = (key: string) => hash('sha256', key, 'hex');
const isEqual = (a: string, b: string) => timingSafeEqual(Buffer.from(a), Buffer.from(b));

const present = (row: Row): Share => ({
  shareId: row.id,
  organizationId: row.organization_id,
  taskId: row.task_id,
  access: row.access as Access,
  createdBy: row.created_by_user === null ? null : { userId: row.created_by_user },
  createdAt: row.created_at.toISOString(),
  expiresAt: row.expires_at.toISOString(),
});
