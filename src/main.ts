import { type Config, forgetSecrets, readConfig } from './config.ts';
import { DomainError } from './errors.ts';
import { createLogger } from './log.ts';
import { type Service, startService } from './service.ts';
import { choosePort } from './temporal/server/ports.ts';
import { installRuntime } from './temporal/worker/worker.ts';
import { welcome } from './welcome.ts';

/** Maximum time for closing everything but requests and activities. */
const CLOSING_SECONDS = 30;

/** Prints messages for people to standard error. The log's JSON lines go to standard output. */
const say = (line: string) => console.error(line);

async function main() {
  const config = readConfig(process.env);
  forgetSecrets(process.env);
  const logger = createLogger(config.logLevel);
  const sdkMetrics = config.metricsAddress === undefined ? undefined : await anAddress();
  installRuntime(logger, sdkMetrics);
  if (config.callbackAllowPrivate)
    logger.warn(
      'CALLBACK_ALLOW_PRIVATE is on: callbacks may go to private addresses and plain http',
    );
  const stop = stopSignal();
  const service = await startService(config, { logger, progress: say, sdkMetrics });
  say(
    config.role === 'worker' ? '\nReady: a worker for tasks, without an API\n' : welcome(service),
  );
  const code = await Promise.race([stop.afterStart(), service.failed]).then(() => 0, fail);
  say('Stopping');
  await close(service, longestGraceOf(config));
  // explicit, because the embedded database changes process.exitCode when it closes
  process.exit(code);
}

/**
 * The address where the SDK serves its metrics. Its port is chosen here, because the SDK can't tell
 * which one it took.
 */
const anAddress = async () =>
  `127.0.0.1:${await choosePort({ setting: 'METRICS_ADDRESS', port: 0 })}`;

/**
 * Resolves at the first SIGTERM or SIGINT after the service has started. A signal during the start,
 * or a second one, exits the process at once.
 */
function stopSignal() {
  let started = false;
  let stop: () => void = () => undefined;
  const stopped = new Promise<void>((resolve) => (stop = resolve));
  const onSignal = () => {
    if (!started) process.exit(1);
    started = false;
    stop();
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
const longestGraceOf = ({ role, shutdownGrace, agent }: Config) =>
  role === 'api' ? shutdownGrace : agent.callsGrace;

async function close(service: Service, graceSeconds: number) {
  const late = setTimeout(
    () => {
      process.exit(
        fail(
          new DomainError(
            'UNAVAILABLE',
            'Stopping took too long: ended without waiting for the rest',
          ),
        ),
      );
    },
    (graceSeconds + CLOSING_SECONDS) * 1_000,
  );
  late.unref();
  await service.close();
}

/**
 * Prints an error for people.
 * @returns the exit code
 */
function fail(error: unknown): number {
  say(
    error instanceof DomainError
      ? error.message
      : String(error instanceof Error ? (error.stack ?? error.message) : error),
  );
  return 1;
}

await main().catch((error: unknown) => process.exit(fail(error)));
