import { randomUUID } from 'node:crypto';
import Router from '@koa/router';
import Koa, { type Middleware } from 'koa';
import { noTraces, type Traces } from '../contract/traces.ts';
import type { ServiceLogger } from '../log.ts';
import { clientIpAddress as addressOf, type TrustedProxies } from '../trustedProxies.ts';
import type { ApiContext, ApiMiddleware, ApiRouter, ApiState } from './context.ts';
import { allowCompression, compression } from './middleware/compression.ts';
import { errorPages } from './middleware/errorPages.ts';
import { editorHeaders } from './middleware/editorHeaders.ts';
import { errors } from './middleware/errors.ts';
import { apiHosts, createHostTest, healthHosts, wellFormedRequest } from './middleware/hosts.ts';
import { logging } from './middleware/logging.ts';
import { otherMethods, ownMethods } from './middleware/otherMethods.ts';
import { tracing } from './middleware/tracing.ts';
import { ownLocations } from './middleware/ownLocations.ts';
import type { ApiRouters } from './routes.ts';
import { healthRoutes, type ReadinessReader } from './routes/health.ts';

/**
 * The HTTP side of the service, a Koa app:
 *
 * - `app.ts` lists the middlewares in the order in which each request passes them.
 * - `middleware/` has one middleware a file: authentication, limits, body, validation, errors.
 * - `routes/` has the routes. `tasks.ts` has handlers, `tasks.schema.ts` validates what comes in
 *   (Joi, also for the OpenAPI document), and `tasks.present.ts` names the fields that go out.
 * - `openapi/` describes the routes, `batches/` reads tables, `server.ts` opens the port.
 *
 * `POST /api/v1/agent/tasks` passes, in this order: `app.ts` (request id, log line, errors as
 * `{ error }`, the host name), then its own stack: `authenticate`, `rateLimit`, `requireRole`,
 * `roomOnDisk`, `jsonBody`, `validate`, the handler. The handler calls a use case in src/tasks and
 * presents its result: `{ taskId: 'bg-…', status: 'running', createdAt: '…' }`.
 */

/** Dependencies of the middlewares that every request passes before its route. */
export interface ServerDeps {
  logger: ServiceLogger;
  /** Called with the code of each error response. */
  onRefused?: (code: string) => void;
  /**
   * The base address that clients use; its host is the API's host. The port may be known only after
   * listening.
   */
  publicUrl: () => URL;
  /** The proxies whose `X-Forwarded-For` counts. No other forwarded header is read. */
  trustProxy: TrustedProxies;
  readiness: ReadinessReader;
  /** Default: no traces. */
  traces?: Traces;
  /** Answers requests for the hosts of sites and previews, and passes on all others. */
  serveSites?: Middleware;
}

/** Builds the app. The order of the middlewares is the order of the checks. */
export function createApp({
  server,
  routes,
}: {
  server: ServerDeps;
  routes: ApiRouters;
}): Koa<ApiState> {
  const { logger, publicUrl, traces = noTraces } = server;
  const ownHost = publicUrl().hostname;
  const apiRouter = combineRoutes(routes.api);
  const app = new Koa<ApiState>();
  app.on('error', (err: unknown) => logger.debug({ err }, 'connection failed'));

  app.use(clientAddress(server.trustProxy));
  app.use(requestId());
  app.use(tracing(traces, createHostTest(ownHost)));
  app.use(logging(logger));
  app.use(strictTransport(publicUrl));
  app.use(compression());
  app.use(errorPages());
  app.use(errors(logger, server.onRefused));
  app.use(wellFormedRequest());
  app.use(routeWhen(healthHosts(ownHost), healthRoutes(server.readiness)));
  if (server.serveSites) app.use(server.serveSites);
  app.use(apiHosts(ownHost));
  app.use(ownLocations(publicUrl));
  app.use(apiHeaders());
  app.use(ownMethods(apiRouter));
  app.use(apiRouter.routes());
  app.use(editorHeaders());
  for (const router of [...routes.browser, ...routes.screens]) app.use(router.routes());
  app.use(otherMethods());
  return app;
}

/** Combines groups of routes into the router of `/api/v1`. */
function combineRoutes(routeGroups: ApiRouter[]): ApiRouter {
  const apiRouter = new Router<ApiState>({ strict: true, sensitive: true, prefix: '/api/v1' });
  apiRouter.use(allowCompression());
  for (const groupRoutes of routeGroups) apiRouter.use(groupRoutes.routes());
  return apiRouter;
}

/** Applies the router if the condition holds. Otherwise later middlewares handle the path. */
function routeWhen(condition: (ctx: ApiContext) => boolean, router: ApiRouter): ApiMiddleware {
  const routes = router.routes() as ApiMiddleware;
  const answerOtherMethods = otherMethods();
  return async function when(ctx, next) {
    if (condition(ctx)) await routes(ctx, async () => void (await answerOtherMethods(ctx, next)));
    else await next();
  };
}

/**
 * Sets `ctx.ip` to the client's address, for limits, the audit and sessions.
 * @param proxies the proxies whose `X-Forwarded-For` is trusted
 */
function clientAddress(proxies: TrustedProxies): ApiMiddleware {
  return async function clientAddress(ctx, next) {
    ctx.request.ip = addressOf(ctx.req, proxies);
    await next();
  };
}

const requestIdPattern = /^[A-Za-z0-9._-]{1,128}$/;

/**
 * Sets the request's id: the client's `X-Request-Id` if it is 1 to 128 of [A-Za-z0-9._-], otherwise
 * a new UUID. Every response has it.
 */
function requestId(): ApiMiddleware {
  return async function requestId(ctx, next) {
    const clientRequestId = ctx.get('X-Request-Id');
    ctx.state.requestId = requestIdPattern.test(clientRequestId) ? clientRequestId : randomUUID();
    ctx.state.logContext = {};
    ctx.set('X-Request-Id', ctx.state.requestId);
    await next();
  };
}

/** One year. */
const YEAR_SECONDS = 365 * 24 * 3600;

/**
 * Makes browsers use https for this host if clients use https (RFC 6797). Subdomains are not
 * included, because they may be other services. Browsers ignore the field over plain http (section
 * 8.1), so it does not matter whether a proxy ends TLS.
 */
function strictTransport(publicUrl: () => URL): ApiMiddleware {
  return async function strictTransport(ctx, next) {
    if (publicUrl().protocol === 'https:')
      ctx.set('Strict-Transport-Security', `max-age=${YEAR_SECONDS}`);
    await next();
  };
}

/** Header fields of API responses: no caching, and browsers must not guess the media type. */
function apiHeaders(): ApiMiddleware {
  return async function apiHeaders(ctx, next) {
    if (/^\/(api|auth|account|mcp)(\/|$)/.test(ctx.path))
      ctx.set({ 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' });
    await next();
  };
}
