import { setFlagsFromString } from 'node:v8';
import { type ServiceConfig, forgetSecrets, readConfig } from './config.ts';
import { DomainError } from './errors.ts';
import { createLogger } from './log.ts';
import { type RunningService, startService } from './service.ts';
import { chooseFreePort } from './temporal/server/ports.ts';
import { installRuntime } from './temporal/worker/worker.ts';
import { welcomeText } from './welcome.ts';

/** Maximum time for closing everything but requests and activities. */
const CLOSING_SECONDS = 30;

/**
 * V8 collects the garbage of a heap when the heap has grown by this part since the last time. Each
 * thread has a heap of its own. By V8's own rule, heaps may double or more, and the process would
 * keep hundreds of megabytes of garbage (docs/decisions.md).
 */
const HEAP_GROWTH_PERCENT = 40;

/** Prints messages for people to standard error. The log's JSON lines go to standard output. */
const printLine = (line: string) => console.error(line);

/** Starts the service from the environment, runs it until a signal or a failure, and closes it. */
async function runService() {
  setFlagsFromString(`--heap-growing-percent=${HEAP_GROWTH_PERCENT}`);
  const config = readConfig(process.env);
  forgetSecrets(process.env);
  const traces =
    config.traces &&
    (await import('./tracing/openTraces.ts')).openTraces(config.traces, (err) =>
      logger.warn({ err }, 'sending traces failed; the service tries again without this warning'),
    );
  const logger = createLogger(config.logLevel, undefined, traces && (() => traces.traceId()));
  const sdkMetrics = config.metricsAddress === undefined ? undefined : await chooseMetricsAddress();
  installRuntime(logger, sdkMetrics);
  if (config.callbackAllowPrivate)
    logger.warn(
      'CALLBACK_ALLOW_PRIVATE is true: callbacks may use private addresses and plain http. Use it for tests only',
    );
  const stopSignals = stopSignal();
  const service = await startService(config, { logger, progress: printLine, sdkMetrics, traces });
  printLine(config.role === 'worker' ? '\nReady: a worker without an API\n' : welcomeText(service));
  const exitCode = await Promise.race([stopSignals.afterStart(), service.failed]).then(
    () => 0,
    printFailure,
  );
  printLine('Stopping');
  await closeService(service, longestGraceSeconds(config));
  await traces?.close();
  // explicit, because the embedded database changes process.exitCode when it closes
  process.exit(exitCode);
}

/**
 * The address where the SDK serves its metrics. Its port is chosen here, because the SDK can't tell
 * which one it took.
 */
const chooseMetricsAddress = async () =>
  `127.0.0.1:${await chooseFreePort({ setting: 'METRICS_ADDRESS', port: 0 })}`;

/**
 * Resolves at the first SIGTERM or SIGINT after the service has started. A signal during the start,
 * or a second one, exits the process at once.
 */
function stopSignal() {
  let started = false;
  let stopSignals: () => void = () => undefined;
  const stopped = new Promise<void>((resolve) => (stopSignals = resolve));
  const onSignal = () => {
    if (!started) process.exit(1);
    started = false;
    stopSignals();
  };
  process.on('SIGTERM', onSignal).on('SIGINT', onSignal);
  return {
    afterStart() {
      started = true;
      return stopped;
    },
  };
}

/** Seconds that running requests and activities may take to finish. */
const longestGraceSeconds = ({ role, shutdownGrace, agent }: ServiceConfig) =>
  role === 'api' ? shutdownGrace : agent.callsGrace;

async function closeService(service: RunningService, graceSeconds: number) {
  const closingTimer = setTimeout(
    () => {
      process.exit(
        printFailure(
          new DomainError(
            'UNAVAILABLE',
            'Stopping took too long, so the process exits without waiting for the rest',
          ),
        ),
      );
    },
    (graceSeconds + CLOSING_SECONDS) * 1_000,
  );
  closingTimer.unref();
  await service.close();
}

/**
 * Prints an error for people.
 * @returns the exit code
 */
function printFailure(error: unknown): number {
  printLine(
    error instanceof DomainError
      ? error.message
      : String(error instanceof Error ? (error.stack ?? error.message) : error),
  );
  return 1;
}

await runService().catch((error: unknown) => process.exit(printFailure(error)));
