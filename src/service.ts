import { setTimeout as delay } from 'node:timers/promises';
import { linkUrl } from './accounts/accounts.ts';
import { listModelUrls } from './agents/createAgents.ts';
import { probeModelUrl } from './agents/model/calls/probeModelUrl.ts';
import { serveOperatorChannel } from './cli/operatorChannel.ts';
import { operatorSocketPath } from './cli/socketPath.ts';
import { checkTopology, type ServiceConfig } from './config.ts';
import { type OpenedDemo, openDemo } from './demo/openDemo.ts';
import { type SeededDemo, seedDemo } from './demo/seedDemo.ts';
import { removeStaleLocks } from './demo/staleLocks.ts';
import { noTraces, type Traces } from './contract/traces.ts';
import { checkDomains, domainWarnings } from './hosting/hosts.ts';
import type { ServiceLogger } from './log.ts';
import { createMetrics } from './metrics/registry.ts';
import { serveMetrics } from './metrics/serve.ts';
import { type CommonParts, createCommonParts, type KeepOpen } from './service/commonParts.ts';
import { openApi } from './service/openApi.ts';
import { openWorker } from './service/openWorker.ts';
import { startMaintenance } from './sites/git/clones/maintenance.ts';
import { openStores, type ServiceStores } from './stores.ts';
import { openTemporal } from './temporal/openTemporal.ts';
import type { TemporalTracing } from './temporal/temporalTracing.ts';
import { createDataConverter } from './temporal/payloadCodec.ts';
import { runsUrl } from './temporal/runUrl.ts';
import { NO_TASKS } from './temporal/worker/currentVersion.ts';
import type { RunningWorker } from './temporal/worker/worker.ts';

/**
 * Milliseconds that a start waits for Temporal to decide whether it routes tasks to this version of
 * the worker.
 */
const DECIDED_WITHIN_MS = 10_000;

export interface ServiceOptions {
  logger: ServiceLogger;
  /** Called with one line of text for each step of the start. */
  progress: (line: string) => void;
  /** `host:port` where the Temporal SDK serves its metrics. */
  sdkMetrics?: string | undefined;
  /** Makes traces of requests. Default: no traces. */
  traces?: (Traces & { temporal: TemporalTracing }) | undefined;
}

