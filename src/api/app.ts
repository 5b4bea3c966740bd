import Router from '@koa/router';
import Koa, { type Middleware } from 'koa';
import type { Assign } from '../agents/assignment.ts';
import type { Logger } from '../log.ts';
import type { Tasks } from '../temporal/tasks/tasks.ts';
import type { Audit } from '../organizations/audit.ts';
import type { ApiContext, ApiMiddleware, ApiRouter, ApiState } from './context.ts';
import { clientAddress } from './middleware/clientAddress.ts';
import { errorPages } from './middleware/errorPages.ts';
import { editorHeaders } from './middleware/editorHeaders.ts';
import { errors } from './middleware/errors.ts';
import { apiHeaders } from './middleware/headers.ts';
import { apiHosts, healthHosts, wellFormedRequest } from './middleware/hosts.ts';
import { logging } from './middleware/logging.ts';
import { otherMethods, ownMethods } from './middleware/otherMethods.ts';
import { nearestPaths } from './middleware/nearestPaths.ts';
import { ownLocations } from './middleware/ownLocations.ts';
import { requestId } from './middleware/requestId.ts';
import { strictTransport } from './middleware/strictTransport.ts';
import type { Proxies } from '../proxies.ts';
import type { Previews } from '../tasks/previews.ts';
import type { PublicationDeps } from '../tasks/publications.ts';
import { auditRoutes } from './routes/audit.ts';
import { type CallbackSecretDeps, callbackSecretRoutes } from './routes/callbackSecret.ts';
import { type CallbackRouteDeps, callbackRoutes } from './routes/callbacks.ts';
import { type AccountRouteDeps, accountRoutes } from './routes/account.ts';
import { authRoutes } from './routes/auth.ts';
import { type DeploymentRouteDeps, deploymentRoutes } from './routes/deployments.ts';
import { type ConsoleDeps, consoleRoutes } from './routes/console.ts';
import { type DocumentDeps, documentRoutes } from './routes/document.ts';
import { type EditLinkDeps, editLinkRoutes } from './routes/editLink.ts';
import { editorRoutes } from './routes/editor.ts';
import { followUpRoutes } from './routes/followUps.ts';
import { type GoingLiveRouteDeps, goingLiveRoutes } from './routes/goingLive.ts';
import { healthRoutes, type Readiness } from './routes/health.ts';
import { type KeyRouteDeps, keyRoutes } from './routes/keys.ts';
import { type NoteDeps, noteRoutes } from './routes/notes.ts';
import { type PeopleDeps, peopleRoutes } from './routes/people.ts';
import { type PreviewRouteDeps, previewRoutes } from './routes/previews.ts';
import { referenceRoutes } from './routes/reference.ts';
import { type ShareDeps, sharedRoutes, shareRoutes } from './routes/shares.ts';
import { sharedWithMeRoutes } from './routes/sharedWithMe.ts';
import { type SiteRouteDeps, siteRoutes } from './routes/sites.ts';
import { type SiteSettingRouteDeps, siteSettingRoutes } from './routes/siteSettings.ts';
import { type TaskDiffDeps, taskDiffRoutes } from './routes/taskDiffs.ts';
import { type TaskEventDeps, taskEventRoutes } from './routes/taskEvents.ts';
import { taskListRoutes } from './routes/taskLists.ts';
import { taskRequestRoutes } from './routes/taskRequests.ts';
import { type TaskRunDeps, taskRunRoutes } from './routes/taskRuns.ts';
import { type TaskRouteDeps, taskRoutes } from './routes/tasks.ts';

