import pino from 'pino';

export type ServiceLogger = pino.Logger;

const secretFields = [
  'authorization',
  'apiKey',
  'token',
  'prompt',
  'context',
  'callbackUrl',
  'headers',
  'body',
];

interface LoggedError {
  type: string;
  code?: unknown;
  message: string;
  stack?: string | undefined;
  cause?: LoggedError | string;
}

/** Host names of previews. Anyone who knows one can open the preview. */
const previewName = /bg-[a-z0-9]{22}--[a-z0-9-]*/gi;

/** Paths of invitations. Anyone who knows the id can accept the invitation. */
const invitationPath = /(\/invitations\/)[0-9a-f-]{36}/gi;

/**
 * Logs only known fields of an error. Other fields (a database's `detail`, a client's `request`)
 * may contain customers' data.
 */
function serializeError(error: unknown, depth = 0): LoggedError | string {
  if (!(error instanceof Error)) return typeof error === 'string' ? error : typeof error;
  return {
    type: error.name,
    ...('code' in error && { code: error.code }),
    message: error.message,
    stack: error.stack,
    ...(error.cause !== undefined &&
      depth < 5 && { cause: serializeError(error.cause, depth + 1) }),
  };
}

/**
 * Creates the service's log: one JSON object per line. Fields with secrets or customers' texts are
 * redacted by name. Names of previews and invitations are redacted everywhere.
 * @param level the lowest level to log: trace, debug, info, warn, error or silent
 * @param destination where lines go; default: standard output
 * @param traceId returns the id of the current trace, if traces are on
 */
export function createLogger(
  level: string,
  destination?: pino.DestinationStream,
  traceId?: () => string | undefined,
): ServiceLogger {
  const options: pino.LoggerOptions = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    redact: secretFields.flatMap((name) => [name, `*.${name}`]),
    hooks: {
      streamWrite: (line) =>
        line.replace(previewName, '[preview]').replace(invitationPath, '$1[invitation]'),
    },
    ...(traceId && { mixin: () => traceFields(traceId()) }),
    serializers: { err: (error: unknown) => serializeError(error) },
  };
  return destination ? pino(options, destination) : pino(options);
}

/** The field has the name that OpenTelemetry specifies for logs that are not its own. */
const traceFields = (traceId: string | undefined) =>
  traceId === undefined ? {} : { trace_id: traceId };
