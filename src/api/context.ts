import type Router from '@koa/router';
import type { Middleware, ParameterizedContext } from 'koa';
import { isTaskId } from '../contract/task.ts';
import { DomainError } from '../errors.ts';
import type { AccountSession } from '../accounts/memberships.ts';
import type { RequestCaller, CallerIdentity, LogContext } from '../tasks/caller.ts';
import type { RequestIdempotency } from '../tasks/startTask.ts';
import type { JobOwner } from '../threads/threadPool.ts';

/** An error as the client gets it. */
export interface ErrorResponse {
  status: number;
  error: string;
  /** Code in the field `Agent-Tasks-Error`. Default: the status's name. */
  code?: string;
  reason?: string | undefined;
  headers?: Record<string, string>;
}

/** What middlewares of a request know, and pass on to later ones (`ctx.state`). */
export interface ApiState {
  requestId: string;
  /** Ids for the log line of the request, such as its taskId. */
  logContext: LogContext;
  identity?: CallerIdentity;
  /**
   * Checks again whether the key or session is still valid, because a body may arrive long after
   * the header. Throws the same errors as the first check.
   */
  recheck?: () => Promise<void>;
  /** The session of the request's cookie. Set by `requireSession`. */
  session?: AccountSession;
  /** Counts and logs an error, and returns the response to it. */
  refuse: (error: unknown) => ErrorResponse;
  /** The code of the error that was the response, for the trace of the request. */
  errorCode?: string;
  body?: unknown;
  query?: unknown;
  /** Whether the response to a GET request may be compressed. */
  mayCompress?: boolean;
}

/** The state after `validate` or `validateQuery`. */
export interface ValidBody<T> {
  body: T;
}
export interface ValidQuery<T> {
  query: T;
}

export type ApiContext<Extra = unknown> = ParameterizedContext<ApiState & Extra>;
export type ApiMiddleware<Extra = unknown> = Middleware<ApiState & Extra>;
export type ApiRouter = Router<ApiState>;

/** The caller of a request. The route must have passed `authenticate`. */
export function callerIdentity(ctx: ApiContext): CallerIdentity {
  if (!ctx.state.identity)
    throw new Error(`The route of ${ctx.method} ${ctx.path} does not authenticate the request`);
  return ctx.state.identity;
}

/** The session of a request. The route must have passed `requireSession`. */
export function sessionOf(ctx: ApiContext): AccountSession {
  if (!ctx.state.session)
    throw new Error(`The route of ${ctx.method} ${ctx.path} does not read a session`);
  return ctx.state.session;
}

/** The caller of a request in the form that use cases take. */
export function callerOf(ctx: ApiContext): RequestCaller {
  const { requestId, logContext } = ctx.state;
  return { ...callerIdentity(ctx), requestId, logContext };
}

/** The caller with the client's address, for the audit of settings. */
export function auditActorOf(ctx: ApiContext): CallerIdentity & { address: string } {
  return { ...callerIdentity(ctx), address: ctx.ip };
}

/**
 * For whom the jobs of a request run: the organization, and a signal that aborts when the client
 * disconnects.
 */
export const jobOwnerOf = (ctx: ApiContext): JobOwner => ({
  organizationId: callerIdentity(ctx).organizationId,
  signal: disconnectionSignal(ctx),
});

/** Aborts when the client of a request disconnects. */
export function disconnectionSignal(ctx: ApiContext): AbortSignal {
  const disconnection = new AbortController();
  const abortWork = () =>
    disconnection.abort(
      new DomainError('UNAVAILABLE', 'The client no longer waits for the response', {
        retryable: true,
      }),
    );
  if (ctx.res.closed) abortWork();
  ctx.res.once('close', abortWork);
  return disconnection.signal;
}

/**
 * A parameter of the route's path.
 * @throws Error if the path has no such parameter
 */
export function pathParameter(ctx: ApiContext, parameterName: string): string {
  const { params = {} } = ctx as { params?: Record<string, string> };
  const value = params[parameterName];
  if (value === undefined)
    throw new Error(`The route of ${ctx.method} ${ctx.path} has no parameter :${parameterName}`);
  return value;
}

/**
 * The task id in the path.
 * @throws DomainError NOT_FOUND if it is malformed
 */
export function taskIdOf(ctx: ApiContext): string {
  const taskId = pathParameter(ctx, 'taskId');
  if (!isTaskId(taskId)) throw new DomainError('NOT_FOUND', 'Task not found');
  ctx.state.logContext.taskId = taskId;
  return taskId;
}

/**
 * The batch id in the path.
 * @throws DomainError NOT_FOUND if it is malformed
 */
export function batchIdOf(ctx: ApiContext): string {
  const batchId = pathParameter(ctx, 'batchId');
  if (!isTaskId(batchId)) throw new DomainError('NOT_FOUND', 'Batch not found');
  ctx.state.logContext.batchId = batchId;
  return batchId;
}

export const IDEMPOTENCY_KEY_PROBLEM = 'Idempotency-Key must be 1 to 255 visible ASCII characters';
/** Idempotency keys: visible ASCII. */
export const idempotencyKeyPattern = /^[\x21-\x7e]{1,255}$/;

/**
 * The idempotency key and the path of a request that starts a task. A repeated request with the
 * same key gets the first task.
 * @throws DomainError INVALID_INPUT for a malformed `Idempotency-Key`
 */
export function readSubmission(ctx: ApiContext): RequestIdempotency {
  const idempotencyKey = ctx.req.headers['idempotency-key'];
  if (
    idempotencyKey === undefined ||
    (!Array.isArray(idempotencyKey) && idempotencyKeyPattern.test(idempotencyKey))
  )
    return { idempotencyKey, path: ctx.path };
  throw new DomainError('INVALID_INPUT', IDEMPOTENCY_KEY_PROBLEM);
}
