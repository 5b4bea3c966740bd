import type { DataConverter } from '@temporalio/common';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createActivities } from '../activities/index.ts';
import { templatePageOf } from './agents/agent.ts';
import { addressesOf, createAgents } from './agents/agents.ts';
import { createSiteExamples } from './agents/siteExamples.ts';
import { createTaskChecks } from './agents/taskCheck.ts';
import { adviceOn, withAdvice } from './agents/advice.ts';
import { linkAddress } from './accounts/accounts.ts';
import { createAssignment } from './agents/assignment.ts';
import { createCalls, windowOf } from './agents/calls.ts';
import { probe } from './agents/model/probe.ts';
import { createRulesAgent } from './agents/rules/agent.ts';
import { createTextsPool } from './agents/tools/textsPool.ts';
import { createApp } from './api/app.ts';
import { createRoutes } from './api/routes.ts';
import { createKnownTasks } from './tasks/knownTasks.ts';
import { createLimiter } from './api/middleware/limiter.ts';
import { createRateLimits, storeOf } from './api/middleware/rateLimit.ts';
import { createSignInLimits } from './api/middleware/signInLimits.ts';
import { listen } from './api/server.ts';
import { createSiteSettings } from './api/siteSettings.ts';
import { createTaskWatchers } from './tasks/watch.ts';
import { checkCallbackUrl } from './callbacks/guard.ts';
import { createCallbackSender } from './callbacks/send.ts';
import { createSendTest } from './callbacks/test.ts';
import { serveOperatorChannel } from './cli/channel.ts';
import { operatorSocketPath } from './cli/socketPath.ts';
import { checkTopology, type Config } from './config.ts';
import { defined } from './contract/defined.ts';
import { createEditor, type EditorDeps } from './editor/editor.ts';
import { createGrants } from './editor/grants.ts';
import { writeDemoFile } from './demo/demoFile.ts';
import { seedDemo } from './demo/seed.ts';
import { removeStaleLocks } from './demo/staleLocks.ts';
import { DomainError } from './errors.ts';
import { createAddresses } from './hosting/embedded/siteUrls.ts';
import { checkDomains, domainWarnings } from './hosting/embedded/checkDomains.ts';
import { createCopies } from './hosting/embedded/copies.ts';
import { createDeploymentList } from './hosting/deploymentList.ts';
import { createSiteComparison } from './hosting/siteComparison.ts';
import { serveSites } from './hosting/embedded/serveSites.ts';
import type { Logger } from './log.ts';
import { countedSends } from './metrics/counted.ts';
import { createMetrics, type Metrics } from './metrics/registry.ts';
import { serveMetrics } from './metrics/serve.ts';
import { startUpkeep } from './sites/git/upkeep.ts';
import { createSiteDiffs } from './sites/pages/siteDiff.ts';
import { createSitePages } from './sites/pages/sitePages.ts';
import { createDisk } from './storage/disk.ts';
import { callbackPolicy, openStores, type Stores } from './stores.ts';
import { scheduleCleanUp } from './temporal/cleanUp.ts';
import {
  connectClient,
  connectWorker,
  createClient,
  requireNamespace,
  type TemporalEndpoint,
} from './temporal/connection.ts';
import { homeName } from './temporal/homes.ts';
import { createRunAddress, runsAddress } from './temporal/runs.ts';
import { failLostSteps } from './temporal/tasks/lostSteps.ts';
import { startLeaseCheck } from './temporal/tasks/leaseCheck.ts';
import { createReadiness } from './temporal/readiness.ts';
import { RETENTION_DAYS } from './temporal/searchAttributes.ts';
import { superviseDevServer } from './temporal/server/supervisor.ts';
import { createRecorded } from './temporal/tasks/recorded.ts';
import { reconcile } from './temporal/tasks/reconcile.ts';
import { createRunningTasks } from './temporal/tasks/runningTasks.ts';
import { createTaskClient } from './temporal/tasks/taskClient.ts';
import { timesOf } from './temporal/times.ts';
import { createWorker, type RunningWorker } from './temporal/worker/worker.ts';

