import Router from '@koa/router';
import type { DeployKey, SiteCheck } from '../../contract/answers.ts';
import type { Site } from '../../contract/site.ts';
import type { AuditRecord } from '../../organizations/audit.ts';
import type { Credentials } from '../../organizations/credentials.ts';
import type { SiteList } from '../../organizations/siteList.ts';
import { findSite } from '../../sites/git/registeredSite.ts';
import {
  type ApiContext,
  type ApiRouter,
  type ApiState,
  identityOf,
  pathParameter,
  type ValidBody,
  workOf,
} from '../context.ts';
import { jsonBody } from '../middleware/body.ts';
import { enter, type EnterDeps } from '../middleware/enter.ts';
import { roomOnDisk, type RoomDeps } from '../middleware/roomOnDisk.ts';
import { validate } from '../middleware/validate.ts';
import type { GivenRepository } from '../candidateRepository.ts';
import type { NewSiteRequest, SiteChange, SiteSettings } from '../siteSettings.ts';
import { DomainError } from '../../errors.ts';
import { checkBody, newSiteBody, nothing, siteChangeBody } from './siteSettings.schema.ts';
import { presentSite } from './sites.present.ts';

export interface SiteSettingRouteDeps extends EnterDeps, RoomDeps {
  sites: { find(organizationId: string, siteId: string): Promise<Site | null> };
  siteList: SiteList;
  siteSettings: SiteSettings;
  credentials: Pick<Credentials, 'addDeployKey'>;
  liveAddress: (site: Site) => string;
  audit: { record(entry: AuditRecord): Promise<void> };
}

const BODY_BYTES = 32_000;

/** What admins do to sites, and everybody's view of one. */
export function siteSettingRoutes(deps: SiteSettingRouteDeps): ApiRouter {
  const router = new Router<ApiState>({ strict: true, sensitive: true });
  const entered = enter(deps, 'create', 'admin');
  const body = jsonBody({ maxBytes: BODY_BYTES });
  const fetching = [...entered, roomOnDisk(deps), body];
  router.post('/sites/check', ...fetching, validate(checkBody), (ctx) => check(ctx, deps));
  router.post('/sites', ...fetching, validate(newSiteBody), (ctx) => create(ctx, deps));
  router.get('/sites/:siteId', ...enter(deps, 'read'), (ctx) => read(ctx, deps));
  router.patch('/sites/:siteId', ...fetching, validate(siteChangeBody), (ctx) => change(ctx, deps));
  router.delete('/sites/:siteId', ...entered, (ctx) => remove(ctx, deps));
  router.post('/deploy-keys', ...entered, jsonBody({ optional: true }), validate(nothing), (ctx) =>
    addDeployKey(ctx, deps),
  );
  return router;
}

/** POST /sites/check */
async function check(
  ctx: ApiContext<ValidBody<{ repository: GivenRepository }>>,
  { siteSettings }: SiteSettingRouteDeps,
) {
  const { organizationId, signal } = workOf(ctx);
  const found: SiteCheck = await siteSettings.check(
    organizationId,
    ctx.state.body.repository,
    signal!,
  );
  ctx.body = found;
}

/** POST /sites */
async function create(ctx: ApiContext<ValidBody<NewSiteRequest>>, deps: SiteSettingRouteDeps) {
  const { organizationId, signal } = workOf(ctx);
  const { siteId, name } = await deps.siteSettings.create(organizationId, ctx.state.body, signal!);
  await record(ctx, deps, 'site.create', name);
  ctx.status = 201;
  await present(ctx, deps, siteId);
}

/** GET /sites/{siteId} */
async function read(ctx: ApiContext, deps: SiteSettingRouteDeps) {
  await present(ctx, deps, pathParameter(ctx, 'siteId'));
}

/** PATCH /sites/{siteId} */
async function change(ctx: ApiContext<ValidBody<SiteChange>>, deps: SiteSettingRouteDeps) {
  const site = await siteOf(ctx, deps);
  await deps.siteSettings.change(site, ctx.state.body, workOf(ctx).signal!);
  await record(ctx, deps, 'site.update', ctx.state.body.name ?? site.name);
  await present(ctx, deps, site.siteId);
}

/** DELETE /sites/{siteId} */
async function remove(ctx: ApiContext, deps: SiteSettingRouteDeps) {
  const site = await siteOf(ctx, deps);
  await deps.siteSettings.remove(site);
  await record(ctx, deps, 'site.delete', site.name);
  ctx.status = 204;
}

/** POST /deploy-keys */
async function addDeployKey(ctx: ApiContext, deps: SiteSettingRouteDeps) {
  const key: DeployKey = await deps.credentials.addDeployKey(identityOf(ctx).organizationId);
  await record(ctx, deps, 'deploy-key.create', key.fingerprint);
  ctx.status = 201;
  ctx.body = key;
}

async function siteOf(ctx: ApiContext, { sites }: SiteSettingRouteDeps): Promise<Site> {
  const siteId = pathParameter(ctx, 'siteId');
  const site = await findSite(sites, { organizationId: identityOf(ctx).organizationId, siteId });
  ctx.state.subject.siteId = site.siteId;
  return site;
}

async function present(
  ctx: ApiContext,
  { siteList, liveAddress }: SiteSettingRouteDeps,
  siteId: string,
) {
  const site = await siteList.find(identityOf(ctx).organizationId, siteId);
  if (!site) throw new DomainError('NOT_FOUND', 'Site not found');
  ctx.state.subject.siteId = site.siteId;
  ctx.body = presentSite(site, liveAddress);
}

async function record(
  ctx: ApiContext,
  { audit }: SiteSettingRouteDeps,
  action: AuditRecord['action'],
  subject: string,
) {
  const { organizationId, keyId, userId } = identityOf(ctx);
  await audit.record({ organizationId, keyId, userId, address: ctx.ip, action, subject });
}
