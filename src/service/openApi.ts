import { join } from 'node:path';
import { templatePageOf } from '../agents/agent.ts';
import { createAssignment } from '../agents/assignment.ts';
import { createPageOutlines } from '../agents/pageOutlines.ts';
import { createBatchCheck } from '../agents/batchCheck.ts';
import { createTaskChecks } from '../agents/taskCheck.ts';
import { createApp } from '../api/app.ts';
import { createBatchReader } from '../api/batches/batchReader.ts';
import { createLongAnswers } from '../api/longAnswers.ts';
import { createRateLimits } from '../api/middleware/rateLimit.ts';
import { createSignInLimits } from '../api/middleware/signInLimits.ts';
import type { Parts } from '../api/parts.ts';
import { createRoutes } from '../api/routes.ts';
import { listen } from '../api/server.ts';
import { createForgeNews } from '../api/forgeNews.ts';
import { createSiteSettings } from '../api/siteSettings.ts';
import { checkCallbackUrl, parseCallbackUrl } from '../callbacks/guard.ts';
import { createSendTest, type ExampleTask } from '../callbacks/sendTest.ts';
import type { Config } from '../config.ts';
import { defined } from '../contract/defined.ts';
import { pricedBy } from '../contract/prices.ts';
import { createUsageReport } from '../organizations/usageReport.ts';
import { editAddress } from '../editor/editAddress.ts';
import { createEditor } from '../editor/editor.ts';
import { createGrants } from '../editor/grants.ts';
import { DomainError } from '../errors.ts';
import { createDeploymentList } from '../hosting/deploymentList.ts';
import { createCopies, createOrigins, hostOf, serveSites } from '../hosting/hosts.ts';
import { createSiteComparison } from '../hosting/siteComparison.ts';
import { createSiteDiffs } from '../sites/pages/siteDiff.ts';
import { createSitePages } from '../sites/pages/sitePages.ts';
import { createDisk, type Disk } from '../storage/diskSpace.ts';
import { endLost } from '../tasks/batches/endLost.ts';
import { createKnownTasks } from '../tasks/knownTasks.ts';
import { createTaskWatchers, type TaskWatchers } from '../tasks/watch.ts';
import { createReadiness } from '../temporal/readiness.ts';
import { createRunAddress } from '../temporal/runAddress.ts';
import { openTaskClient } from '../temporal/tasks/openTaskClient.ts';
import { randomTaskId } from '../temporal/tasks/taskId.ts';
import type { TaskClient } from '../temporal/tasks/taskClient.ts';
import type { RunningWorker } from '../temporal/worker/worker.ts';
import type { CommonParts, Keep } from './commonParts.ts';

/**
 * Serves the API, the console and the sites over HTTP.
 * @param worker the worker of this process, if it has one
 * @returns the port that was taken
 * @throws DomainError CONFIGURATION where HOST and PORT can't be used
 */
export async function openApi(
  parts: CommonParts,
  worker: RunningWorker | undefined,
  keep: Keep,
): Promise<number> {
  const { config, logger, stores, temporal } = parts;
  const { database, leases } = stores;
  const tasks: TaskClient = keep(
    openTaskClient(temporal, {
      leases,
      secret: await stores.secrets.secret('task-ids'),
      onGone: (taskId) => endLost({ ...stores, ...tasks }, taskId),
      onFailure: (err) => logger.warn({ err }, 'leases of tasks not checked'),
    }),
  );
  const disk = createDisk(config.dataDir);
  const { connection, namespace } = temporal;
  const readiness = createReadiness({ db: database.db, disk, connection, namespace, worker });
  return serveApi(parts, { tasks, disk, readiness }, keep);
}

/**
 * Serves the API over a client of tasks.
 * @returns the port that was taken
 * @throws DomainError CONFIGURATION where HOST and PORT can't be used
 */
export async function serveApi(
  parts: CommonParts,
  {
    tasks,
    disk,
    readiness,
  }: { tasks: TaskClient; disk: Disk; readiness: ReturnType<typeof createReadiness> },
  keep: Keep,
): Promise<number> {
  const { config, logger, metrics, stores, publicUrl } = parts;
  await stores.database.listen();
  const watchers = createTaskWatchers(tasks);
  const folder = join(config.dataDir, 'served');
  const copies = keep(await createCopies({ folder, hasRoom: (bytes) => disk.hasRoom(bytes) }));
  const app = createApp({
    server: {
      logger,
      onRefused: metrics.requestRefused,
      publicUrl,
      trustProxy: config.trustProxy,
      readiness,
      serveSites: serveSites({ ...stores, ...config, copies, publicUrl }),
    },
    routes: createRoutes(withMcp(await routeParts(parts, { tasks, watchers, disk }))),
  });
  const server = await listenOn(app, config);
  keep({ close: () => server.close(config.shutdownGrace * 1_000) });
  keep(watchers);
  return server.port;
}