/** How long a start waits for Temporal to say whether this version of the worker gets the tasks. */
const DECIDED_WITHIN_MS = 10_000;

export interface Options {
  logger: Logger;
  /** Called with one line for each step of the start. */
  progress: (line: string) => void;
  /**
   * How values are kept in Temporal, for example encrypted. Every process needs the same. Default:
   * as JSON.
   */
  dataConverter?: DataConverter | undefined;
  /** `host:port` at which the Temporal SDK serves its metrics. */
  sdkMetrics?: string | undefined;
}

/** What a first request needs. */
export interface DemoSite {
  siteId: string;
  /** Only at the start that makes it. Later ones find it in `file`. */
  apiKey: string | undefined;
  /** Path of demo.json. */
  file: string;
}

export interface Service {
  /** The address that clients use, without a path. */
  publicUrl: URL;
  /** Where the embedded server's UI lists the tasks' runs. */
  temporalRunsUrl: string | undefined;
  /** Only where everything is embedded, and not in production. */
  demo: DemoSite | undefined;
  /**
   * The one-time link of the first person: for the demo organization, or for the first one of all.
   * undefined where there are people already, and for a worker.
   */
  firstLink: string | undefined;
  /**
   * The command line of a start with a language model of this machine, where one is at hand and
   * none is set.
   */
  localModel: string | undefined;
  /** Rejects when a part without which nothing works ends by itself. */
  failed: Promise<never>;
  /** Lets running requests and activities end, then stops everything. */
  close(): Promise<void>;
}

/**
 * Builds and starts everything from the configuration. Throws DomainError CONFIGURATION or CONFLICT
 * with advice.
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
  const metrics = resources.adopt(createMetrics(), (created) => created.close());
  const address = { port: config.port };
  const publicUrl = () => new URL(config.publicUrl ?? `http://localhost:${address.port}`);
  progress(
    config.databaseUrl ? 'Opening the database' : `Opening the database in ${config.dataDir}`,
  );
  const stores = resources.adopt(
    await openStores(config, { logger, publicUrl, onGit: metrics.gitStarted }),
    (opened) => opened.close(),
  );
  if (isEmbedded(config)) await removeStaleLocks(config.dataDir);
  const temporal = await startTemporal(config, options, resources);
  const callbacks = callbackPolicy(config, publicUrl);
  lookAfterCopies(config, { logger, stores, temporal }, resources);

  const worker =
    config.role === 'api'
      ? undefined
      : await startWorker(
          config,
          { logger, metrics, progress, stores, callbacks, temporal, publicUrl },
          resources,
        );
  if (config.role !== 'worker')
    address.port = await startApi(
      config,
      { logger, metrics, stores, callbacks, temporal, worker, publicUrl },
      resources,
    );

  const demo =
    isEmbedded(config) && !config.production
      ? await seed(config, { stores, publicUrl, temporalUiUrl: temporal.uiUrl, progress })
      : undefined;
  if (!config.databaseUrl) {
    resources.adopt(
      await serveOperatorChannel(operatorSocketPath(config.dataDir), stores.runCommand),
      (channel) => channel.close(),
    );
  }
  if (config.metricsAddress !== undefined)
    resources.adopt(await startMetrics(config.metricsAddress, metrics, options), (served) =>
      served.close(),
    );
  // a slow server does not keep the service from starting: /readyz tells
  await Promise.race([worker?.decided, delay(DECIDED_WITHIN_MS, undefined, { ref: false })]);
  const tasks = worker?.state() ?? true;
  if (tasks !== true) {
    logger.warn(`worker without tasks: ${tasks}`);
    progress(`The worker gets no tasks yet: ${tasks}`);
  }
  const failed = Promise.race([temporal.failed, worker?.failed ?? never()]);
  failed.catch(() => undefined);
  return {
    publicUrl: publicUrl(),
    temporalRunsUrl: temporal.uiUrl && runsAddress(temporal.uiUrl, config.temporal.namespace),
    demo: demo && { siteId: demo.siteId, apiKey: demo.apiKey, file: demo.file },
    firstLink:
      config.role === 'worker'
        ? undefined
        : await firstLink(stores, publicUrl(), demo?.organizationId),
    localModel: await adviceOn(config.agent),
    failed,
    async close() {
      // at once: requests that run may take long to end
      await Promise.all([worker?.close(), resources.disposeAsync()]);
    },
  };
}

/**
 * Throws DomainError CONFIGURATION for models that can't be called. An address that does not answer
 * may do so later.
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
const never = () => new Promise<never>(() => undefined);

interface Temporal {
  endpoint: TemporalEndpoint;
  uiUrl: string | undefined;
  failed: Promise<never>;
  dataConverter: DataConverter | undefined;
  /** For how many days it keeps a finished task. */
  retentionDays: number;
}

