import { join } from 'node:path';
import { createTemplatePage } from '../agents/shared/agentTypes.ts';
import { createModelAssignment } from '../agents/modelAssignment.ts';
import { createPageOutlineReader } from '../agents/rules/checks/readPageOutline.ts';
import { createBatchCheck } from '../agents/rules/checks/checkBatch.ts';
import { createTaskCheck } from '../agents/rules/checks/checkTask.ts';
import { createPageReviewer } from '../agents/rules/checks/reviewPages.ts';
import { createApp } from '../api/app.ts';
import { createBatchReader } from '../api/batches/batchReader.ts';
import { createLongLivedResponses } from '../api/longLivedResponses.ts';
import { createRateLimits } from '../api/middleware/rateLimit.ts';
import { createSignInLimits } from '../api/middleware/signInLimits.ts';
import type { ApiDeps } from '../api/apiDeps.ts';
import { createRoutes } from '../api/routes.ts';
import { serveApp } from '../api/server.ts';
import { createForgeEventReceiver } from '../api/forgeEvents.ts';
import { createSiteSettings } from '../api/siteSettings.ts';
import { checkCallbackUrl, parseCallbackUrl } from '../callbacks/callbackPolicy.ts';
import { createSendTest, type ExampleTask } from '../callbacks/sendTest.ts';
import type { ServiceConfig } from '../config.ts';
import { withoutUndefined } from '../contract/withoutUndefined.ts';
import { createCostCalculator } from '../contract/prices.ts';
import { createUsageReport } from '../organizations/usageReport.ts';
import { editUrl } from '../editor/editUrl.ts';
import { createEditor, type EditorDeps } from '../editor/editor.ts';
import { createGrants } from '../editor/grants.ts';
import { DomainError } from '../errors.ts';
import { createDeploymentListReader } from '../hosting/deploymentList.ts';
import { createDiskCopies, createOrigins, findHost, serveSites } from '../hosting/hosts.ts';
import { createSiteComparison } from '../hosting/siteComparison.ts';
import { createSiteDiffs } from '../sites/pages/siteDiff.ts';
import { createSitePages } from '../sites/pages/listing/sitePages.ts';
import { createDisk, type Disk } from '../storage/diskSpace.ts';
import { endLostBatch } from '../tasks/batches/endLostBatch.ts';
import { createKnownTasks } from '../tasks/knownTasks.ts';
import { addGuestNotes } from '../tasks/reviews/guestNotes.ts';
import { createTaskWatchers, type TaskWatchers } from '../tasks/taskWatchers.ts';
import { createReadiness } from '../temporal/readiness.ts';
import { createRunUrl } from '../temporal/runUrl.ts';
import type { ListenersFinder } from '../temporal/tasks/startTask.ts';
import { openTaskClient } from '../temporal/tasks/openTaskClient.ts';
import { randomTaskId } from '../temporal/tasks/taskId.ts';
import type { TaskClient } from '../temporal/tasks/taskClient.ts';
import type { RunningWorker } from '../temporal/worker/worker.ts';
import type { CommonParts, KeepOpen } from './commonParts.ts';

/**
 * Serves the API, the console and the sites over HTTP. Opens the client of tasks and the readiness
 * check first.
 * @param worker the worker of this process, if it has one
 * @returns the port on which the service listens
 * @throws DomainError CONFIGURATION if HOST and PORT can't be used
 */
export async function openApi(
  commonParts: CommonParts,
  worker: RunningWorker | undefined,
  keep: KeepOpen,
): Promise<number> {
  const { config, logger, stores, temporal } = commonParts;
  const { database, leases } = stores;
  const tasks: TaskClient = keep(
    openTaskClient(temporal, {
      leases,
      listenersOf: createListenersFinder(stores),
      secret: await stores.secrets.secret('task-ids'),
      onGone: (taskId) => endLostBatch({ ...stores, ...tasks }, taskId),
      onFailure: (err) => logger.warn({ err }, 'check of running tasks failed'),
    }),
  );
  const disk = createDisk(config.dataDir);
  const { connection, namespace } = temporal;
  const readiness = createReadiness({ db: database.db, disk, connection, namespace, worker });
  return serveApiOver(commonParts, { tasks, disk, readiness }, keep);
}

