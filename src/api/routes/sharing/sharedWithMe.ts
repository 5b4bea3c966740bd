import type { SharedLink } from '../../../contract/responses.ts';
import { DomainError } from '../../../errors.ts';
import {
  type ApiContext,
  type ApiRouter,
  pathParameter,
  sessionOf,
  type ValidQuery,
} from '../../context.ts';
import { createRouter } from '../../router.ts';
import { requireSession, type SessionDeps } from '../../middleware/session.ts';
import { validateQuery } from '../../middleware/validate.ts';
import { timeCursor } from '../../timeCursors.ts';
import { logShare, presentOpenedShare } from './shares.ts';
import { sharedPagesQuery, sharedQuery, type SharedQuery } from './shares.schema.ts';
import {
  listShareLinks,
  openSharedPages,
  type SharedPagesPart,
  type SharedTaskPorts,
} from '../../../tasks/shareLinks.ts';

type SharedWithMeRouteDeps = SharedTaskPorts & SessionDeps;

/**
 * The valid view-only share links of a person's organizations. They need a session instead of an
 * API key, so that viewers, who can't have a key, see them too.
 */
export function sharedWithMeRoutes(deps: SharedWithMeRouteDeps): ApiRouter {
  const router = createRouter();
  const withSession = requireSession(deps);
  router.get('/account/shared', withSession, validateQuery(sharedQuery), (ctx) =>
    listSharedLinks(ctx, deps),
  );
  router.get('/account/shared/:shareId', withSession, validateQuery(sharedPagesQuery), (ctx) =>
    openSharedLink(ctx, deps),
  );
  return router;
}

/** GET /account/shared */
async function listSharedLinks(
  ctx: ApiContext<ValidQuery<SharedQuery>>,
  deps: SharedWithMeRouteDeps,
): Promise<void> {
  const { organizationId, limit, cursor: after } = ctx.state.query;
  if (!(await isMemberOf(ctx, deps, organizationId)))
    throw new DomainError('NOT_FOUND', 'Organization not found');
  const { shares, next: nextPosition } = await listShareLinks(deps, organizationId, {
    access: 'view',
    limit,
    after,
  });
  ctx.body = {
    shared: shares.map(
      ({ share: { shareId, createdAt, expiresAt }, createdBy, title, site }): SharedLink => ({
        shareId,
        title,
        site: site?.name ?? null,
        sharedBy: createdBy?.name ?? null,
        createdAt,
        expiresAt,
      }),
    ),
    nextCursor: nextPosition && timeCursor.at(nextPosition),
  };
}

/** GET /account/shared/{shareId} */
async function openSharedLink(
  ctx: ApiContext<ValidQuery<SharedPagesPart>>,
  deps: SharedWithMeRouteDeps,
): Promise<void> {
  const share = await deps.shares.find(pathParameter(ctx, 'shareId'));
  if (share?.access !== 'view' || !(await isMemberOf(ctx, deps, share.organizationId)))
    throw new DomainError('NOT_FOUND', 'Share not found');
  logShare(ctx.state.logContext, share);
  ctx.body = presentOpenedShare(
    await openSharedPages(deps, share, { part: ctx.state.query, editUrlOf: () => null }),
  );
}

async function isMemberOf(
  ctx: ApiContext,
  { accounts }: SharedWithMeRouteDeps,
  organizationId: string,
): Promise<boolean> {
  const memberships = await accounts.memberships.of(sessionOf(ctx).userId);
  return memberships.some((membership) => membership.organizationId === organizationId);
}
