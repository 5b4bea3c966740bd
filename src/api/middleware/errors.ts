import { STATUS_CODES } from 'node:http';
import { HttpError } from 'koa';
import { DomainError, errorCodes, type ErrorCode } from '../../errors.ts';
import type { ServiceLogger } from '../../log.ts';
import type { ErrorResponse, ApiContext, ApiMiddleware } from '../context.ts';
import { codeOfStatus, ERROR_FIELD, errorField } from '../errorField.ts';

/** What clients read instead of the messages of these errors (docs/contract.md, section 8.1). */
const fixedTexts: Partial<Record<ErrorCode, string>> = {
  INVALID_CALLBACK_URL: 'Invalid callback URL',
  SITE_WITHOUT_REPOSITORY: 'Site is missing repository information',
  UNAUTHORIZED: 'Unauthorized',
  TOO_MANY_REQUESTS: 'Too Many Requests',
  START_FAILED: 'Failed to start task',
  DISK_FULL: 'Service Unavailable: the disk is nearly full',
};

/**
 * Errors whose body has the contract's fixed text, and whose own message is the reason in the field
 * `Agent-Tasks-Error`.
 */
const tellable = new Set<ErrorCode>(['INVALID_CALLBACK_URL', 'UNAUTHORIZED', 'TOO_MANY_REQUESTS']);

/** Status in the log if the client closed the connection before the response, as in nginx. */
const CLIENT_GONE = 499;
/** Default `Retry-After` of a 503, in seconds. */
const RETRY_AFTER_SECONDS = 5;

/**
 * Turns every error into a response with the body `{ error }` (docs/contract.md, section 8.1). The
 * field `Agent-Tasks-Error` has its code, and a reason if there is more to say:
 * `INVALID_CALLBACK_URL;reason="its host is a private address"`. An unexpected error becomes a 500
 * without details, and the log has the details.
 * @param onRefused called with the code of each error response
 */
export function errors(logger: ServiceLogger, onRefused?: (code: string) => void): ApiMiddleware {
  return async function errors(ctx, next) {
    const refuse = (error: unknown): ErrorResponse => {
      onRefused?.(error instanceof DomainError ? error.code : 'OTHER');
      const answer = toErrorResponse(error);
      ctx.state.errorCode = answer.code ?? codeOfStatus(answer.status);
      if (answer.status >= 500)
        logger.error({ requestId: ctx.state.requestId, err: error }, 'request failed');
      return answer;
    };
    ctx.state.refuse = refuse;
    try {
      await next();
    } catch (error) {
      if (ctx.res.closed) {
        ctx.status = CLIENT_GONE;
        return;
      }
      const answer = refuse(error);
      if (ctx.headerSent) throw error;
      // the key expired or was revoked during the request
      if (answer.status === 401 && ctx.state.identity) addChallenge(ctx);
      sendError(ctx, answer);
      return;
    }
    if (ctx.status < 400 || ctx.headerSent) return;
    if (ctx.body == null) sendError(ctx, { status: ctx.status, error: statusText(ctx.status) });
    else if (isPlainObject(ctx.body)) ctx.set(ERROR_FIELD, errorField(codeOfStatus(ctx.status)));
  };
}

/** Says how to authenticate, unless the route has said it (RFC 9110, section 11.6.1). */
function addChallenge(ctx: ApiContext): void {
  if (!ctx.res.hasHeader('WWW-Authenticate')) ctx.set('WWW-Authenticate', 'Bearer');
}

function toErrorResponse(error: unknown): ErrorResponse {
  if (error instanceof DomainError) {
    const status = errorCodes[error.code];
    const errorText = fixedTexts[error.code] ?? (status < 500 ? error.message : statusText(status));
    const reason = error.reason ?? (tellable.has(error.code) ? error.message : undefined);
    const { retryAfterSeconds: waitSeconds = status === 503 ? RETRY_AFTER_SECONDS : undefined } =
      error.details ?? {};
    const headers = typeof waitSeconds === 'number' ? { 'Retry-After': `${waitSeconds}` } : {};
    return {
      status,
      error: errorText,
      code: error.code,
      reason: reason === errorText ? undefined : reason,
      headers,
    };
  }
  if (error instanceof HttpError && error.expose)
    return { status: error.status, error: error.message, headers: error.headers ?? {} };
  return { status: 500, error: statusText(500) };
}

function sendError(
  ctx: ApiContext,
  { status, error, code = codeOfStatus(status), reason, headers = {} }: ErrorResponse,
): void {
  ctx.set({ ...headers, [ERROR_FIELD]: errorField(code, reason) });
  ctx.status = status;
  ctx.body = { error };
}

/**
 * Whether a body is a response of the service itself. Files of sites are bytes, and do not change.
 */
const isPlainObject = (body: unknown) => Object.getPrototypeOf(body) === Object.prototype;

function statusText(status: number): string {
  return status === 404 ? 'Not found' : (STATUS_CODES[status] ?? 'Error');
}