/** Whether other processes may run tasks as well: the embedded server has this one only. */
const sharesTasks = ({ endpoint }: Temporal) => endpoint.embeddedAddress === undefined;

async function startTemporal(
  config: Config,
  { logger, progress, dataConverter }: Options,
  resources: AsyncDisposableStack,
): Promise<Temporal> {
  const { address, environment } = config.temporal;
  if (address !== undefined) {
    progress(`Looking at the Temporal server at ${address}`);
    const retentionDays =
      (await requireNamespace({ environment }, config.temporal.namespace)) ?? RETENTION_DAYS;
    if (retentionDays < RETENTION_DAYS)
      logger.warn({ retentionDays }, shortRetention(config.temporal.namespace));
    return {
      endpoint: { environment },
      uiUrl: undefined,
      failed: never(),
      dataConverter,
      retentionDays,
    };
  }
  progress('Starting the Temporal server');
  const options = { ...config.temporal, dataDir: config.dataDir, progress };
  const server = await superviseDevServer(options, (reason) => logger.error(reason));
  resources.adopt(server, (started) => started.close());
  const endpoint = { embeddedAddress: server.address, environment };
  const { uiUrl, failed } = server;
  return { endpoint, uiUrl, failed, dataConverter, retentionDays: RETENTION_DAYS };
}

const shortRetention = (namespace: string) =>
  `Temporal namespace "${namespace}" keeps finished tasks for less than ${RETENTION_DAYS} days. ` +
  'Reads, lists and Idempotency-Keys hold only as long';

interface Parts {
  logger: Logger;
  metrics: Metrics;
  stores: Stores;
  callbacks: { allowPrivate: boolean; ownHosts: string[] };
  temporal: Temporal;
  publicUrl: () => URL;
}

const runningTasksOf = (
  connection: Parameters<typeof createRunningTasks>[0]['connection'],
  { temporal: { namespace } }: Config,
  { stores: { leases }, temporal: { dataConverter } }: Pick<Parts, 'stores' | 'temporal'>,
) => createRunningTasks({ connection, namespace, dataConverter, leases });

function lookAfterCopies(
  config: Config,
  { logger, stores, temporal }: Pick<Parts, 'logger' | 'stores' | 'temporal'>,
  resources: AsyncDisposableStack,
) {
  const { repositories, sites, retention } = stores;
  const connection = resources.adopt(connectClient(temporal.endpoint), (opened) => opened.close());
  const upkeep = startUpkeep({
    repositories,
    sites: () => sites.list(),
    needs: { ...retention, runningTasks: runningTasksOf(connection, config, { stores, temporal }) },
    onFailure: (siteId, err) => logger.warn({ siteId, err }, 'copy not looked after'),
  });
  resources.adopt(upkeep, (started) => started.close());
}

