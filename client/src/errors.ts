/** The base class of this package's errors. The subclasses say what went wrong. */
export class AgentTasksError extends Error {
  override name = 'AgentTasksError';
  /**
   * The key of the call, if it has one. A call with the same key and body creates no second task.
   */
  idempotencyKey: string | undefined = undefined;
}

/** The service responded with a status of 400 or above. */
export class ApiError extends AgentTasksError {
  override name = 'ApiError';
  readonly status: number;
  /** The error code, such as `NOT_FOUND`. Empty if a proxy responded. */
  readonly code: string;
  /** A reason that the message does not contain, such as which address is private. */
  readonly reason: string | undefined;
  /** The id of the request in the service's log. */
  readonly requestId: string | undefined;
  /** Milliseconds to wait before the next request, if the service sent `Retry-After`. */
  readonly retryAfterMs: number | undefined;

  /** @param text the body of the response */
  constructor({ status, headers }: Response, text: string) {
    super(errorIn(text) ?? `The service responded with status ${status}`);
    const field = headers.get('Agent-Tasks-Error') ?? '';
    this.status = status;
    this.code = /^[A-Z_]+/.exec(field)?.[0] ?? '';
    this.reason = reasonIn(field);
    this.requestId = headers.get('X-Request-Id') ?? undefined;
    this.retryAfterMs = msUntil(headers.get('Retry-After') ?? '');
  }
}

/** The service could not be reached or did not respond in time, or the connection was lost. */
export class ConnectionError extends AgentTasksError {
  override name = 'ConnectionError';
}

/** A task or batch did not end within the time limit of `waitFor`. It continues to run. */
export class WaitTimeoutError extends AgentTasksError {
  override name = 'WaitTimeoutError';
  /** The id of the task or the batch. */
  readonly taskId: string;

  constructor(taskId: string, ms: number) {
    super(`${taskId} is still running after ${ms} ms`);
    this.taskId = taskId;
  }
}

function errorIn(text: string): string | undefined {
  try {
    const { error } = JSON.parse(text) as { error?: unknown };
    return typeof error === 'string' ? error : undefined;
  } catch {
    return undefined;
  }
}

/** Reads `Retry-After` as milliseconds: from seconds or an HTTP date (RFC 9110, section 10.2.3). */
function msUntil(retryAfter: string): number | undefined {
  if (/^\d+$/.test(retryAfter)) return Number(retryAfter) * 1_000;
  const at = /[a-z]/i.test(retryAfter) ? Date.parse(retryAfter) : NaN;
  return Number.isNaN(at) ? undefined : Math.max(0, at - Date.now());
}

/** The parameter `reason` of the field: a String or a Display String (RFC 9651, section 3.3). */
function reasonIn(field: string): string | undefined {
  const [, display, text] = /;reason=(%?)"((?:[^"\\]|\\.)*)"/.exec(field) ?? [];
  if (text === undefined) return undefined;
  if (!display) return text.replaceAll(/\\(.)/g, '$1');
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
