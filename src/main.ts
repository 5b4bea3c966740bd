import { readConfig } from './config.ts';
import { DomainError } from './errors.ts';
import { createLogger } from './log.ts';
import { type Service, startService } from './service.ts';
import { installRuntime } from './temporal/worker.ts';
import { welcome } from './welcome.ts';

/** For people, on standard error; the log's JSON lines are on standard output. */
const say = (line: string) => console.error(line);

async function main() {
  const config = readConfig(process.env);
  const logger = createLogger(config.logLevel);
  installRuntime(logger);
  if (config.callbackAllowPrivate)
    logger.warn('CALLBACK_ALLOW_PRIVATE is on: callbacks may go to private addresses and plain http');
  const stop = stopSignal();
  const service = await startService(config, { logger, progress: say });
  say(welcome(service));
  await Promise.race([stop, service.failed]).catch((error: unknown) => fail(error));
  say('Stopping');
  await close(service, config.shutdownGrace);
}

/** Resolves at the first SIGTERM or SIGINT; a second one ends the process at once. */
function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    let asked = false;
    const onSignal = () => {
      if (asked) process.exit(1);
      asked = true;
      resolve();
    };
    process.on('SIGTERM', onSignal).on('SIGINT', onSignal);
  });
}

async function close(service: Service, graceSeconds: number) {
  const late = setTimeout(
    () => fail(new Error('Stopping took too long')) ?? process.exit(),
    (graceSeconds + 30) * 1_000,
  );
  late.unref();
  await service.close();
  process.exit();
}

function fail(error: unknown) {
  say(
    error instanceof DomainError
      ? error.message
      : String(error instanceof Error ? (error.stack ?? error.message) : error),
  );
  process.exitCode = 1;
}

await main().catch((error: unknown) => {
  fail(error);
  process.exit();
});
