import { setTimeout as delay } from 'node:timers/promises';
import { linkAddress } from './accounts/accounts.ts';
import { addressesOf } from './agents/agents.ts';
import { probe } from './agents/model/probe.ts';
import { serveOperatorChannel } from './cli/operatorChannel.ts';
import { operatorSocketPath } from './cli/socketPath.ts';
import { checkTopology, type Config } from './config.ts';
import { type Demo, openDemo } from './demo/openDemo.ts';
import { removeStaleLocks } from './demo/staleLocks.ts';
import { checkDomains, domainWarnings } from './hosting/hosts.ts';
import type { Logger } from './log.ts';
import { createMetrics } from './metrics/registry.ts';
import { serveMetrics } from './metrics/serve.ts';
import { type CommonParts, createCommonParts, type Keep } from './service/commonParts.ts';
import { openApi } from './service/openApi.ts';
import { openWorker } from './service/openWorker.ts';
import { startUpkeep } from './sites/git/upkeep.ts';
import { openStores, type Stores } from './stores.ts';
import { openTemporal } from './temporal/openTemporal.ts';
import { dataConverterOf } from './temporal/payloadCodec.ts';
import { runsAddress } from './temporal/runAddress.ts';
import type { RunningWorker } from './temporal/worker/worker.ts';

/**
 * Milliseconds that a start waits for Temporal to decide whether it routes tasks to this version of
 * the worker.
 */
const DECIDED_WITHIN_MS = 10_000;

export interface Options {
  logger: Logger;
  /** Called with one line of text for each step of the start. */
  progress: (line: string) => void;
  /** `host:port` where the Temporal SDK serves its metrics. */
  sdkMetrics?: string | undefined;
}

export interface Service {
  /** The base address that clients use, without a path. */
  publicUrl: URL;
  /**
   * The list of runs in the embedded Temporal server's UI. undefined without an embedded server.
   */
  temporalRunsUrl: string | undefined;
  /** Set only if everything is embedded and the service is not in production. */
  demo: Omit<Demo, 'organizationId'> | undefined;
  /**
   * The one-time link for the first person, who joins the demo organization or creates the first
   * one. undefined if there are people already, and for a worker.
   */
  firstLink: string | undefined;
  /** Rejects if an essential part ends unexpectedly. */
  failed: Promise<never>;
  /** Lets running requests and activities finish, then stops everything. */
  close(): Promise<void>;
}

/**
 * Builds and starts the service from its configuration.
 * @throws DomainError CONFIGURATION, CONFLICT with advice
 */
export async function startService(config: Config, options: Options): Promise<Service> {
  checkTopology(config);
  checkDomains(config);
  for (const warning of domainWarnings(config)) options.logger.warn(warning);
  await checkModels(config, options);
  const resources = new AsyncDisposableStack();
  try {
    return await start(config, options, resources);
  } catch (error) {
    await resources.disposeAsync();
    throw error;
  }
}

async function start(
  config: Config,
  options: Options,
  resources: AsyncDisposableStack,
): Promise<Service> {
  const { logger, progress } = options;
  const keep: Keep = (opened) => resources.adopt(opened, () => opened.close());
  const address = { port: config.port };
  const publicUrl = () => new URL(config.publicUrl ?? `http://localhost:${address.port}`);

  const metrics = keep(createMetrics());
  progress(
    config.databaseUrl ? 'Opening the database' : `Opening the database in ${config.dataDir}`,
  );
  const stores = keep(await openStores(config, { logger, publicUrl, onGit: metrics.gitStarted }));
  if (isEmbedded(config)) await removeStaleLocks(config.dataDir);
  const temporal = keep(
    await openTemporal(
      { ...config.temporal, dataDir: config.dataDir },
      { ...options, dataConverter: dataConverterOf(config) },
    ),
  );
  const parts = createCommonParts({ config, logger, metrics, stores, temporal, publicUrl }, keep);
  keep(lookAfterCopies(parts));
  if (config.role !== 'api') progress('Starting the worker');
  const worker = config.role === 'api' ? undefined : await openWorker(parts, keep);
  if (config.role !== 'worker') address.port = await openApi(parts, worker, keep);
  const demo = await demoOf(parts, progress);
  if (!config.databaseUrl)
    keep(await serveOperatorChannel(operatorSocketPath(config.dataDir), stores.runCommand));
  if (config.metricsAddress !== undefined) {
    const served = keep(
      await serveMetrics(config.metricsAddress, { metrics, sdk: options.sdkMetrics }),
    );
    progress(`Metrics at ${served.url}`);
  }
  if (worker) await tellWhetherItGetsTasks(worker, options);
  const failed = Promise.race([temporal.failed, ...(worker ? [worker.failed] : [])]);
  failed.catch(() => undefined);
  return {
    publicUrl: publicUrl(),
    temporalRunsUrl: temporal.uiUrl && runsAddress(temporal.uiUrl, temporal.namespace),
    demo,
    firstLink:
      config.role === 'worker'
        ? undefined
        : await firstLink(stores, publicUrl(), demo?.organizationId),
    failed,
    async close() {
      // both at once, because running requests may take long
      await Promise.all([worker?.close(), resources.disposeAsync()]);
    },
  };
}

/**
 * Throws DomainError CONFIGURATION for models that can't be called. An address that does not answer
 * is accepted, because it may answer later.
 */
async function checkModels({ agent, role }: Config, { logger, progress }: Options): Promise<void> {
  for (const address of addressesOf(agent, { needsKeys: role !== 'api' })) {
    const problem = await probe(address);
    if (problem === undefined) continue;
    logger.warn(problem);
    progress(problem);
  }
}

const isEmbedded = ({ databaseUrl, role }: Config) => databaseUrl === undefined && role === 'all';

const lookAfterCopies = ({ logger, runningTasks, stores }: CommonParts) =>
  startUpkeep({
    repositories: stores.repositories,
    sites: () => stores.sites.list(),
    needs: { ...stores.retention, runningTasks },
    onFailure: (siteId, err) => logger.warn({ siteId, err }, 'copy not looked after'),
  });

async function demoOf(
  { config, stores, temporal, publicUrl }: CommonParts,
  progress: Options['progress'],
): Promise<Demo | undefined> {
  if (!isEmbedded(config) || config.production) return undefined;
  progress('Looking after the demo site');
  return openDemo({
    ...stores,
    dataDir: config.dataDir,
    goLive: (site) => stores.hosting.ensureLive(site),
    baseUrl: new URL('/api/v1', publicUrl()).href,
    temporalUiUrl: temporal.uiUrl,
  });
}

/**
 * Reports whether Temporal routes tasks to this worker. A slow server does not block the start;
 * /readyz tells then.
 */
async function tellWhetherItGetsTasks(worker: RunningWorker, { logger, progress }: Options) {
  await Promise.race([worker.decided, delay(DECIDED_WITHIN_MS, undefined, { ref: false })]);
  const tasks = worker.state();
  if (tasks === true) return;
  logger.warn(`worker without tasks: ${tasks}`);
  progress(`The worker gets no tasks yet: ${tasks}`);
}

async function firstLink(
  { accounts }: Stores,
  publicUrl: URL,
  organizationId?: string,
): Promise<string | undefined> {
  const link = await accounts.links.first(organizationId);
  return link ? linkAddress(publicUrl, link.token) : undefined;
}
