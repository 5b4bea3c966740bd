/** What went wrong with a request. The subclasses say which way. */
export class AgentTasksError extends Error {
  override name = 'AgentTasksError';
  /**
   * The key of the call, if it has one. A call with the same key and body creates no second task.
   */
  idempotencyKey: string | undefined = undefined;
}

/** An answer with a status of 400 or more. */
export class ApiError extends AgentTasksError {
  override name = 'ApiError';
  readonly status: number;
  /** Such as `SITE_NOT_FOUND`. Empty where a proxy answered. */
  readonly code: string;
  /** What the text does not say, such as which address is private. */
  readonly reason: string | undefined;
  /** Names the request in the service's log. */
  readonly requestId: string | undefined;
  /** Milliseconds until a request passes, where the service says so. */
  readonly retryAfterMs: number | undefined;

  /** @param text the body of the answer */
  constructor({ status, headers }: Response, text: string) {
    super(errorIn(text) ?? `The service answered with status ${status}`);
    const field = headers.get('Agent-Tasks-Error') ?? '';
    this.status = status;
    this.code = /^[A-Z_]+/.exec(field)?.[0] ?? '';
    this.reason = reasonIn(field);
    this.requestId = headers.get('X-Request-Id') ?? undefined;
    this.retryAfterMs = msUntil(headers.get('Retry-After') ?? '');
  }
}

/** No answer: the service was not reached, did not answer in time, or the connection was lost. */
export class ConnectionError extends AgentTasksError {
  override name = 'ConnectionError';
}

/** A task or batch did not end in the time that `waitFor` was given. It goes on. */
export class WaitTimeoutError extends AgentTasksError {
  override name = 'WaitTimeoutError';
  /** Of the task, or the batch. */
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

/** Milliseconds of seconds, or until an HTTP date (RFC 9110, section 10.2.3). */
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