export interface AppDeps
  extends
    Omit<GoingLiveRouteDeps, 'noteStates'>,
    NoteDeps,
    PublicationDeps,
    SiteRouteDeps,
    CallbackRouteDeps,
    KeyRouteDeps,
    Omit<CallbackSecretDeps, 'organizations'>,
    SiteSettingRouteDeps,
    DeploymentRouteDeps,
    TaskDiffDeps,
    TaskEventDeps,
    TaskRunDeps,
    EditLinkDeps,
    ShareDeps,
    AccountRouteDeps,
    PeopleDeps,
    DocumentDeps,
    ConsoleDeps {
  assign: Assign;
  checkTask: TaskRouteDeps['checkTask'];
  audit: Audit;
  organizations: PeopleDeps['organizations'] & CallbackSecretDeps['organizations'];
  deployments: Previews & PreviewRouteDeps['deployments'];
  tasks: Tasks;
  logger: Logger;
  /** Told the code of each error that is answered. */
  onRefused?: (code: string) => void;
  /**
   * The address that clients use: its host is the API's. Its port may be known only after
   * listening.
   */
  publicUrl: () => URL;
  /** The proxies whose `X-Forwarded-For` counts. No other forwarded header is read. */
  trustProxy: Proxies;
  readiness: Readiness;
  /** Answers requests for the hosts of sites and previews, and passes on all others. */
  serveSites?: Middleware;
}

/**
 * The HTTP side of the service. The order of the middlewares is the order of the checks; each
 * route's own follow in routes/: authenticate, rate limit, role, body, validate, handler.
 */
export function createApp(deps: AppDeps): Koa<ApiState> {
  const { logger, publicUrl } = deps;
  const ownHost = publicUrl().hostname;
  const api = together(
    taskRoutes(deps),
    followUpRoutes(deps),
    goingLiveRoutes(deps),
    noteRoutes(deps),
    previewRoutes(deps),
    callbackRoutes(deps),
    siteRoutes(deps),
    siteSettingRoutes(deps),
    deploymentRoutes(deps),
    peopleRoutes(deps),
    taskListRoutes(deps),
    taskDiffRoutes(deps),
    taskEventRoutes(deps),
    taskRunRoutes(deps),
    taskRequestRoutes(deps),
    editLinkRoutes(deps),
    shareRoutes(deps),
    keyRoutes(deps),
    callbackSecretRoutes(deps),
    auditRoutes(deps),
    documentRoutes(deps),
  );
  const app = new Koa<ApiState>();
  app.on('error', (err: unknown) => logger.debug({ err }, 'connection failed'));

  app.use(clientAddress(deps.trustProxy));
  app.use(requestId());
  app.use(logging(logger));
  app.use(strictTransport(publicUrl));
  app.use(errorPages());
  app.use(errors(logger, deps.onRefused));
  app.use(wellFormedRequest());
  app.use(when(healthHosts(ownHost), healthRoutes(deps.readiness)));
  if (deps.serveSites) app.use(deps.serveSites);
  app.use(apiHosts(ownHost));
  app.use(ownLocations(publicUrl));
  app.use(apiHeaders());
  app.use(ownMethods(api));
  app.use(api.routes());
  app.use(editorHeaders());
  app.use(authRoutes(deps).routes());
  app.use(accountRoutes(deps).routes());
  app.use(sharedWithMeRoutes(deps).routes());
  app.use(editorRoutes(deps).routes());
  app.use(sharedRoutes(deps).routes());
  const [reference, console] = [referenceRoutes(), consoleRoutes(deps)];
  app.use(reference.routes());
  app.use(console.routes());
  app.use(otherMethods());
  app.use(nearestPaths(api, reference, console));
  return app;
}

/** One router of the API for all these routes. */
function together(...groups: ApiRouter[]): ApiRouter {
  const api = new Router<ApiState>({ strict: true, sensitive: true, prefix: '/api/v1' });
  for (const routes of groups) api.use(routes.routes());
  return api;
}

/** The router's routes where the condition holds; elsewhere the paths are whatever comes after. */
function when(condition: (ctx: ApiContext) => boolean, router: ApiRouter): ApiMiddleware {
  const routes = router.routes() as ApiMiddleware;
  const others = otherMethods();
  return async function when(ctx, next) {
    if (condition(ctx)) await routes(ctx, async () => void (await others(ctx, next)));
    else await next();
  };
}
