import pino from 'pino';

export type Logger = pino.Logger;

const secret = [
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

/** The name of a preview's host, which is all that one needs to see the preview. */
const previewName = /bg-[a-z0-9]{22}--[a-z0-9-]*/gi;

/** The path of an invitation, whose id is all that one needs to take it. */
const invitationPath = /(\/invitations\/)[0-9a-f-]{36}/gi;

/**
 * Logs only named parts of an error: others (a database's `detail`, a client's `request`) hold
 * customers' data.
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
 * The service's log: one JSON object a line, with secrets and customers' texts redacted by name,
 * and the names of previews and invitations wherever they stand.
 * @param level least level that is logged: trace, debug, info, warn, error or silent
 * @param destination where lines go; standard output by default
 */
export function createLogger(level: string, destination?: pino.DestinationStream): Logger {
  const options: pino.LoggerOptions = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    redact: secret.flatMap((name) => [name, `*.${name}`]),
    hooks: {
      streamWrite: (line) =>
        line.replace(previewName, '[preview]').replace(invitationPath, '$1[invitation]'),
    },
    serializers: { err: (error: unknown) => serializeError(error) },
  };
  return destination ? pino(options, destination) : pino(options);
}
