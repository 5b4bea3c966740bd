import type { DeployKeyResponse, SiteCheckResponse } from '../../../contract/responses.ts';
import { withoutUndefined } from '../../../contract/withoutUndefined.ts';
import type { Site } from '../../../contract/site.ts';
import { findSite } from '../../../sites/git/registeredSite.ts';
import {
  type ApiContext,
  type ApiRouter,
  callerIdentity,
  pathParameter,
  type ValidBody,
  jobOwnerOf,
} from '../../context.ts';
import type { RouteDeps } from '../../apiDeps.ts';
import { recordChange } from '../../recordChange.ts';
import { createRouter } from '../../router.ts';
import { validBody } from '../../middleware/validBody.ts';
import { enter } from '../../middleware/enter.ts';
import { roomOnDisk } from '../../middleware/roomOnDisk.ts';
import type { SiteCheckRequest, NewSiteRequest, SiteChange } from '../../siteSettings.ts';
import { DomainError } from '../../../errors.ts';
import { checkBody, newSiteBody, nothing, siteChangeBody } from './siteSettings.schema.ts';
import { presentOneSite } from './sites.present.ts';

type SiteSettingRouteDeps = RouteDeps<
  | 'sites'
  | 'siteList'
  | 'siteSettings'
  | 'credentials'
  | 'liveOriginOf'
  | 'publicUrl'
  | 'audit'
  | 'hasRoom'
>;

const BODY_BYTES = 32_000;

/** Operations of admins on sites (src/api/siteSettings.ts), and reading one site. */
export function siteSettingRoutes(deps: SiteSettingRouteDeps): ApiRouter {
  const router = createRouter();
  const entryChecks = enter(deps, 'create', 'admin');
  const fetchChecks = [...entryChecks, roomOnDisk(deps)];
  const bodyLimit = { maxBytes: BODY_BYTES };
  router.post('/sites/check', ...fetchChecks, ...validBody(checkBody, bodyLimit), (ctx) =>
    checkSite(ctx, deps),
  );
  router.post('/sites', ...fetchChecks, ...validBody(newSiteBody, bodyLimit), (ctx) =>
    createSite(ctx, deps),
  );
  router.get('/sites/:siteId', ...enter(deps, 'read'), (ctx) => readSite(ctx, deps));
  router.patch('/sites/:siteId', ...fetchChecks, ...validBody(siteChangeBody, bodyLimit), (ctx) =>
    changeSite(ctx, deps),
  );
  router.delete('/sites/:siteId', ...entryChecks, (ctx) => removeSite(ctx, deps));
  router.post(
    '/sites/:siteId/webhook-secret',
    ...entryChecks,
    ...validBody(nothing, { optional: true }),
    (ctx) => renewWebhookSecret(ctx, deps),
  );
  router.post('/deploy-keys', ...entryChecks, ...validBody(nothing, { optional: true }), (ctx) =>
    addDeployKey(ctx, deps),
  );
  return router;
}

/** POST /sites/check */
async function checkSite(
  ctx: ApiContext<ValidBody<SiteCheckRequest>>,
  { siteSettings }: SiteSettingRouteDeps,
) {
  const { organizationId, signal } = jobOwnerOf(ctx);
  const siteCheck: SiteCheckResponse = await siteSettings.check(
    organizationId,
    ctx.state.body,
    signal!,
  );
  ctx.body = siteCheck;
}

/** POST /sites */
async function createSite(ctx: ApiContext<ValidBody<NewSiteRequest>>, deps: SiteSettingRouteDeps) {
  const { organizationId, signal } = jobOwnerOf(ctx);
  const createdSite = await deps.siteSettings.create(organizationId, ctx.state.body, signal!);
  const { site, webhookSecret } = createdSite;
  await recordChange(ctx, deps, 'site.create', site.name);
  ctx.status = 201;
  await answerSite(ctx, deps, { siteId: site.siteId, ...withoutUndefined({ webhookSecret }) });
}

/** GET /sites/{siteId} */
async function readSite(ctx: ApiContext, deps: SiteSettingRouteDeps) {
  await answerSite(ctx, deps, { siteId: pathParameter(ctx, 'siteId') });
}

/** PATCH /sites/{siteId} */
async function changeSite(ctx: ApiContext<ValidBody<SiteChange>>, deps: SiteSettingRouteDeps) {
  const site = await findRequestedSite(ctx, deps);
  const secretFields = await deps.siteSettings.change(
    site,
    ctx.state.body,
    jobOwnerOf(ctx).signal!,
  );
  const { name = site.name, publishApproval } = ctx.state.body;
  const changedSetting = publishApproval ? ` (publishApproval: ${publishApproval})` : '';
  await recordChange(ctx, deps, 'site.update', `${name}${changedSetting}`);
  await answerSite(ctx, deps, { siteId: site.siteId, ...secretFields });
}

/** DELETE /sites/{siteId} */
async function removeSite(ctx: ApiContext, deps: SiteSettingRouteDeps) {
  const site = await findRequestedSite(ctx, deps);
  await deps.siteSettings.remove(site);
  await recordChange(ctx, deps, 'site.delete', site.name);
  ctx.status = 204;
}

/** POST /sites/{siteId}/webhook-secret */
async function renewWebhookSecret(ctx: ApiContext, deps: SiteSettingRouteDeps) {
  const site = await findRequestedSite(ctx, deps);
  const webhookSecret = await deps.siteSettings.newWebhookSecret(site);
  await recordChange(ctx, deps, 'site.update', site.name);
  ctx.body = { webhookSecret };
}

/** POST /deploy-keys */
async function addDeployKey(ctx: ApiContext, deps: SiteSettingRouteDeps) {
  const deployKey: DeployKeyResponse = await deps.credentials.addDeployKey(
    callerIdentity(ctx).organizationId,
  );
  await recordChange(ctx, deps, 'deploy-key.create', deployKey.fingerprint);
  ctx.status = 201;
  ctx.body = deployKey;
}

async function findRequestedSite(ctx: ApiContext, { sites }: SiteSettingRouteDeps): Promise<Site> {
  const siteId = pathParameter(ctx, 'siteId');
  const site = await findSite(sites, {
    organizationId: callerIdentity(ctx).organizationId,
    siteId,
  });
  ctx.state.logContext.siteId = site.siteId;
  return site;
}

/** Sends a site as the response, with a webhook secret if the request created one. */
async function answerSite(
  ctx: ApiContext,
  deps: SiteSettingRouteDeps,
  { siteId, ...secretFields }: { siteId: string; webhookSecret?: string },
) {
  const site = await deps.siteList.find(callerIdentity(ctx).organizationId, siteId);
  if (!site) throw new DomainError('NOT_FOUND', 'Site not found');
  ctx.state.logContext.siteId = site.siteId;
  ctx.body = { ...presentOneSite(site, deps), ...secretFields };
}
