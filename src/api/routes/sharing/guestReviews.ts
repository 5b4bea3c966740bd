import type { ShareLink } from '../../../organizations/shareLinks.ts';
import {
  commentAsGuest,
  type OpenedReview,
  type GuestReviewPorts,
  markAsGuest,
  readGuestReviews,
  requireCommentLink,
  type ReviewEnd,
} from '../../../tasks/reviews/guestReviews.ts';
import {
  type ApiContext,
  type ApiRouter,
  disconnectionSignal,
  pathParameter,
  type ValidBody,
} from '../../context.ts';
import type { RouteDeps } from '../../apiDeps.ts';
import { createRouter } from '../../router.ts';
import { refuseKey } from '../../middleware/authenticate.ts';
import { sameOrigin } from '../../middleware/editorSession.ts';
import { countLink } from '../../middleware/linkLimits.ts';
import { validBody } from '../../middleware/validBody.ts';
import { guestCommentBody, guestMarksBody, guestReviewBody } from './guestReviews.schema.ts';
import { notifyReview, type ReviewEventDeps } from './reviewEvents.ts';
import { logShare, shareEditUrl } from './shares.ts';

type GuestReviewRouteDeps = GuestReviewPorts & ReviewEventDeps & RouteDeps<'shares' | 'audit'>;

/** Bytes of a body. It may name all pages under review. */
const BODY_BYTES = 200_000;

/**
 * What guests send from the page of a share link for comments or for editing. A guest has no
 * account: the link's key is in each body, and requests count by the limits of links.
 */
export function guestReviewRoutes(deps: GuestReviewRouteDeps): ApiRouter {
  const router = createRouter('/shared');
  const fromOwnPages = sameOrigin(() => deps.editing.publicUrl());
  const bodyLimit = { maxBytes: BODY_BYTES };
  router.post('/:shareId/reviews', fromOwnPages, ...validBody(guestReviewBody), async (ctx) => {
    const review = await openReview(ctx, deps);
    const editUrlOf = (slug: string) => shareEditUrl(deps, review.share, slug);
    ctx.body = await readGuestReviews(deps, review, editUrlOf);
  });
  router.post(
    '/:shareId/marks',
    fromOwnPages,
    ...validBody(guestMarksBody, bodyLimit),
    async (ctx) => {
      const { name, mark, pages } = ctx.state.body;
      const review = await openReview(ctx, deps);
      const end = await markAsGuest(deps, review, { name, mark, pages });
      await recordReviewEnd(ctx, deps, { review, end, name });
      ctx.body = { isComplete: end !== null };
    },
  );
  router.post('/:shareId/comments', fromOwnPages, ...validBody(guestCommentBody), async (ctx) => {
    const { name, slug, text } = ctx.state.body;
    const review = await openReview(ctx, deps);
    const end = await commentAsGuest(deps, review, { name, slug, text });
    await recordReviewEnd(ctx, deps, { review, end, name });
    ctx.body = { isComplete: end !== null };
    ctx.status = 201;
  });
  return router;
}

/** Opens the link of a request by its key. @throws DomainError UNAUTHORIZED, FORBIDDEN */
async function openReview(
  ctx: ApiContext<ValidBody<{ key: string }>>,
  deps: GuestReviewRouteDeps,
): Promise<OpenedReview> {
  const share = await deps.shares.open(pathParameter(ctx, 'shareId'), ctx.state.body.key);
  if (!share) return refuseKey(ctx, deps.rateLimits, 'the link is invalid or has expired');
  await countLink(ctx, deps.rateLimits, 'review', { ...share, linkId: share.shareId });
  logShare(ctx.state.logContext, share);
  requireCommentLink(share);
  const { organizationId } = share;
  const { requestId, logContext } = ctx.state;
  return {
    share,
    caller: { organizationId, requestId, logContext, keyId: guestKeyId(share), role: 'viewer' },
    jobOwner: { organizationId, signal: disconnectionSignal(ctx) },
  };
}

const guestKeyId = ({ shareId }: ShareLink) => `guest of ${shareId}`;

/**
 * Records the end of a review in the audit log, and sends `review.completed`: the guests of a link
 * have marked or commented all of its pages.
 */
async function recordReviewEnd(
  ctx: ApiContext,
  deps: ReviewEventDeps & Pick<GuestReviewRouteDeps, 'audit'>,
  { review, end, name }: { review: OpenedReview; end: ReviewEnd | null; name: string },
): Promise<void> {
  if (!end) return;
  const { organizationId, taskId, shareId } = review.share;
  const version = end.approvedVersion;
  const [action, what] =
    version === null
      ? (['review.complete', taskId] as const)
      : (['publish.approve', `${taskId} (version ${version.slice(0, 12)})`] as const);
  const subject = `${what} by the guest ${name}, link ${shareId}`;
  await deps.audit.record({ organizationId, address: ctx.ip, action, subject });
  const endedAt = new Date();
  await notifyReview(ctx, deps, { share: review.share, reviewed: end.reviewed }, (fields) => ({
    type: 'review.completed',
    eventId: `${shareId}-completed-${version ?? endedAt.getTime()}`,
    timestamp: endedAt.toISOString(),
    data: { ...fields, guest: name, isFine: end.isFine },
  }));
}
