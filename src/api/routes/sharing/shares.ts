import type {
  ListedShareResponse,
  CreatedShareResponse,
  OpenedShareResponse,
  ShareResponse,
} from '../../../contract/responses.ts';
import type { LogContext } from '../../../tasks/caller.ts';
import type { ShareLink } from '../../../organizations/shareLinks.ts';
import {
  type ApiContext,
  type ApiRouter,
  batchIdOf,
  callerIdentity,
  pathParameter,
  taskIdOf,
  type ValidBody,
  type ValidQuery,
} from '../../context.ts';
import type { RouteDeps } from '../../apiDeps.ts';
import { recordChange } from '../../recordChange.ts';
import { createRouter } from '../../router.ts';
import { validBody } from '../../middleware/validBody.ts';
import { refuseKey } from '../../middleware/authenticate.ts';
import { sameOrigin } from '../../middleware/editorSession.ts';
import { enter } from '../../middleware/enter.ts';
import { countLink } from '../../middleware/linkLimits.ts';
import { timeCursor } from '../../timeCursors.ts';
import { validateQuery } from '../../middleware/validate.ts';
import { editorUrl, findEditable } from '../../../tasks/editLink.ts';
import {
  findShareableBatch,
  listShareLinks,
  openSharedPages,
  type SharedPagesPart,
  type SharedTaskPorts,
} from '../../../tasks/shareLinks.ts';
import { notifyReview, type ReviewEventDeps } from './reviewEvents.ts';
import {
  openShareBody,
  sharedPageCursor,
  type ShareBody,
  shareBody,
  shareListQuery,
  type ShareListQuery,
} from './shares.schema.ts';

type ShareRouteDeps = SharedTaskPorts & RouteDeps<'audit' | 'eventLog' | 'startEvent'>;

/**
 * Maximum bytes of the body with the link's key. It is small, because the client is not
 * authenticated yet.
 */
const OPEN_BODY_BYTES = 2_000;

/** Share links, with which people who have no account view or edit the pages of a task or batch. */
export function shareRoutes(deps: ShareRouteDeps): ApiRouter {
  const router = createRouter();
  router.post(
    '/agent/tasks/:taskId/shares',
    ...enter(deps, 'create'),
    ...validBody(shareBody),
    async (ctx) => {
      ctx.body = await createShare(ctx, deps, { taskId: taskIdOf(ctx) }, ctx.state.body);
      ctx.status = 201;
    },
  );
  router.post(
    '/agent/batches/:batchId/shares',
    ...enter(deps, 'create'),
    ...validBody(shareBody),
    async (ctx) => {
      ctx.body = await createShare(ctx, deps, { batchId: batchIdOf(ctx) }, ctx.state.body);
      ctx.status = 201;
    },
  );
  router.get('/shares', ...enter(deps, 'read'), validateQuery(shareListQuery), (ctx) =>
    answerShareLinks(ctx, deps),
  );
  router.delete('/shares/:shareId', ...enter(deps, 'create'), async (ctx) => {
    await revokeShare(ctx, deps, pathParameter(ctx, 'shareId'));
    ctx.status = 204;
  });
  return router;
}

/** The request of the page that a share link opens. It needs only the link's key, no API key. */
export function sharedRoutes(deps: ShareRouteDeps): ApiRouter {
  const router = createRouter('/shared');
  const fromOwnPages = sameOrigin(() => deps.editing.publicUrl());
  const bodyChecks = validBody(openShareBody, { maxBytes: OPEN_BODY_BYTES });
  router.post('/:shareId', fromOwnPages, ...bodyChecks, (ctx) => openShareLink(ctx, deps));
  return router;
}

/**
 * POST /agent/tasks/{taskId}/shares and the same of batches: creates a link such as
 * `https://…/shared/<shareId>#key=…`. Its key is in the fragment, which browsers never send.
 * @throws DomainError NOT_FOUND or CONFLICT if there are no pages to share
 */