/**
 * As `openApi`, over a client of tasks that is already open.
 * @returns the port on which the service listens
 * @throws DomainError CONFIGURATION if HOST and PORT can't be used
 */
export async function serveApiOver(
  commonParts: CommonParts,
  {
    tasks: ownTasks,
    disk,
    readiness,
  }: { tasks: TaskClient; disk: Disk; readiness: ReturnType<typeof createReadiness> },
  keep: KeepOpen,
): Promise<number> {
  const { config, logger, metrics, traces, stores, publicUrl } = commonParts;
  await stores.database.listen();
  const tasks = addGuestNotes(ownTasks, stores.guestComments);
  const watchers = createTaskWatchers(tasks);
  const servedFolder = join(config.dataDir, 'served');
  const diskCopies = keep(
    await createDiskCopies({ folder: servedFolder, hasRoom: (bytes) => disk.hasRoom(bytes) }),
  );
  const app = createApp({
    server: {
      logger,
      onRefused: metrics.requestRefused,
      traces,
      publicUrl,
      trustProxy: config.trustProxy,
      readiness,
      serveSites: serveSites({ ...stores, ...config, copies: diskCopies, publicUrl }),
    },
    routes: createRoutes(
      addMcpRoute(await createRouteParts(commonParts, { tasks, watchers, disk })),
    ),
  });
  const server = await listenOn(app, config);
  keep({ close: () => server.close(config.shutdownGrace * 1_000) });
  keep(watchers);
  return server.port;
}

async function createRouteParts(
  commonParts: CommonParts,
  { tasks, watchers, disk }: { tasks: TaskClient; watchers: TaskWatchers; disk: Disk },
): Promise<Omit<ApiDeps, 'mcp'>> {
  const { config, stores, temporal, publicUrl, callbacks, sender } = commonParts;
  const { organizations, secrets, deployments, hosts } = stores;
  const { pool } = stores.database;
  return {
    ...stores,
    ...createTaskCheckers(commonParts),
    buildConsole: async () => (await import('../console/console.ts')).buildConsole(),
    frameSources: () => Object.values(hosts).flatMap((host) => host.frameSources()),
    publicUrl,
    retentionDays: temporal.retentionDays,
    rateLimits: createRateLimits({ ...config.rateLimits, ...withoutUndefined({ pool }) }),
    signInLimits: createSignInLimits(await secrets.secret('devices'), pool),
    hasRoom: () => disk.hasRoom(),
    assign: createModelAssignment(config.agent),
    reportUsage: createUsageReport({
      usage: stores.modelUsage,
      builds: stores.builds,
      limits: stores.tokenLimits,
      ...config.agent,
    }),
    tasks,
    startEvent: tasks.startEvent,
    batchRuns: tasks.batchRuns,
    readBatch: createBatchReader(stores.threads),
    costOf: createCostCalculator(config.agent),
    knownTasks: createKnownTasks(tasks),
    watchers,
    waits: createLongLivedResponses('requests that wait'),
    diffs: createSiteDiffs(stores),
    editing: {
      editor: createEditor({ ...stores, ...createNoteResolver(commonParts) }),
      grants: createGrants(await secrets.secret('editor')),
      findTask: (organizationId, taskId) => tasks.find(organizationId, taskId),
      publicUrl,
    },
    runUrlOf: createServiceRunUrl(commonParts),
    checkCallbackUrl: (url) => checkCallbackUrl(url, callbacks),
    sendTest: createSendTest({
      send: (...delivery) => sender.send(...delivery),
      createExample: () => createExampleTask(commonParts),
      organizations,
    }),
    siteSettings: createServiceSiteSettings(commonParts),
    forgeEvents: createServiceForgeEvents(commonParts, tasks),
    sitePages: createSitePages(stores),
    publications: deployments.publications,
    siteDeployments: createDeploymentListReader(stores),
    siteComparison: createSiteComparison(stores),
    readCurrentVersion: (site, result) => stores.repositories.open(site).currentVersion(result),
    liveOriginOf: (site) => findHost(hosts, site).liveOriginOf(site),
    async previewOriginOf({ organizationId, siteId, taskId }) {
      const site = await stores.sites.findAddressable(organizationId, siteId);
      return site && findHost(hosts, site).previewOriginOf(site, taskId);
    },
  };
}

