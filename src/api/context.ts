import type Router from '@koa/router';
import type { Middleware, ParameterizedContext } from 'koa';
import { DomainError } from '../errors.ts';
import type { Session } from '../accounts/memberships.ts';
import type { Role } from '../contract/roles.ts';
import type { Work } from '../threads/threads.ts';

/** The owner of a request's key. */
export interface Identity {
  keyId: string;
  organizationId: string;
  role: Role;
  /** The person whose session minted the key; other keys have none. */
  userId?: string;
  /** The person, or the first key, that made this key: limits and quotas count it for them. Absent: for itself. */
  countsFor?: string;
}

/** What a request turns out to be about: the log says it. */
export interface Subject {
  taskId?: string;
  siteId?: string;
}

/** What middlewares hand on to those after them. */
export interface ApiState {
  requestId: string;
  subject: Subject;
  identity?: Identity;
  /** Looks again whether the identity still holds: a body may come long after its header. Throws as at first. */
  recheck?: () => Promise<void>;
  /** Of the person whose cookie came along, behind `requireSession`. */
  session?: Session;
  body?: unknown;
  query?: unknown;
  /** A path that there is, where the one asked for is not, and is spelled like it. */
  nearest?: string | undefined;
}

/** The state behind `validate`, and behind `validateQuery`. */
export interface ValidBody<T> {
  body: T;
}
export interface ValidQuery<T> {
  query: T;
}

export type ApiContext<Extra = unknown> = ParameterizedContext<ApiState & Extra>;
export type ApiMiddleware<Extra = unknown> = Middleware<ApiState & Extra>;
export type ApiRouter = Router<ApiState>;

/** The caller of a request that has passed `authenticate`. */
export function identityOf(ctx: ApiContext): Identity {
  if (!ctx.state.identity) throw new Error(`${ctx.method} ${ctx.path} is routed without authentication`);
  return ctx.state.identity;
}

/** The session of a request that has passed `requireSession`. */
export function sessionOf(ctx: ApiContext): Session {
  if (!ctx.state.session) throw new Error(`${ctx.method} ${ctx.path} is routed without a session`);
  return ctx.state.session;
}

/** What handlers know of a request: read once, and handed on as a value. */
export interface Caller extends Identity {
  requestId: string;
  /** Filled in by what finds out. */
  subject: Subject;
}

export function callerOf(ctx: ApiContext): Caller {
  const { requestId, subject } = ctx.state;
  return { ...identityOf(ctx), requestId, subject };
}

/** Who asks for a change of settings, and from where: for the audit. The address is the client's. */
export function actorOf(ctx: ApiContext): Identity & { address: string } {
  return { ...identityOf(ctx), address: ctx.ip };
}

/** The work that a request asks for: its caller's, for as long as somebody waits for the answer. */
export function workOf(ctx: ApiContext): Work {
  const gone = new AbortController();
  const stop = () =>
    gone.abort(new DomainError('UNAVAILABLE', 'Nobody waits for the answer any more', { retryable: true }));
  if (ctx.res.closed) stop();
  ctx.res.once('close', stop);
  return { organizationId: identityOf(ctx).organizationId, signal: gone.signal };
}

/** A parameter of the route's path. Throws where the path has none of that name. */
export function pathParameter(ctx: ApiContext, name: string): string {
  const { params = {} } = ctx as { params?: Record<string, string> };
  const value = params[name];
  if (value === undefined) throw new Error(`${ctx.method} ${ctx.path} is routed without :${name}`);
  return value;
}
