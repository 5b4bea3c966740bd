import type { DataConverter } from '@temporalio/common';
import type { ServiceLogger } from '../log.ts';
import { connectClient, requireNamespace, type TemporalEndpoint } from './connection.ts';
import { RETENTION_DAYS } from './searchAttributes.ts';
import type { DevServerOptions } from './server/devServer.ts';
import { superviseDevServer } from './server/supervisor.ts';
import type { TemporalTracing } from './temporalTracing.ts';
import { type TemporalTimeouts, chooseTimeouts } from './timeouts.ts';

interface TemporalSettings extends Omit<DevServerOptions, 'ui' | 'progress'> {
  /** `host:port` of an outside server; undefined: start an embedded one. */
  address?: string | undefined;
  /** The `TEMPORAL_*` settings of `@temporalio/envconfig`. */
  environment: Record<string, string>;
}

interface OpenTemporalOptions {
  logger: ServiceLogger;
  /** Called with one line for each step of the start. */
  progress: (line: string) => void;
  dataConverter: DataConverter;
  /** Default: tasks are not traced. */
  tracing?: TemporalTracing | undefined;
}

/** An open Temporal server, and a connection that all clients of this process share. */
export interface TemporalServer {
  endpoint: TemporalEndpoint;
  namespace: string;
  dataConverter: DataConverter;
  tracing?: TemporalTracing | undefined;
  connection: ReturnType<typeof connectClient>;
  times: TemporalTimeouts;
  /** Whether other processes may run tasks as well. Always false for the embedded server. */
  isShared: boolean;
  /** For how many days Temporal keeps a finished task. */
  retentionDays: number;
  /** The web UI of the embedded server; undefined for an outside one. */
  uiUrl: string | undefined;
  /** Rejects when the embedded server has ended too often. */
  failed: Promise<never>;
  close(): Promise<void>;
}

/**
 * Opens Temporal, which runs the tasks: starts the embedded server, or checks the outside server of
 * the settings. This module has everything that talks to Temporal, except the workflows and
 * activities themselves:
 *
 * - `server/`: finds, starts and restarts the embedded server, and protects its web UI.
 * - `worker/`: the worker, which runs workflows and activities, and its version.
 * - `tasks/`: starts, reads, lists and cancels tasks (`taskClient.ts`). `batches/`: runs of
 *   batches.
 * - `connection.ts`, `payloadCodec.ts` (encryption), `searchAttributes.ts` (namespace),
 *   `rollout.ts` (which version of the workers gets the tasks), `cleanUpSchedule.ts`,
 *   `readiness.ts`.
 *
 * For example, `openTemporal({ address: undefined, namespace: 'agent-tasks', … }, options)` returns
 * `{ endpoint: { embeddedAddress: '127.0.0.1:7233' }, uiUrl: 'http://…', isShared: false, … }`.
 * @throws DomainError UNAVAILABLE if an outside server does not answer, CONFIGURATION as
 *   `requireNamespace` and `startDevServer`
 */
export async function openTemporal(
  settings: TemporalSettings,
  options: OpenTemporalOptions,
): Promise<TemporalServer> {
  const { namespace } = settings;
  const server = await (settings.address === undefined
    ? startServer(settings, options)
    : connectToServer(settings.address, settings, options));
  const connection = connectClient(server.endpoint);
  return {
    ...server,
    namespace,
    dataConverter: options.dataConverter,
    tracing: options.tracing,
    connection,
    times: chooseTimeouts(server.endpoint),
    isShared: server.endpoint.embeddedAddress === undefined,
    async close() {
      try {
        await connection.close();
      } finally {
        await server.close();
      }
    },
  };
}

async function startServer(
  { environment, ...settings }: TemporalSettings,
  options: OpenTemporalOptions,
) {
  const { logger, progress } = options;
  progress('Starting the Temporal server');
  const { address, uiUrl, failed, close } = await superviseDevServer(
    { ...settings, progress },
    (reason) => logger.error(reason),
  );
  const endpoint: TemporalEndpoint = { embeddedAddress: address, environment };
  return { endpoint, uiUrl, failed, retentionDays: RETENTION_DAYS, close };
}

async function connectToServer(
  address: string,
  { environment, namespace }: TemporalSettings,
  { logger, progress }: OpenTemporalOptions,
) {
  progress(`Checking the Temporal server at ${address}`);
  const retentionDays = (await requireNamespace({ environment }, namespace)) ?? RETENTION_DAYS;
  if (retentionDays < RETENTION_DAYS)
    logger.warn({ retentionDays }, shortRetentionWarning(namespace));
  const endpoint: TemporalEndpoint = { environment };
  return {
    endpoint,
    uiUrl: undefined,
    failed: new Promise<never>(() => undefined),
    retentionDays,
    close: () => Promise.resolve(),
  };
}

const shortRetentionWarning = (namespace: string) =>
  `Temporal namespace "${namespace}" keeps finished tasks for less than ${RETENTION_DAYS} days, ` +
  'so clients can only read and list them, and repeat an Idempotency-Key, for that long';