/** Finds who listens to the events of a task: endpoints, and its creator if e-mails are sent. */
const createListenersFinder =
  ({ eventLog, mailIsOn }: CommonParts['stores']): ListenersFinder =>
  async (organizationId, createdBy) => {
    const endpoints = (await eventLog.hasEndpoints(organizationId)) || undefined;
    const userId = mailIsOn && 'userId' in createdBy ? createdBy.userId : undefined;
    return (endpoints ?? userId) ? withoutUndefined({ endpoints, userId }) : undefined;
  };

/** The made-up task that a test callback reports. Its URLs have the form of real ones. */
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
      editUrl: editUrl(publicUrl(), taskId, slug).href,
      publishedUrl: null,
    },
  };
}

/** Adds the MCP endpoint for assistants. Its packages are loaded at the first request. */
const addMcpRoute = (commonParts: Omit<ApiDeps, 'mcp'>): ApiDeps => ({
  ...commonParts,
  mcp: async (ctx) => (await import('../mcp/mcp.ts')).createMcp(commonParts)(ctx),
});

/**
 * Creates the checks of requests before they start tasks, and the reader of pages' outlines. Checks
 * use the rules, even if a language model will do the work.
 */
function createTaskCheckers({ stores: { repositories, pages }, texts, rules }: CommonParts) {
  const deps = { repositories, pages, texts, rules };
  return {
    checkTask: createTaskCheck(deps),
    checkBatch: createBatchCheck(deps),
    reviewer: createPageReviewer(deps),
    readOutline: createPageOutlineReader(deps),
  };
}

const createServiceSiteSettings = ({ stores, runningTasks, callbacks }: CommonParts) =>
  createSiteSettings({
    ...stores,
    addressRules: {
      allowPrivate: callbacks.allowPrivate,
      checkUrl: (url) => parseCallbackUrl(url, callbacks),
    },
    openForge: (forgePlace, credential) => stores.forges.open(forgePlace, credential),
    hasRunningTasks: async (siteId) => ((await runningTasks([siteId])).get(siteId)?.size ?? 0) > 0,
  });

const createServiceForgeEvents = ({ stores, runningTasks }: CommonParts, tasks: TaskClient) =>
  createForgeEventReceiver({
    ...stores,
    runningTasks: async (siteId) => (await runningTasks([siteId])).get(siteId) ?? new Set(),
    notifyTasks: (taskIds) => tasks.notifyTasks(taskIds),
  });

/** Plans by the rules how to resolve the notes of a page, for the editor. */
const createNoteResolver = ({
  rules,
}: CommonParts): Pick<
  EditorDeps,
  'findNotedParts' | 'replaceNotedValues' | 'placeContextValues'
> => ({
  findNotedParts: (page, notes, work) =>
    rules.findNotedParts({ page: createTemplatePage(page), notes }, work),
  replaceNotedValues: ({ page, ...job }, work) =>
    rules.replaceNotedValues({ ...job, page: createTemplatePage(page) }, work),
  placeContextValues: ({ page, ...job }, work) =>
    rules.placeContextValues({ ...job, page: createTemplatePage(page) }, work),
});

/**
 * In production, the embedded UI is reachable only on the machine itself, so clients get no address
 * of it.
 */
const createServiceRunUrl = ({ config, temporal }: CommonParts) =>
  createRunUrl(
    config.temporal.uiUrl ?? (config.production ? undefined : temporal.uiUrl),
    temporal.namespace,
  );

async function listenOn(app: ReturnType<typeof createApp>, { host, port }: ServiceConfig) {
  try {
    return await serveApp(app, port, { host });
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code === 'EADDRNOTAVAIL')
      throw unusableAddress(`HOST ${host} is not an address of this machine`, cause);
    const reason = code === 'EADDRINUSE' ? 'another program uses it' : code;
    throw unusableAddress(
      `Port ${port} can't be used (${reason}). Choose another port with PORT`,
      cause,
    );
  }
}

const unusableAddress = (message: string, cause: unknown) =>
  new DomainError('CONFIGURATION', message, { cause });
