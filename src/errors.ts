/** Every way in which our own code fails on purpose. Match on codes, never on messages. */
export const errorCodes = {
  // retryable: false unless said otherwise at the throw
  INVALID_INPUT: 400,
  INVALID_CALLBACK_URL: 400,
  SITE_WITHOUT_REPOSITORY: 400,
  UNAUTHORIZED: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  CONFLICT: 409,
  OUTDATED: 412,
  IDEMPOTENCY_MISMATCH: 422,
  TOO_MANY_REQUESTS: 429,
  TOO_MANY_IN_FLIGHT: 429,
  START_FAILED: 500,
  UNAVAILABLE: 503,
  DISK_FULL: 503,
  // of a task's work; they never become an HTTP status
  TEMPLATE_NOT_FOUND: 500,
  LINK_FROM_UNFIT: 500,
  PAGE_EXISTS: 500,
  PAGE_UNREADABLE: 500,
  PAGE_CHANGED: 500,
  CHECK_FAILED: 500,
  LIMIT_EXCEEDED: 500,
  TOOK_TOO_LONG: 500,
  NOT_UNDERSTOOD: 500,
  ITEM_FAILED: 500,
  /** What a language model wrote for a page can't be used, and mending it failed. */
  PAGE_REJECTED: 500,
  MODEL_FAILED: 500,
  GIT_FAILED: 500,
  PUSH_REFUSED: 500,
  DEPLOYMENT_FAILED: 500,
  CALLBACK_FAILED: 500,
  CHANGED_BY_DEPLOY: 500,
  CONFIGURATION: 500,
} as const;

export type ErrorCode = keyof typeof errorCodes;

/** Whether an error is a `DomainError` with one of these codes. */
export const hasCode = (error: unknown, ...codes: ErrorCode[]): error is DomainError =>
  error instanceof DomainError && codes.includes(error.code);

/** For `catch`: returns `value` for errors with one of these codes, and throws any other one. */
export const onCode =
  <T>(codes: ErrorCode[], value: T) =>
  (error: unknown): T => {
    if (hasCode(error, ...codes)) return value;
    throw error;
  };

/** An error for a request, or a call of a tool, that asks for something wrong. */
export const invalidInput = (message: string) => new DomainError('INVALID_INPUT', message);

/** An error for something that was named, and that is not there. */
export const notFound = (message: string) => new DomainError('NOT_FOUND', message);

/** For `catch`: returns a `DomainError` that is not retryable, and throws any other error. */
export function finalError(error: unknown): DomainError {
  if (error instanceof DomainError && !error.retryable) return error;
  throw error;
}

/** For `catch`: returns null for a `DomainError` that is not retryable; throws any other error. */
export const nullIfFinal = (error: unknown): null => finalError(error) && null;

/** Whether a promise resolves. */
export const succeeds = (work: Promise<unknown>): Promise<boolean> =>
  work.then(
    () => true,
    () => false,
  );

export class DomainError extends Error {
  readonly code: ErrorCode;
  /** True where the same call may succeed later: a remote that is down, a lease that was lost. */
  readonly retryable: boolean;
  /** Facts about the failure for programs, e.g. the status of a receiver's answer. */
  readonly details: Record<string, unknown> | undefined;
  /** What the answer's `Agent-Tasks-Error` says beyond its text. */
  readonly reason: string | undefined;
  /** Milliseconds before which trying again is of no use. */
  readonly retryAfter: number | undefined;

  /**
   * @param code what kind of failure this is
   * @param message what failed, on what, and what was expected; free of secrets and of customers'
   *   texts
   * @param options.retryable whether trying the same again may help (default false)
   * @param options.reason says more than the message, of what the caller sent or may know: no
   *   secret, no address that was looked up, and the same for what others have as for what nobody
   *   has
   * @param options.retryAfter milliseconds to wait before that, where a remote said so
   */
  constructor(
    code: ErrorCode,
    message: string,
    options: {
      retryable?: boolean;
      reason?: string;
      retryAfter?: number;
      cause?: unknown;
      details?: Record<string, unknown>;
    } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'DomainError';
    this.code = code;
    this.retryable = options.retryable ?? false;
    this.details = options.details;
    this.reason = options.reason;
    this.retryAfter = options.retryAfter;
  }
}
