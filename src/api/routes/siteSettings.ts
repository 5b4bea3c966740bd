import type { DeployKey, SiteCheck } from '../../contract/answers.ts';
import { defined } from '../../contract/defined.ts';
import type { Site } from '../../contract/site.ts';
import { findSite } from '../../sites/git/registeredSite.ts';
import {
  type ApiContext,
  type ApiRouter,
  identityOf,
  pathParameter,
  type ValidBody,
  workOf,
} from '../context.ts';
import type { RouteNeeds } from '../parts.ts';
import { recordChange } from '../recordChange.ts';
import { createRouter } from '../router.ts';
import { validBody } from '../middleware/validBody.ts';
import { enter } from '../middleware/enter.ts';
import { roomOnDisk } from '../middleware/roomOnDisk.ts';
import type { CheckRequest, NewSiteRequest, SiteChange } from '../siteSettings.ts';
import { DomainError } from '../../errors.ts';
import { checkBody, newSiteBody, nothing, siteChangeBody } from './siteSettings.schema.ts';
import { presentOneSite } from './sites.present.ts';

type Deps = RouteNeeds<
  | 'sites'
  | 'siteList'
  | 'siteSettings'
  | 'credentials'
  | 'liveAddress'
  | 'publicUrl'
  | 'audit'
  | 'hasRoom'
>;

const BODY_BYTES = 32_000;

/** Admins' operations on sites, and reading one site, for every member. */
export function siteSettingRoutes(deps: Deps): ApiRouter {
  const router = createRouter();
  const entered = enter(deps, 'create', 'admin');
  const fetching = [...entered, roomOnDisk(deps)];
  const size = { maxBytes: BODY_BYTES };
  router.post('/sites/check', ...fetching, ...validBody(checkBody, size), (ctx) =>
    check(ctx, deps),
  );
  router.post('/sites', ...fetching, ...validBody(newSiteBody, size), (ctx) => create(ctx, deps));
  router.get('/sites/:siteId', ...enter(deps, 'read'), (ctx) => read(ctx, deps));
  router.patch('/sites/:siteId', ...fetching, ...validBody(siteChangeBody, size), (ctx) =>
    change(ctx, deps),
  );
  router.delete('/sites/:siteId', ...entered, (ctx) => remove(ctx, deps));
  router.post(
    '/sites/:siteId/webhook-secret',
    ...entered,
    ...validBody(nothing, { optional: true }),
    (ctx) => renewWebhookSecret(ctx, deps),
  );
  router.post('/deploy-keys', ...entered, ...validBody(nothing, { optional: true }), (ctx) =>
    addDeployKey(ctx, deps),
  );
  return router;
}

/** POST /sites/check */
async function check(ctx: ApiContext<ValidBody<CheckRequest>>, { siteSettings }: Deps) {
  const { organizationId, signal } = workOf(ctx);
  const found: SiteCheck = await siteSettings.check(organizationId, ctx.state.body, signal!);
  ctx.body = found;
}

/** POST /sites */
async function create(ctx: ApiContext<ValidBody<NewSiteRequest>>, deps: Deps) {
  const { organizationId, signal } = workOf(ctx);
  const made = await deps.siteSettings.create(organizationId, ctx.state.body, signal!);
  const { site, webhookSecret } = made;
  await recordChange(ctx, deps, 'site.create', site.name);
  ctx.status = 201;
  await present(ctx, deps, { siteId: site.siteId, ...defined({ webhookSecret }) });
}

/** GET /sites/{siteId} */
async function read(ctx: ApiContext, deps: Deps) {
  await present(ctx, deps, { siteId: pathParameter(ctx, 'siteId') });
}

/** PATCH /sites/{siteId} */
async function change(ctx: ApiContext<ValidBody<SiteChange>>, deps: Deps) {
  const site = await siteOf(ctx, deps);
  const secret = await deps.siteSettings.change(site, ctx.state.body, workOf(ctx).signal!);
  await recordChange(ctx, deps, 'site.update', ctx.state.body.name ?? site.name);
  await present(ctx, deps, { siteId: site.siteId, ...secret });
}

/** DELETE /sites/{siteId} */
async function remove(ctx: ApiContext, deps: Deps) {
  const site = await siteOf(ctx, deps);
  await deps.siteSettings.remove(site);
  await recordChange(ctx, deps, 'site.delete', site.name);
  ctx.status = 204;
}

/** POST /sites/{siteId}/webhook-secret */
async function renewWebhookSecret(ctx: ApiContext, deps: Deps) {
  const site = await siteOf(ctx, deps);
  const webhookSecret = await deps.siteSettings.newWebhookSecret(site);
  await recordChange(ctx, deps, 'site.update', site.name);
  ctx.body = { webhookSecret };
}

/** POST /deploy-keys */
async function addDeployKey(ctx: ApiContext, deps: Deps) {
  const key: DeployKey = await deps.credentials.addDeployKey(identityOf(ctx).organizationId);
  await recordChange(ctx, deps, 'deploy-key.create', key.fingerprint);
  ctx.status = 201;
  ctx.body = key;
}

async function siteOf(ctx: ApiContext, { sites }: Deps): Promise<Site> {
  const siteId = pathParameter(ctx, 'siteId');
  const site = await findSite(sites, { organizationId: identityOf(ctx).organizationId, siteId });
  ctx.state.subject.siteId = site.siteId;
  return site;
}

async function present(
  ctx: ApiContext,
  deps: Deps,
  { siteId, ...secret }: { siteId: string; webhookSecret?: string },
) {
  const site = await deps.siteList.find(identityOf(ctx).organizationId, siteId);
  if (!site) throw new DomainError('NOT_FOUND', 'Site not found');
  ctx.state.subject.siteId = site.siteId;
  ctx.body = { ...presentOneSite(site, deps), ...secret };
}
