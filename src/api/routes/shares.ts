import type { ListedShare, NewShare, Share as ShareAnswer } from '../../contract/answers.ts';
import type { Share } from '../../organizations/shares.ts';
import {
  type ApiContext,
  type ApiRouter,
  identityOf,
  pathParameter,
  taskIdOf,
  type ValidQuery,
} from '../context.ts';
import type { RouteNeeds } from '../parts.ts';
import { recordChange } from '../recordChange.ts';
import { createRouter } from '../router.ts';
import { validBody } from '../middleware/validBody.ts';
import { refuseKey } from '../middleware/authenticate.ts';
import { sameOrigin } from '../middleware/editorSession.ts';
import { enter } from '../middleware/enter.ts';
import { countLink } from '../middleware/linkLimits.ts';
import { timeCursor } from '../timeCursors.ts';
import { validateQuery } from '../middleware/validate.ts';
import { editorUrl, findEditable } from '../../tasks/editLink.ts';
import { listShared, openPages, type SharedTaskDeps } from '../../tasks/shareLinks.ts';
import {
  openShareBody,
  type ShareBody,
  shareBody,
  shareListQuery,
  type ShareListQuery,
} from './shares.schema.ts';

type Deps = SharedTaskDeps & RouteNeeds<'audit'>;

/**
 * Maximum bytes of the body with the link's key. It is small, because the client is not
 * authenticated yet.
 */
const OPEN_BODY_BYTES = 2_000;

/** Share links: people without an account view or edit a task's pages with them. */
export function shareRoutes(deps: Deps): ApiRouter {
  const router = createRouter();
  router.post(
    '/agent/tasks/:taskId/shares',
    ...enter(deps, 'create'),
    ...validBody(shareBody),
    async (ctx) => {
      ctx.body = await createShare(ctx, deps, taskIdOf(ctx), ctx.state.body);
      ctx.status = 201;
    },
  );
  router.get('/shares', ...enter(deps, 'read'), validateQuery(shareListQuery), (ctx) =>
    listAll(ctx, deps),
  );
  router.delete('/shares/:shareId', ...enter(deps, 'create'), async (ctx) => {
    await revokeShare(ctx, deps, pathParameter(ctx, 'shareId'));
    ctx.status = 204;
  });
  return router;
}

/** Requests of a share link's page. They are outside of the API and need only the link's key. */
export function sharedRoutes(deps: Deps): ApiRouter {
  const router = createRouter('/shared');
  const fromHere = sameOrigin(() => deps.editing.publicUrl());
  const body = validBody(openShareBody, { maxBytes: OPEN_BODY_BYTES });
  router.post('/:shareId', fromHere, ...body, (ctx) => open(ctx, deps, ctx.state.body.key));
  return router;
}

/**
 * POST /agent/tasks/{taskId}/shares. The link has its key in the fragment, which browsers never
 * send.
 */
export async function createShare(
  ctx: ApiContext,
  deps: Pick<Deps, 'shares' | 'audit' | 'editing' | 'deployments'>,
  task: string,
  { access, days }: ShareBody,
): Promise<NewShare> {
  const { organizationId, userId } = identityOf(ctx);
  const { taskId } = await findEditable(deps, organizationId, task);
  const { share, key } = await deps.shares.create({ organizationId, taskId, access, days, userId });
  await recordChange(ctx, deps, 'share.create', `${taskId} (${access}, ${days} days)`);
  const url = new URL(`/shared/${share.shareId}`, deps.editing.publicUrl());
  url.hash = `key=${key}`;
  return { ...present(share), url: url.href };
}

/** GET /shares: the links of the whole organization. */
async function listAll(ctx: ApiContext<ValidQuery<ShareListQuery>>, deps: Deps): Promise<void> {
  const { cursor: after, ...part } = ctx.state.query;
  const { shares, next } = await listShared(deps, identityOf(ctx).organizationId, {
    ...part,
    after,
  });
  ctx.body = {
    shares: shares.map(({ share, createdBy, title, site }): ListedShare => {
      const siteId = site?.siteId ?? null;
      return { ...present(share), createdBy, title, siteId };
    }),
    nextCursor: next && timeCursor.at(next),
  };
}

/** DELETE /shares/{shareId} */
export async function revokeShare(
  ctx: ApiContext,
  deps: Pick<Deps, 'shares' | 'audit'>,
  shareId: string,
): Promise<void> {
  const { organizationId } = identityOf(ctx);
  const taskId = await deps.shares.revoke(organizationId, shareId);
  await recordChange(ctx, deps, 'share.revoke', taskId);
}

/**
 * POST /shared/{shareId}: the pages that the link opens. For an editing link, with addresses that
 * open the editor.
 */
async function open(ctx: ApiContext, deps: Deps, key: string): Promise<void> {
  const share = await deps.shares.open(pathParameter(ctx, 'shareId'), key);
  if (!share) return refuseKey(ctx, deps.rateLimits, 'the link has ended, or is none');
  await countLink(ctx, deps.rateLimits, 'open', { ...share, linkId: share.shareId });
  ctx.state.subject.taskId = share.taskId;
  ctx.body = await openPages(deps, share, (slug) => editUrlOf(deps, share, slug));
}

function editUrlOf({ editing }: Deps, share: Share, slug: string): string | null {
  if (share.access !== 'edit') return null;
  const { organizationId, taskId, shareId } = share;
  const { token } = editing.grants.issue('link', { organizationId, taskId, shareId });
  return editorUrl(editing.publicUrl(), { taskId, slug, token });
}

const present = ({ shareId, taskId, access, createdAt, expiresAt }: Share): ShareAnswer => ({
  shareId,
  taskId,
  access,
  createdAt,
  expiresAt,
});