async function startWorker(
  config: Config,
  {
    logger,
    metrics,
    progress,
    stores,
    callbacks,
    temporal,
    publicUrl,
  }: Parts & Pick<Options, 'progress'>,
  resources: AsyncDisposableStack,
) {
  progress('Starting the worker');
  const connection = resources.adopt(await connectWorker(temporal.endpoint), (opened) =>
    opened.close(),
  );
  const sender = resources.adopt(createCallbackSender(callbacks), (opened) => opened.close());
  const rules = createRulesAgent(
    stores.threads,
    () => new URL('/docs/prompts.md', publicUrl()).href,
  );
  const texts = createTextsPool(stores.threads);
  const agents = await createAgents(config.agent, {
    rules: withAdvice(rules, () => adviceOn(config.agent)),
    threads: stores.threads,
  });
  const { namespace } = config.temporal;
  const { dataConverter } = temporal;
  if (!sharesTasks(temporal)) {
    const failing = failLostSteps(connection, namespace).then((steps) =>
      logger.info({ steps }, 'lost steps told'),
    );
    await failing.catch((err: unknown) =>
      logger.warn({ err }, 'lost steps are only found by their heartbeats'),
    );
  }
  const recorded = createRecorded(connection, namespace, dataConverter);
  const retention = {
    ...stores.retention,
    runningTasks: runningTasksOf(connection, config, { stores, temporal }),
  };
  const stopping = new AbortController();
  const activities = createActivities({
    ...stores,
    agents,
    texts,
    recorded,
    retention,
    log: logger,
    calls: modelCalls(config.agent.calls, stores, stopping.signal),
    stopping: stopping.signal,
    reconcile: (signal) => reconcile({ endpoint: temporal.endpoint, namespace, signal }),
    callbacks: {
      send: countedSends(
        (...delivery: Parameters<typeof sender.send>) => sender.send(...delivery),
        metrics.callbackAttempted,
      ),
    },
    onStep: metrics.stepDelayed,
    heartbeats: timesOf(temporal.endpoint).heartbeats,
  });
  const worker = await createWorker({
    connection,
    namespace,
    activities,
    cacheDir: config.dataDir,
    shutdownGrace: config.shutdownGrace,
    callsGrace: config.agent.calls.grace,
    times: timesOf(temporal.endpoint),
    ...defined({ home: sharesTasks(temporal) ? homeName(config.dataDir) : undefined }),
    ...defined({ dataConverter }),
    measures: metrics,
    onTaskEnded: (taskId) => void stores.leases.giveBack(taskId).catch(() => undefined),
  });
  metrics.watchWorker(() => worker.check());
  // without it everything works, and grows
  await scheduleCleanUp(connection, namespace, dataConverter).catch((err: unknown) =>
    logger.error({ err }, 'clean-up not scheduled'),
  );
  const close = () => {
    stopping.abort(new DomainError('UNAVAILABLE', 'The process stops', { retryable: true }));
    return worker.close();
  };
  return resources.adopt({ ...worker, close }, (running) => running.close());
}

/** Calls of language models: in a minute so many of all processes that share a database. */
function modelCalls(
  { atOnce, perMinute }: Config['agent']['calls'],
  { database }: Stores,
  stopping: AbortSignal,
) {
  const { points, seconds: duration } = windowOf(perMinute);
  const limiter = createLimiter(
    storeOf({ keyPrefix: 'model_calls', points, duration }, database.pool),
  );
  return createCalls({
    atOnce,
    stopping,
    next: async () => {
      const { counted, msLeft } = await limiter.count('all');
      return counted <= points ? 0 : Math.max(1, msLeft);
    },
  });
}

async function startMetrics(
  address: string,
  metrics: Metrics,
  { progress, sdkMetrics: sdk }: Options,
) {
  const served = await serveMetrics(address, { metrics, sdk });
  progress(`Metrics at ${served.url}`);
  return served;
}

interface ApiParts extends Parts {
  worker: RunningWorker | undefined;
}