export async function createShare(
  ctx: ApiContext,
  deps: Pick<ShareRouteDeps, 'shares' | 'audit' | 'editing' | 'deployments' | 'batches'> &
    ReviewEventDeps,
  shared: { taskId: string } | { batchId: string },
  { access, days }: ShareBody,
): Promise<CreatedShareResponse> {
  const { organizationId, userId } = callerIdentity(ctx);
  const isBatch = 'batchId' in shared;
  const subject = isBatch
    ? await findShareableBatch(deps, organizationId, shared.batchId)
    : await findEditable(deps, organizationId, shared.taskId);
  const taskId = 'batchId' in subject ? subject.batchId : subject.taskId;
  const { share, key: linkKey } = await deps.shares.create({
    organizationId,
    taskId,
    isBatch,
    access,
    days,
    userId,
  });
  await recordChange(ctx, deps, 'share.create', `${taskId} (${access}, ${days} days)`);
  await notifyReview(ctx, deps, { share, reviewed: subject }, (fields) => ({
    type: 'review.requested',
    eventId: `${share.shareId}-requested`,
    timestamp: share.createdAt,
    data: { ...fields, access, expiresAt: share.expiresAt },
  }));
  const linkUrl = new URL(`/shared/${share.shareId}`, deps.editing.publicUrl());
  linkUrl.hash = `key=${linkKey}`;
  return { ...presentShare(share), url: linkUrl.href };
}

/** GET /shares: the links of the whole organization. */
async function answerShareLinks(
  ctx: ApiContext<ValidQuery<ShareListQuery>>,
  deps: ShareRouteDeps,
): Promise<void> {
  const { cursor: after, ...listFilters } = ctx.state.query;
  const { shares, next: nextPosition } = await listShareLinks(
    deps,
    callerIdentity(ctx).organizationId,
    {
      ...listFilters,
      after,
    },
  );
  ctx.body = {
    shares: shares.map(({ share, createdBy, title, site }): ListedShareResponse => {
      const siteId = site?.siteId ?? null;
      return { ...presentShare(share), createdBy, title, siteId };
    }),
    nextCursor: nextPosition && timeCursor.at(nextPosition),
  };
}

/** DELETE /shares/{shareId}. @throws DomainError NOT_FOUND */
export async function revokeShare(
  ctx: ApiContext,
  deps: Pick<ShareRouteDeps, 'shares' | 'audit'>,
  shareId: string,
): Promise<void> {
  const { organizationId } = callerIdentity(ctx);
  const taskId = await deps.shares.revoke(organizationId, shareId);
  await recordChange(ctx, deps, 'share.revoke', taskId);
}

/**
 * POST /shared/{shareId}: the pages that the link opens, with URLs of the editor if it is an
 * editing link.
 */
async function openShareLink(
  ctx: ApiContext<ValidBody<{ key: string } & SharedPagesPart>>,
  deps: ShareRouteDeps,
): Promise<void> {
  const { key: linkKey, ...part } = ctx.state.body;
  const share = await deps.shares.open(pathParameter(ctx, 'shareId'), linkKey);
  if (!share) return refuseKey(ctx, deps.rateLimits, 'the link is invalid or has expired');
  await countLink(ctx, deps.rateLimits, 'open', { ...share, linkId: share.shareId });
  logShare(ctx.state.logContext, share);
  const editUrlOf = (slug: string) => shareEditUrl(deps, share, slug);
  ctx.body = presentOpenedShare(await openSharedPages(deps, share, { part, editUrlOf }));
}

/** Names the task or batch of a link in the log line of a request. */
export function logShare(logContext: LogContext, { taskId, isBatch }: ShareLink): void {
  logContext[isBatch ? 'batchId' : 'taskId'] = taskId;
}

export const presentOpenedShare = ({
  next,
  ...openedPages
}: Awaited<ReturnType<typeof openSharedPages>>): OpenedShareResponse => ({
  ...openedPages,
  nextCursor: next === null ? null : sharedPageCursor.at(next),
});

/** The URL at which the holder of a link edits a page. null if the link is not for editing. */
export function shareEditUrl(
  { editing }: Pick<ShareRouteDeps, 'editing'>,
  share: ShareLink,
  slug: string,
): string | null {
  if (share.access !== 'edit') return null;
  const { organizationId, taskId, shareId } = share;
  const { token } = editing.grants.issue('link', { organizationId, taskId, shareId });
  return editorUrl(editing.publicUrl(), { taskId, slug, token });
}

const presentShare = ({
  shareId,
  taskId,
  isBatch,
  access,
  createdAt,
  expiresAt,
}: ShareLink): ShareResponse => ({
  shareId,
  taskId: isBatch ? null : taskId,
  batchId: isBatch ? taskId : null,
  access,
  createdAt,
  expiresAt,
});
