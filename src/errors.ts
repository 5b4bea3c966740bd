/**
 * The codes of all errors that the service raises on purpose, with their HTTP status. Match on
 * codes, never on messages.
 */
export const errorCodes = {
  // `retryable` is false unless the throw sets it
  INVALID_INPUT: 400,
  INVALID_CALLBACK_URL: 400,
  SITE_WITHOUT_REPOSITORY: 400,
  UNAUTHORIZED: 401,
  FORBIDDEN: 403,
  /** The organization has used its tokens of language models for this month. */
  TOKENS_USED_UP: 403,
  NOT_FOUND: 404,
  CONFLICT: 409,
  /** The site publishes only what another person has approved. */
  APPROVAL_REQUIRED: 409,
  OUTDATED: 412,
  IDEMPOTENCY_MISMATCH: 422,
  TOO_MANY_REQUESTS: 429,
  TOO_MANY_IN_FLIGHT: 429,
  START_FAILED: 500,
  UNAVAILABLE: 503,
  DISK_FULL: 503,
  // failures of a running task; they never become an HTTP status
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
  /** A language model's page could not be used, and correcting it failed. */
  PAGE_REJECTED: 500,
  MODEL_FAILED: 500,
  GIT_FAILED: 500,
  PUSH_REFUSED: 500,
  /** The forge refuses a request for good, e.g. for a missing scope. */
  FORGE_REFUSED: 500,
  /** An external host has not built a commit yet. Temporal repeats the activity until it has. */
  STILL_BUILDING: 500,
  DEPLOYMENT_FAILED: 500,
  /** An external host could not build a commit. */
  BUILD_FAILED: 500,
  CALLBACK_FAILED: 500,
  CHANGED_BY_DEPLOY: 500,
  CONFIGURATION: 500,
} as const;

export type ErrorCode = keyof typeof errorCodes;

/** Whether an error is a `DomainError` with one of these codes. */
export const hasErrorCode = (error: unknown, ...codes: ErrorCode[]): error is DomainError =>
  error instanceof DomainError && codes.includes(error.code);

/** For `catch`: returns `value` for errors with one of these codes, and throws any other one. */
export const onCode =
  <T>(codes: ErrorCode[], value: T) =>
  (error: unknown): T => {
    if (hasErrorCode(error, ...codes)) return value;
    throw error;
  };

/** The error for a request, or a tool call, with a wrong argument. */
export const invalidInputError = (message: string) => new DomainError('INVALID_INPUT', message);

/** The error for something that was named but does not exist. */
export const notFoundError = (message: string) => new DomainError('NOT_FOUND', message);

/** For `catch`: returns a `DomainError` that is not retryable, and throws any other error. */
export function finalError(error: unknown): DomainError {
  if (error instanceof DomainError && !error.retryable) return error;
  throw error;
}

/** For `catch`: returns null for a `DomainError` that is not retryable; throws any other error. */
export const nullIfFinal = (error: unknown): null => finalError(error) && null;

/** The result of a call; null if it throws a `DomainError`. */
export function resultOrNull<Result>(call: () => Result): Result | null {
  try {
    return call();
  } catch (error) {
    if (error instanceof DomainError) return null;
    throw error;
  }
}

/** Whether a promise resolves. */
export const doesResolve = (work: Promise<unknown>): Promise<boolean> =>
  work.then(
    () => true,
    () => false,
  );

/**
 * An error that the service raises on purpose, with a code for programs. For example,
 * `new DomainError('NOT_FOUND', 'Site not found')` becomes a response with the status 404.
 */
export class DomainError extends Error {
  readonly code: ErrorCode;
  /**
   * Whether the same call may succeed later, e.g. because a remote was down.
   */
  readonly retryable: boolean;
  /** Facts about the failure for programs, e.g. the status of a receiver's answer. */
  readonly details: Record<string, unknown> | undefined;
  /** More than the message says, for the header field `Agent-Tasks-Error` of the response. */
  readonly reason: string | undefined;
  /** Milliseconds to wait before another try. */
  readonly retryAfter: number | undefined;

  /**
   * @param code the kind of failure
   * @param message what failed, on what, and what was expected; free of secrets and of customers'
   *   texts
   * @param options.retryable whether the same call may succeed later (default false)
   * @param options.reason more than the message says, for the client. It holds no secret and no
   *   resolved address. It must not tell whether something exists in another organization.
   * @param options.retryAfter milliseconds to wait before another try, if a remote said so
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

/** The error for a request body that is not JSON. @param problem the end of a sentence */
export const invalidJsonError = (problem: string) =>
  new DomainError('INVALID_INPUT', `The request body is not valid JSON: ${problem}`);
