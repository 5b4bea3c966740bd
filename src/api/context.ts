import type Router from '@koa/router';
import type { Middleware, ParameterizedContext } from 'koa';
import type { Role } from '../organizations/roles.ts';

/** Whose key a request came with. */
export interface Identity {
  keyId: string;
  organizationId: string;
  role: Role;
}

/** What middlewares hand on to those after them. `taskId` and `siteId` are there for the log. */
export interface ApiState {
  requestId: string;
  identity?: Identity;
  body?: unknown;
  query?: unknown;
  taskId?: string;
  siteId?: string;
}

export type ApiContext = ParameterizedContext<ApiState>;
export type ApiMiddleware = Middleware<ApiState>;
export type ApiRouter = Router<ApiState>;

/** The caller of a request that has passed `authenticate`. */
export function identityOf(ctx: ApiContext): Identity {
  if (!ctx.state.identity) throw new Error(`${ctx.method} ${ctx.path} is routed without authentication`);
  return ctx.state.identity;
}
