import Router from '@koa/router';
import Koa, { type Middleware } from 'koa';
import type { Logger } from '../log.ts';
import type { Proxies } from '../proxies.ts';
import type { ApiContext, ApiMiddleware, ApiRouter, ApiState } from './context.ts';
import { allowCompression, compression } from './middleware/compression.ts';
import { clientAddress } from './middleware/clientAddress.ts';
import { errorPages } from './middleware/errorPages.ts';
import { editorHeaders } from './middleware/editorHeaders.ts';
import { errors } from './middleware/errors.ts';
import { apiHeaders } from './middleware/headers.ts';
import { apiHosts, healthHosts, wellFormedRequest } from './middleware/hosts.ts';
import { logging } from './middleware/logging.ts';
import { otherMethods, ownMethods } from './middleware/otherMethods.ts';
import { ownLocations } from './middleware/ownLocations.ts';
import { requestId } from './middleware/requestId.ts';
import { strictTransport } from './middleware/strictTransport.ts';
import type { Routes } from './routes.ts';
import { healthRoutes, type Readiness } from './routes/health.ts';

/** Dependencies of the middlewares that every request passes before its route. */
export interface Server {
  logger: Logger;
  /** Called with the code of each error answer. */
  onRefused?: (code: string) => void;
  /**
   * The base address that clients use; its host is the API's host. The port may be known only after
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
 * Builds the HTTP side of the service. The order of the middlewares is the order of the checks.
 * Each route then has its own in routes/: authenticate, rate limit, role, body, validate, handler.
 */
export function createApp({ server, routes }: { server: Server; routes: Routes }): Koa<ApiState> {
  const { logger, publicUrl } = server;
  const ownHost = publicUrl().hostname;
  const api = together(routes.api);
  const app = new Koa<ApiState>();
  app.on('error', (err: unknown) => logger.debug({ err }, 'connection failed'));

  app.use(clientAddress(server.trustProxy));
  app.use(requestId());
  app.use(logging(logger));
  app.use(strictTransport(publicUrl));
  app.use(compression());
  app.use(errorPages());
  app.use(errors(logger, server.onRefused));
  app.use(wellFormedRequest());
  app.use(when(healthHosts(ownHost), healthRoutes(server.readiness)));
  if (server.serveSites) app.use(server.serveSites);
  app.use(apiHosts(ownHost));
  app.use(ownLocations(publicUrl));
  app.use(apiHeaders());
  app.use(ownMethods(api));
  app.use(api.routes());
  app.use(editorHeaders());
  for (const router of [...routes.browser, ...routes.screens]) app.use(router.routes());
  app.use(otherMethods());
  return app;
}

/** Combines groups of routes into the router of `/api/v1`. */
function together(groups: ApiRouter[]): ApiRouter {
  const api = new Router<ApiState>({ strict: true, sensitive: true, prefix: '/api/v1' });
  api.use(allowCompression());
  for (const routes of groups) api.use(routes.routes());
  return api;
}

/** Applies the router if the condition holds. Otherwise later middlewares handle the path. */
function when(condition: (ctx: ApiContext) => boolean, router: ApiRouter): ApiMiddleware {
  const routes = router.routes() as ApiMiddleware;
  const others = otherMethods();
  return async function when(ctx, next) {
    if (condition(ctx)) await routes(ctx, async () => void (await others(ctx, next)));
    else await next();
  };
}