async function startApi(
  config: Config,
  { logger, metrics, stores, callbacks, temporal, worker, publicUrl }: ApiParts,
  resources: AsyncDisposableStack,
): Promise<number> {
  const { database, organizations } = stores;
  const { sites, siteList, secrets, repositories, pages, deployments } = stores;
  await database.listen();
  const connection = resources.adopt(connectClient(temporal.endpoint), (opened) => opened.close());
  const tasks = resources.adopt(
    await openTasks(config, { stores, temporal, logger }, connection, resources),
    (opened) => opened.close(),
  );
  const watchers = createTaskWatchers(tasks);
  const sender = resources.adopt(createCallbackSender(callbacks), (opened) => opened.close());
  const runningTasks = runningTasksOf(connection, config, { stores, temporal });
  const disk = createDisk(config.dataDir);
  const copies = resources.adopt(
    await createCopies({
      folder: join(config.dataDir, 'served'),
      hasRoom: (bytes) => disk.hasRoom(bytes),
    }),
    (made) => made.close(),
  );
  const routes = createRoutes({
    publicUrl,
    retentionDays: temporal.retentionDays,
    ...settingsParts(stores, runningTasks),
    sites,
    deployments,
    shares: stores.shares,
    noteStates: stores.noteStates,
    ...(await peopleParts(stores)),
    rateLimits: createRateLimits({ ...config.rateLimits, ...defined({ pool: database.pool }) }),
    checkCallbackUrl: (url) => checkCallbackUrl(url, callbacks),
    sendTest: createSendTest({ send: (...delivery) => sender.send(...delivery), organizations }),
    hasRoom: () => disk.hasRoom(),
    assign: createAssignment(config.agent),
    ...tryingParts(stores, publicUrl),
    tasks,
    runAddress: runAddressOf(config, temporal),
    watchers,
    knownTasks: createKnownTasks(tasks),
    diffs: createSiteDiffs({ repositories, pages }),
    siteList,
    siteDeployments: createDeploymentList({ deployments, repositories }),
    siteComparison: createSiteComparison({ deployments, repositories }),
    publications: deployments.publications,
    liveAddress: (site) => createAddresses(config, publicUrl).live(site),
    previewAddress: (site, taskId) => createAddresses(config, publicUrl).preview(site, taskId),
    sitePages: createSitePages({ repositories, pages }),
    editing: {
      editor: createEditor({ ...stores, dropNoted: dropNotedOf(stores) }),
      grants: createGrants(await secrets.secret('editor')),
      findTask: (organizationId, taskId) => tasks.find(organizationId, taskId),
      publicUrl,
    },
    ...consoleParts(config, publicUrl),
  });
  const { db } = database;
  const { namespace } = config.temporal;
  const app = createApp({
    server: {
      logger,
      onRefused: metrics.requestRefused,
      publicUrl,
      trustProxy: config.trustProxy,
      readiness: createReadiness({ db, disk, connection, namespace, worker }),
      serveSites: serveSites({ sites, deployments, repositories, copies, ...config, publicUrl }),
    },
    routes,
  });
  const server = await listenOn(app, config);
  resources.defer(() => server.close(config.shutdownGrace * 1_000));
  resources.defer(() => watchers.close());
  return server.port;
}

async function openTasks(
  { temporal: { namespace } }: Config,
  { stores, temporal, logger }: Pick<ApiParts, 'stores' | 'temporal' | 'logger'>,
  connection: ReturnType<typeof connectClient>,
  resources: AsyncDisposableStack,
) {
  const client = createClient(connection, namespace, temporal.dataConverter);
  const { leases } = stores;
  const onFailure = (err: unknown) => logger.warn({ err }, 'leases of tasks not checked');
  resources.adopt(startLeaseCheck(client, { leases, onFailure }), (check) => check.close());
  const { workflowTask: workflowTaskTimeout, heartbeats } = timesOf(temporal.endpoint);
  const secret = await stores.secrets.secret('task-ids');
  const homes = sharesTasks(temporal);
  return createTaskClient({ client, secret, workflowTaskTimeout, heartbeats, leases, homes });
}

