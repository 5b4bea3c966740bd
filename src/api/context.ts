import type Router from '@koa/router';
import type { Middleware, ParameterizedContext } from 'koa';
import { isTaskId } from '../contract/task.ts';
import { DomainError } from '../errors.ts';
import type { Session } from '../accounts/memberships.ts';
import type { Caller, Identity, Subject } from '../tasks/caller.ts';
import type { Sent } from '../tasks/start.ts';
import type { Work } from '../threads/threads.ts';

/** What middlewares hand on to those after them. */
export interface ApiState {
  requestId: string;
  subject: Subject;
  identity?: Identity;
  /**
   * Looks again whether the identity still holds: a body may come long after its header. Throws as
   * at first.
   */
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
  if (!ctx.state.identity)
    throw new Error(`${ctx.method} ${ctx.path} is routed without authentication`);
  return ctx.state.identity;
}

/** The session of a request that has passed `requireSession`. */
export function sessionOf(ctx: ApiContext): Session {
  if (!ctx.state.session) throw new Error(`${ctx.method} ${ctx.path} is routed without a session`);
  return ctx.state.session;
}

/** What use cases know of a request: read once, and handed on as a value. */
export function callerOf(ctx: ApiContext): Caller {
  const { requestId, subject } = ctx.state;
  return { ...identityOf(ctx), requestId, subject };
}

/**
 * Who asks for a change of settings, and from where: for the audit. The address is the client's.
 */
export function actorOf(ctx: ApiContext): Identity & { address: string } {
  return { ...identityOf(ctx), address: ctx.ip };
}

/** The work that a request asks for: its caller's, for as long as somebody waits for the answer. */
export function workOf(ctx: ApiContext): Work {
  const gone = new AbortController();
  const stop = () =>
    gone.abort(
      new DomainError('UNAVAILABLE', 'Nobody waits for the answer any more', { retryable: true }),
    );
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

/** The id in the path. Throws NOT_FOUND for one that no task can have. */
export function taskIdOf(ctx: ApiContext): string {
  const taskId = pathParameter(ctx, 'taskId');
  if (!isTaskId(taskId)) throw new DomainError('NOT_FOUND', 'Task not found');
  ctx.state.subject.taskId = taskId;
  return taskId;
}

const idempotencyKeyPattern = /^[\x21-\x7e]{1,255}$/;

/**
 * How a request to start a task was sent. Throws INVALID_INPUT for an `Idempotency-Key` that is
 * none.
 */
export function sentIn(ctx: ApiContext): Sent {
  const idempotencyKey = ctx.req.headers['idempotency-key'];
  if (
    idempotencyKey === undefined ||
    (!Array.isArray(idempotencyKey) && idempotencyKeyPattern.test(idempotencyKey))
  )
    return { idempotencyKey, path: ctx.path };
  throw new DomainError(
    'INVALID_INPUT',
    'Idempotency-Key must be 1 to 255 visible ASCII characters',
  );
}
