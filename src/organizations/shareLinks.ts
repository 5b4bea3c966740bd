import { hash, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto';
import { type Kysely, type Selectable, type SelectQueryBuilder, sql } from 'kysely';
import { hasRole } from '../contract/roles.ts';
import { DomainError } from '../errors.ts';
import { shownPreviews } from '../storage/deployments.ts';
import type { Schema } from '../storage/schema.ts';
import { keyHasEnded } from './apiKeyRows.ts';
import { lockOrganization, lockRole } from './locks.ts';
import { isUuid } from './uuid.ts';

const KEY_BYTES = 32;
const DAY = 24 * 60 * 60_000;
/** The most valid links of a task or a batch. */
const MOST_LINKS = 100;

/** What guests may do: look; comment and approve; or edit and comment. */
export const accesses = ['view', 'comment', 'edit'] as const;
export type ShareAccess = (typeof accesses)[number];

/** Days that a link may be valid. */
export const shareDays = [1, 7, 30] as const;

/** A link by which a person without an account sees or edits the pages of a task or a batch. */
export interface ShareLink {
  shareId: string;
  organizationId: string;
  /** The task or, if `isBatch`, the batch. */
  taskId: string;
  isBatch: boolean;
  access: ShareAccess;
  /** null: a program created it. */
  createdBy: { userId: string } | null;
  /** ISO 8601, UTC. */
  createdAt: string;
  expiresAt: string;
}

/** Which links to list. `after` is the last link of the previous page. */
export interface ShareListPart {
  taskId?: string | undefined;
  batchId?: string | undefined;
  access?: ShareAccess | undefined;
  /** A person's id. */
  createdBy?: string | undefined;
  after?: { at: string; id: string } | undefined;
  limit: number;
}

export interface NewShareLink extends Pick<
  ShareLink,
  'organizationId' | 'taskId' | 'isBatch' | 'access'
> {
  /** The person who makes the link. The link ends with the person's membership. */
  userId?: string | undefined;
  days: (typeof shareDays)[number];
}

/** The share links of tasks and batches. The API calls them shares. */
export interface ShareLinks {
  /**
   * Creates a link.
   * @returns the share with the key for its link. The database stores only the key's hash
   * @throws DomainError CONFLICT if there are 100 links to its pages; UNAUTHORIZED if the person is
   *   no longer a member
   */
  create(share: NewShareLink): Promise<{ share: ShareLink; key: string }>;
  /**
   * A page of an organization's valid links whose preview is still shown, the newest first, and
   * whether there are more.
   */
  listAll(
    organizationId: string,
    part: ShareListPart,
  ): Promise<{ shares: ShareLink[]; more: boolean }>;
  /** The valid share that a link's key opens; null for a wrong key or id. */
  open(shareId: string, key: string): Promise<ShareLink | null>;
  /** The share by its id alone; null if it has ended. */
  find(shareId: string): Promise<ShareLink | null>;
  /**
   * Ends a link at once.
   * @returns the task's or the batch's id
   * @throws DomainError NOT_FOUND for an unknown or ended link, and for another organization's
   */
  revoke(organizationId: string, shareId: string): Promise<string>;
}

interface ShareLinkOptions {
  /** Days after its last change for which a preview is shown. Default: no end. */
  previewRetention?: number;
}

export function createShares(
  db: Kysely<Schema>,
  { previewRetention }: ShareLinkOptions = {},
): ShareLinks {
  const validShares = (database = db) =>
    database
      .selectFrom('shares')
      .selectAll()
      .where('revoked_at', 'is', null)
      .where('expires_at', '>', new Date());
  const shownShares = () =>
    validShares().where('task_id', 'in', shownPreviews(db, new Date(), previewRetention));
  const findValidShare = async (shareId: string): Promise<ShareLinkRow | undefined> =>
    isUuid(shareId) ? validShares().where('id', '=', shareId).executeTakeFirst() : undefined;
  const sharesOfTask = (organizationId: string, taskId: string, database = db) =>
    validShares(database)
      .where('organization_id', '=', organizationId)
      .where('task_id', '=', taskId);

  return {
    async create({ organizationId, taskId, isBatch, access, days, userId = null }) {
      await removeEndedShares(db, organizationId, new Date());
      const linkKey = randomBytes(KEY_BYTES).toString('base64url');
      const createdAt = new Date();
      const shareColumns = {
        id: randomUUID(),
        organization_id: organizationId,
        task_id: taskId,
        is_batch: isBatch,
        access,
        hash: shareKeyHash(linkKey),
        created_by_user: userId,
        created_at: createdAt,
        expires_at: new Date(createdAt.getTime() + days * DAY),
      };
      const insertedShare = await db.transaction().execute(async (trx) => {
        await lockOrganization(trx, organizationId);
        if (
          (await sharesOfTask(organizationId, taskId, trx).limit(MOST_LINKS).execute()).length ===
          MOST_LINKS
        )
          throw new DomainError(
            'CONFLICT',
            `There are already ${MOST_LINKS} share links to these pages. Revoke some of them first.`,
          );
        const memberRole =
          userId === null ? 'member' : await lockRole(trx, { userId, organizationId });
        if (memberRole === null || !hasRole(memberRole, 'member')) throw keyHasEnded();
        return trx
          .insertInto('shares')
          .values(shareColumns)
          .returningAll()
          .executeTakeFirstOrThrow();
      });
      return { share: presentShareLink(insertedShare), key: linkKey };
    },

    listAll: (organizationId, listPart) =>
      listValidShares(shownShares().where('organization_id', '=', organizationId), listPart),

    async open(shareId, linkKey) {
      const foundShare = await findValidShare(shareId);
      return foundShare && isEqualHash(shareKeyHash(linkKey), foundShare.hash)
        ? presentShareLink(foundShare)
        : null;
    },

    async find(shareId) {
      const foundShare = await findValidShare(shareId);
      return foundShare ? presentShareLink(foundShare) : null;
    },

    async revoke(organizationId, shareId) {
      const endedShare = isUuid(shareId)
        ? await db
            .updateTable('shares')
            .set({ revoked_at: new Date() })
            .where('id', '=', shareId)
            .where('organization_id', '=', organizationId)
            .where('revoked_at', 'is', null)
            .returning('task_id')
            .executeTakeFirst()
        : undefined;
      if (!endedShare) throw new DomainError('NOT_FOUND', 'Share not found');
      return endedShare.task_id;
    },
  };
}

type ShareLinkRow = Selectable<Schema['shares']>;

/** A page of those shares that the request asks for. @param shares the shares to choose from */
async function listValidShares(
  shares: SelectQueryBuilder<Schema, 'shares', ShareLinkRow>,
  { taskId, batchId, access, createdBy, after, limit }: ShareListPart,
): Promise<{ shares: ShareLink[]; more: boolean }> {
  const isAfterPosition = sql<boolean>`(created_at, id) < (${after?.at}::timestamptz, ${after?.id}::uuid)`;
  const rows = await shares
    .$if(taskId !== undefined, (query) =>
      query.where('task_id', '=', taskId!).where('is_batch', '=', false),
    )
    .$if(batchId !== undefined, (query) =>
      query.where('task_id', '=', batchId!).where('is_batch', '=', true),
    )
    .$if(access !== undefined, (query) => query.where('access', '=', access!))
    .$if(createdBy !== undefined, (query) => query.where('created_by_user', '=', createdBy!))
    .$if(after !== undefined, (query) => query.where(isAfterPosition))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute();
  return { shares: rows.slice(0, limit).map(presentShareLink), more: rows.length > limit };
}

async function removeEndedShares(
  db: Kysely<Schema>,
  organizationId: string,
  currentTime: Date,
): Promise<void> {
  await db
    .deleteFrom('shares')
    .where('organization_id', '=', organizationId)
    .where('expires_at', '<=', currentTime)
    .execute();
}

const shareKeyHash = (key: string) => hash('sha256', key, 'hex');
const isEqualHash = (firstHash: string, secondHash: string) =>
  timingSafeEqual(Buffer.from(firstHash), Buffer.from(secondHash));

const presentShareLink = (shareRow: ShareLinkRow): ShareLink => ({
  shareId: shareRow.id,
  organizationId: shareRow.organization_id,
  taskId: shareRow.task_id,
  isBatch: shareRow.is_batch,
  access: shareRow.access as ShareAccess,
  createdBy: shareRow.created_by_user === null ? null : { userId: shareRow.created_by_user },
  createdAt: shareRow.created_at.toISOString(),
  expiresAt: shareRow.expires_at.toISOString(),
});