export interface RunningService {
  /** The base address that clients use, without a path. */
  publicUrl: URL;
  /**
   * The list of runs in the embedded Temporal server's UI. undefined without an embedded server.
   */
  temporalRunsUrl: string | undefined;
  /** Set only if everything is embedded and the service is not in production. */
  demo: Omit<OpenedDemo, 'organizationId'> | undefined;
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
 * Builds and starts the service from its configuration. This is the only place that connects the
 * parts, in this order:
 *
 * 1. `stores.ts`: the database, the clones of the sites' repositories, the threads, and mail.
 * 2. `temporal/openTemporal.ts`: the Temporal server, which keeps the state of running tasks.
 * 3. `service/openWorker.ts`: the worker, which runs tasks, unless ROLE is `api`.
 * 4. `service/openApi.ts`: the API, the console and the sites, unless ROLE is `worker`.
 *
 * If everything is embedded and not in production, it also prepares two demo sites. `main.ts` and
 * the end-to-end tests call this function. For example, `startService(readConfig(process.env),
 * options)` → `{ publicUrl: http://localhost:3000, demo: { siteId, apiKey, … }, close, … }`.
 * @throws DomainError CONFIGURATION, CONFLICT with advice
 */
export async function startService(
  config: ServiceConfig,
  options: ServiceOptions,
): Promise<RunningService> {
  checkTopology(config);
  checkDomains(config);
  for (const warning of domainWarnings(config)) options.logger.warn(warning);
  await checkModels(config, options);
  const resources = new AsyncDisposableStack();
  try {
    return await startParts(config, options, resources);
  } catch (error) {
    await resources.disposeAsync();
    throw error;
  }
}

async function startParts(
  config: ServiceConfig,
  options: ServiceOptions,
  resources: AsyncDisposableStack,
): Promise<RunningService> {
  const { logger, progress, traces = noTraces } = options;
  const keepOpen: KeepOpen = (opened) => resources.adopt(opened, () => opened.close());
  const address = { port: config.port };
  const publicUrl = () => new URL(config.publicUrl ?? `http://localhost:${address.port}`);

  const metrics = keepOpen(createMetrics({ dataDir: config.dataDir, prices: config.agent.prices }));
  progress(
    config.databaseUrl ? 'Opening the database' : `Opening the database in ${config.dataDir}`,
  );
  const stores = keepOpen(
    await openStores(config, { logger, publicUrl, onGit: metrics.gitStarted, traces }),
  );
  if (isFullyEmbedded(config)) await removeStaleLocks(config.dataDir);
  const temporal = keepOpen(
    await openTemporal(
      { ...config.temporal, dataDir: config.dataDir },
      { ...options, dataConverter: createDataConverter(config), tracing: options.traces?.temporal },
    ),
  );
  const commonParts = createCommonParts(
    { config, logger, metrics, traces, stores, temporal, publicUrl },
    keepOpen,
  );
  const seededDemo = await seedDemoOf(commonParts, progress);
  keepOpen(startRepositoryMaintenance(commonParts));
  if (config.role !== 'api') progress('Starting the worker');
  const worker = config.role === 'api' ? undefined : await openWorker(commonParts, keepOpen);
  if (config.role !== 'worker') address.port = await openApi(commonParts, worker, keepOpen);
  const { dataDir } = config;
  const baseUrl = new URL('/api/v1', publicUrl()).href;
  const demo =
    seededDemo && (await openDemo({ dataDir, seededDemo, baseUrl, temporalUiUrl: temporal.uiUrl }));
  if (!config.databaseUrl)
    keepOpen(await serveOperatorChannel(operatorSocketPath(config.dataDir), stores.runCommand));
  if (config.metricsAddress !== undefined) {
    const metricsServer = keepOpen(
      await serveMetrics(config.metricsAddress, { metrics, sdk: options.sdkMetrics }),
    );
    progress(`Metrics at ${metricsServer.url}`);
  }
  if (worker) await reportTaskRouting(worker, options);
  const failed = Promise.race([temporal.failed, ...(worker ? [worker.failed] : [])]);
  failed.catch(() => undefined);
  return {
    publicUrl: publicUrl(),
    temporalRunsUrl: temporal.uiUrl && runsUrl(temporal.uiUrl, temporal.namespace),
    demo,
    firstLink:
      config.role === 'worker'
        ? undefined
        : await createFirstLink(stores, publicUrl(), demo?.organizationId),
    failed,
    async close() {
      // both at once, because running requests may take long
      await Promise.all([worker?.close(), resources.disposeAsync()]);
    },
  };
}

/**
 * Checks the URLs of language models. Throws DomainError CONFIGURATION for models that can't be
 * called. A URL that does not answer only causes a warning, because it may answer later.
 */
async function checkModels(
  { agent, role }: ServiceConfig,
  { logger, progress }: ServiceOptions,
): Promise<void> {
  for (const address of listModelUrls(agent, { needsKeys: role !== 'api' })) {
    const problem = await probeModelUrl(address);
    if (problem === undefined) continue;
    logger.warn(problem);
    progress(problem);
  }
}

const isFullyEmbedded = ({ databaseUrl, role }: ServiceConfig) =>
  databaseUrl === undefined && role === 'all';

const startRepositoryMaintenance = ({ logger, runningTasks, stores }: CommonParts) =>
  startMaintenance({
    repositories: stores.repositories,
    sites: () => stores.sites.list(),
    needs: { ...stores.retention, runningTasks },
    onFailure: (siteId, err) => logger.warn({ siteId, err }, 'repository maintenance failed'),
  });

/**
 * Prepares the demo before a worker continues its tasks: the data folder, which has its
 * repositories, may have moved.
 */
async function seedDemoOf(
  { config, stores }: CommonParts,
  progress: ServiceOptions['progress'],
): Promise<SeededDemo | undefined> {
  if (!isFullyEmbedded(config) || config.production) return undefined;
  progress('Preparing the demo sites');
  return seedDemo({
    ...stores,
    dataDir: config.dataDir,
    goLive: (site) => stores.hosting.ensureLive(site),
  });
}

/**
 * Logs a warning if Temporal routes no tasks to this worker. Waits for at most 10 seconds. If the
 * server decides later, only `/readyz` reports it.
 */
async function reportTaskRouting(worker: RunningWorker, { logger, progress }: ServiceOptions) {
  await Promise.race([worker.decided, delay(DECIDED_WITHIN_MS, undefined, { ref: false })]);
  const taskState = worker.state();
  if (taskState === true) return;
  logger.warn(`this worker gets no tasks: ${taskState}`);
  progress(`${NO_TASKS}: ${taskState}`);
}

async function createFirstLink(
  { accounts }: ServiceStores,
  publicUrl: URL,
  organizationId?: string,
): Promise<string | undefined> {
  const link = await accounts.links.first(organizationId);
  return link ? linkUrl(publicUrl, link.token) : undefined;
}