/** In production the embedded UI is for those who have the machine: nobody else learns of it. */
const runAddressOf = ({ production, temporal: { uiUrl, namespace } }: Config, temporal: Temporal) =>
  createRunAddress(uiUrl ?? (production ? undefined : temporal.uiUrl), namespace);

/** What the settings of an organization are made of. */
function settingsParts(
  { keys, teamKeys, makers, audit, sites, repositories, pages, credentials, hosting }: Stores,
  runningTasks: ReturnType<typeof createRunningTasks>,
) {
  const siteSettings = createSiteSettings({
    sites,
    repositories,
    pages,
    credentials,
    hosting,
    hasRunningTasks: async (siteId) => ((await runningTasks([siteId])).get(siteId)?.size ?? 0) > 0,
  });
  return { keys, teamKeys, makers, audit, credentials, siteSettings };
}

/** The console's page, and what it may frame: every live site and every preview. */
function consoleParts({ sitesDomain, previewDomain }: Config, publicUrl: () => URL) {
  const under = (domain: string) =>
    createAddresses({ sitesDomain: domain, previewDomain }, publicUrl).live({ label: '*' });
  return {
    buildConsole: async () => (await import('./console/console.ts')).buildConsole(),
    siteOrigins: () => [sitesDomain, previewDomain].map(under),
  };
}

/** What tries tasks that are not started: by the rules, whoever will do the work. */
function tryingParts({ repositories, pages, threads }: Stores, publicUrl: () => URL) {
  const rules = createRulesAgent(threads, () => new URL('/docs/prompts.md', publicUrl()).href);
  const deps = { repositories, pages, texts: createTextsPool(threads), rules };
  return { checkTask: createTaskChecks(deps), findExamples: createSiteExamples(deps) };
}

/** What goes of a page that is edited by hand: found by the rules. */
function dropNotedOf({ threads }: Stores): EditorDeps['dropNoted'] {
  const rules = createRulesAgent(threads);
  return (page, notes, work) => rules.dropNoted({ page: templatePageOf(page), notes }, work);
}

async function peopleParts({ accounts, organizations, secrets, database }: Stores) {
  const signInLimits = createSignInLimits(await secrets.secret('devices'), database.pool);
  return { accounts, organizations, signInLimits };
}

async function listenOn(app: Parameters<typeof listen>[0], { host, port }: Config) {
  try {
    return await listen(app, port, { host });
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code === 'EADDRNOTAVAIL')
      throw unusable(`HOST ${host} is no address of this machine`, cause);
    const reason = code === 'EADDRINUSE' ? 'another program uses it' : code;
    throw unusable(`Port ${port} can't be used (${reason}): choose another one with PORT`, cause);
  }
}

const unusable = (message: string, cause: unknown) =>
  new DomainError('CONFIGURATION', message, { cause });

interface SeedParts {
  stores: Stores;
  publicUrl: () => URL;
  temporalUiUrl: string | undefined;
  progress: Options['progress'];
}

async function firstLink(
  { accounts }: Stores,
  publicUrl: URL,
  organizationId?: string,
): Promise<string | undefined> {
  const link = await accounts.links.first(organizationId);
  return link ? linkAddress(publicUrl, link.token) : undefined;
}

async function seed(
  { dataDir }: Config,
  { stores, publicUrl, temporalUiUrl, progress }: SeedParts,
): Promise<DemoSite & { organizationId: string }> {
  progress('Looking after the demo site');
  const seeded = await seedDemo({
    dataDir,
    ...stores,
    goLive: (site) => stores.hosting.ensureLive(site),
  });
  const { isNewKey, ...demo } = seeded;
  const file = await writeDemoFile(dataDir, {
    baseUrl: new URL('/api/v1', publicUrl()).href,
    ...demo,
    temporalUiUrl,
  });
  const { siteId, organizationId } = demo;
  return { siteId, organizationId, apiKey: isNewKey ? demo.apiKey : undefined, file };
}