async function routeParts(
  parts: CommonParts,
  { tasks, watchers, disk }: { tasks: TaskClient; watchers: TaskWatchers; disk: Disk },
): Promise<Omit<Parts, 'mcp'>> {
  const { config, stores, temporal, publicUrl, callbacks, sender } = parts;
  const { organizations, secrets, deployments, hosts } = stores;
  const { pool } = stores.database;
  return {
    ...stores,
    ...triedTasks(parts),
    buildConsole: async () => (await import('../console/console.ts')).buildConsole(),
    frameSources: () => Object.values(hosts).flatMap((host) => host.frameSources()),
    publicUrl,
    retentionDays: temporal.retentionDays,
    rateLimits: createRateLimits({ ...config.rateLimits, ...defined({ pool }) }),
    signInLimits: createSignInLimits(await secrets.secret('devices'), pool),
    hasRoom: () => disk.hasRoom(),
    assign: createAssignment(config.agent),
    reportUsage: createUsageReport({
      usage: stores.modelUsage,
      builds: stores.builds,
      limits: stores.tokenLimits,
      ...config.agent,
    }),
    tasks,
    batchRuns: tasks.batchRuns,
    readBatch: createBatchReader(stores.threads),
    costOf: pricedBy(config.agent),
    knownTasks: createKnownTasks(tasks),
    watchers,
    waits: createLongAnswers('requests that wait'),
    diffs: createSiteDiffs(stores),
    editing: {
      editor: createEditor({ ...stores, dropNoted: dropNotedBy(parts) }),
      grants: createGrants(await secrets.secret('editor')),
      findTask: (organizationId, taskId) => tasks.find(organizationId, taskId),
      publicUrl,
    },
    runAddress: runAddressOf(parts),
    checkCallbackUrl: (url) => checkCallbackUrl(url, callbacks),
    sendTest: createSendTest({
      send: (...delivery) => sender.send(...delivery),
      createExample: () => createExampleTask(parts),
      organizations,
    }),
    siteSettings: siteSettingsOf(parts),
    forgeNews: forgeNewsOf(parts, tasks),
    sitePages: createSitePages(stores),
    publications: deployments.publications,
    siteDeployments: createDeploymentList(stores),
    siteComparison: createSiteComparison(stores),
    liveAddress: (site) => hostOf(hosts, site).liveAddress(site),
    async previewAddress({ organizationId, siteId, taskId }) {
      const site = await stores.sites.findAddressable(organizationId, siteId);
      return site && hostOf(hosts, site).previewAddress(site, taskId);
    },
  };
}

/** What a test callback is about. Its addresses have the form of real ones. */
function createExampleTask({ config, publicUrl }: CommonParts): ExampleTask {
  const taskId = randomTaskId();
  const slug = '/example';
  const previewOrigin = createOrigins({ ...config, publicUrl }).preview(
    { label: 'example' },
    taskId,
  );
  return {
    taskId,
    page: {
      slug,
      previewUrl: previewOrigin + slug,
      editUrl: editAddress(publicUrl(), taskId, slug).href,
      publishedUrl: null,
    },
  };
}

/** Adds the endpoint of assistants. Its packages are loaded at the first request. */
const withMcp = (parts: Omit<Parts, 'mcp'>): Parts => ({
  ...parts,
  mcp: async (ctx) => (await import('../mcp/mcp.ts')).createMcp(parts)(ctx),
});

/**
 * Checks of tasks before they start, and outlines of pages. Checks use the rules, even if a
 * language model will do the work.
 */
function triedTasks({ stores: { repositories, pages }, texts, rules }: CommonParts) {
  const deps = { repositories, pages, texts, rules };
  return {
    checkTask: createTaskChecks(deps),
    checkBatch: createBatchCheck(deps),
    readOutline: createPageOutlines(deps),
  };
}

const siteSettingsOf = ({ stores, runningTasks, callbacks }: CommonParts) =>
  createSiteSettings({
    ...stores,
    addressRules: {
      allowPrivate: callbacks.allowPrivate,
      checkUrl: (url) => parseCallbackUrl(url, callbacks),
    },
    openForge: (place, credential) => stores.forges.open(place, credential),
    hasRunningTasks: async (siteId) => ((await runningTasks([siteId])).get(siteId)?.size ?? 0) > 0,
  });

const forgeNewsOf = ({ stores, runningTasks }: CommonParts, tasks: TaskClient) =>
  createForgeNews({
    ...stores,
    runningTasks: async (siteId) => (await runningTasks([siteId])).get(siteId) ?? new Set(),
    tellNews: (taskIds) => tasks.tellNews(taskIds),
  });

/** Removes the facts of a page's notes by the rules, for the editor. */
const dropNotedBy =
  ({ rules }: CommonParts): Parameters<typeof createEditor>[0]['dropNoted'] =>
  (page, notes, work) =>
    rules.dropNoted({ page: templatePageOf(page), notes }, work);

/**
 * In production, the embedded UI is reachable only on the machine itself, so clients get no address
 * of it.
 */
const runAddressOf = ({ config, temporal }: CommonParts) =>
  createRunAddress(
    config.temporal.uiUrl ?? (config.production ? undefined : temporal.uiUrl),
    temporal.namespace,
  );

async function listenOn(app: ReturnType<typeof createApp>, { host, port }: Config) {
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
