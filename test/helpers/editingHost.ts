import { randomUUID } from 'node:crypto';
import { atTime } from './atTime.ts';
import type { Role } from '../../src/contract/roles.ts';
import { createRateLimits } from '../../src/api/middleware/rateLimit.ts';
import { createTaskWatchers } from '../../src/tasks/taskWatchers.ts';
import { randomTaskId } from '../../src/temporal/tasks/taskId.ts';
import type { ListedTask, TaskRecord } from '../../src/temporal/tasks/taskService.ts';
import { type EditorTaskState, toEditableTask } from '../../src/editor/editableTask.ts';
import { editUrl } from '../../src/editor/editUrl.ts';
import { createEditor } from '../../src/editor/editor.ts';
import { createGrants } from '../../src/editor/grants.ts';
import { DomainError } from '../../src/errors.ts';
import { createSiteComparison } from '../../src/hosting/siteComparison.ts';
import { serveSites } from '../../src/hosting/hosts.ts';
import { commitTask, startHost } from '../unit/hosting/embedded/host.ts';
import {
  type HostWait,
  type Note,
  type TaskResult,
  createTaskView,
} from '../../src/contract/task.ts';
import { createKeys } from '../../src/organizations/apiKeys.ts';
import { createCreatorNames } from '../../src/organizations/creatorNames.ts';
import { createOrganizations } from '../../src/organizations/organizations.ts';
import { createShares } from '../../src/organizations/shareLinks.ts';
import { createAccounts } from '../../src/accounts/accounts.ts';
import { createMail } from '../../src/accounts/mail.ts';
import { createLogger } from '../../src/log.ts';
import type { StartRequest } from '../../src/temporal/tasks/taskService.ts';
import { bearer, failingTasks, noNoteStates, startApi } from './api.ts';
import { testDatabase } from './database.ts';
import { noBatches } from './editing.ts';
import { testNoteResolver, testPages } from './threads.ts';
import { made, told } from './about.ts';
import { begun, went } from './deployed.ts';
import { publication } from './team/workplace.ts';

/** The file of a page: in Markdown, if it is in the folder for such pages. */
const pathOf = (slug: string) =>
  slug.startsWith('/content/') ? `${slug.slice(1)}.md` : `${slug.slice(1)}.html`;

/**
 * The API with the editor on a real site with a real remote and previews; a map stands in
 * Temporal's place.
 */
export async function startEditing() {
  const address = { port: 0, protocol: 'http:' };
  const publicUrl = () => new URL(`${address.protocol}//localhost:${address.port}`);
  const host = await startHost({
    get publicUrl() {
      return publicUrl().href;
    },
  });
  host.team.push({ 'index.html': '<title>Home</title><h1>Home</h1>' });
  const { organizationId } = host;
  const tasks = new Map<string, EditorTaskState>();
  const awaited = new Map<string, HostWait>();
  const disk = { hasRoom: true };
  const clock = { now: () => Date.now() };
  const keys = atTime(() => clock.now(), createKeys(await testDatabase()));
  const other = await createOrganizations(await testDatabase()).create({ name: 'Other' });
  const [member, foreign] = await Promise.all(
    [organizationId, other.organizationId].map((owner) =>
      keys.create({ organizationId: owner, role: 'member' }),
    ),
  );
  const log = createLogger('silent');
  const accounts = createAccounts({
    db: await testDatabase(),
    secret: () => Promise.resolve(Buffer.alloc(32, 9)),
    signUp: 'invite',
    mail: createMail({ smtpUrl: undefined, from: undefined, log }),
    log,
    publicUrl,
  });
  const published: StartRequest[] = [];
  /** Publish tasks that run at the moment, as the list of tasks shows them. */
  const publishing: ListedTask[] = [];
  const noteStates = noNoteStates();
  const grants = atTime(() => clock.now(), createGrants(Buffer.alloc(32, 7)));
  const domains = { sitesDomain: 'sites.localhost', previewDomain: 'preview.localhost' };
  const rateLimits = createRateLimits({ createPerMinute: 1_000, readPerMinute: 1_000 });
  const editor = createEditor({
    ...host,
    ...noBatches,
    pages: testPages,
    ...testNoteResolver,
  });
  const api = await startApi({
    rateLimits,
    noteStates,
    hasRoom: () => Promise.resolve(disk.hasRoom),
    keys,
    shares: atTime(() => clock.now(), createShares(await testDatabase(), { previewRetention: 30 })),
    creators: createCreatorNames(await testDatabase()),
    sites: host.sites,
    deployments: host.deployments,
    publications: host.deployments.publications,
    siteComparison: createSiteComparison(host),
    tasks: {
      ...failingTasks(new Error('not asked for')),
      find: findRecord,
      read,
      follow,
      start: startPublish,
      list: () => Promise.resolve({ tasks: publishing, nextCursor: null }),
    },
    accounts,
    hosting: host.hosting,
    publicUrl,
    watchers: createTaskWatchers({ follow }),
    editing: {
      editor,
      grants,
      findTask,
      publicUrl,
    },
    serveSites: serveSites({ ...host, ...domains, pages: testPages, publicUrl }),
  });
  address.port = api.port;

  async function findTask(organization: string, taskId: string): Promise<EditorTaskState> {
    const task = tasks.get(taskId);
    if (task?.organizationId !== organization) throw new DomainError('NOT_FOUND', 'Task not found');
    return Promise.resolve(task);
  }

  /** A publish that completes at once. */
  function startPublish(request: StartRequest) {
    const { organizationId, siteId, work } = request.task;
    published.push(request);
    const taskId = `bg-${`p${published.length}`.padEnd(22, 'p')}`;
    const finished = work.type === 'publish' ? tasks.get(work.result.taskId)?.finished : undefined;
    tasks.set(taskId, {
      taskId,
      organizationId,
      siteId,
      status: 'completed',
      ...(finished && { finished }),
    });
    return Promise.resolve({ taskId, createdAt: new Date().toISOString() });
  }

  /** The cookie of a person with a role in an organization. */
  async function signIn(role: Role, organization = organizationId): Promise<string> {
    const email = `${role}-${randomUUID()}@example.com`;
    const { url } = await accounts.createSignInLink(email, { organizationId: organization, role });
    const { status, text, headers } = await api.request('POST', '/account/link', {
      headers: { Origin: publicUrl().origin, 'Content-Type': 'application/json' },
      body: JSON.stringify({ token: new URL(url).hash.slice('#token='.length) }),
    });
    if (status !== 200) throw new Error(`The link was answered with ${status}: ${text}`);
    return headers
      .getSetCookie()
      .map((line) => line.split(';')[0])
      .join('; ');
  }

  async function findRecord(organization: string, taskId: string): Promise<TaskRecord> {
    return {
      ...made,
      ...(await findTask(organization, taskId)),
      createdAt: new Date().toISOString(),
    } as TaskRecord;
  }

  async function follow(organization: string, taskId: string) {
    const { finished } = await findRecord(organization, taskId);
    const pages = finished?.status === 'completed' ? finished.output.pagesCreated : [];
    const at = new Date().toISOString();
    const events = pages.map((page, index) => ({ id: index + 1, at, type: 'page' as const, page }));
    return { view: createTaskView(taskId, finished), events, about: told };
  }

  async function read(organization: string, taskId: string) {
    const { view, about } = await follow(organization, taskId);
    const waitingFor = awaited.get(taskId);
    if (!waitingFor) return { ...view, about };
    const progress = { phase: 'publishing' as const, waitingFor };
    return { taskId, status: 'running' as const, progress, about };
  }

  /** A publish that waits for something outside of this service. @returns its taskId */
  function publishThatWaits(what: string): string {
    const taskId = randomTaskId();
    const { siteId } = host.site;
    tasks.set(taskId, { taskId, organizationId, siteId, status: 'running' });
    awaited.set(taskId, { what, url: 'https://forge.example/1', since: new Date().toISOString() });
    return taskId;
  }

  /** A completed task that made these pages: their sources by slug. @returns its taskId */
  async function completeTask(
    sources: Record<string, string>,
    assets: Record<string, string> = {},
    previewOf: (url: string | null) => string | null = (url) => url,
    { notes, baseTaskId }: { notes?: Note[]; baseTaskId?: string } = {},
  ): Promise<string> {
    const created = Object.keys(sources).map((slug) => ({ slug, path: pathOf(slug) }));
    const files = created.map(({ slug, path }) => [path, sources[slug] ?? '']);
    const baseResult = baseTaskId === undefined ? undefined : resultOf(baseTaskId);
    const { taskId, base, commit } = await commitTask(
      host,
      { ...assets, ...(Object.fromEntries(files) as Record<string, string>) },
      undefined,
      baseResult && { commit: baseResult.commit, retainedBy: baseResult.taskId },
    );
    const deployed = await host.hosting.deployPreview({
      ...begun,
      base,
      baseTaskId,
      site: host.site,
      taskId,
      commit,
      pages: created,
      retainedBy: taskId,
    });
    const pagesCreated = deployed.pages.map(({ slug, url }) => ({
      slug,
      previewUrl: previewOf(url),
      editUrl: editUrl(publicUrl(), taskId, slug).href,
      publishedUrl: null,
    }));
    const output = { pagesCreated, pagesModified: [], pagesDeleted: [], ...(notes && { notes }) };
    const result = { taskId, base, commit, root: baseResult?.root ?? base };
    const { siteId } = host.site;
    const task = { taskId, organizationId, siteId, status: 'completed' as const, baseTaskId };
    tasks.set(taskId, { ...task, finished: { status: 'completed', output, result } } as never);
    return taskId;
  }

  /** The result of a completed task. */
  function resultOf(taskId: string): TaskResult {
    const finished = tasks.get(taskId)?.finished;
    return (finished?.status === 'completed' ? finished.result : undefined) as TaskResult;
  }

  /** What a publish does to the production branch and the live site, with all pages' versions. */
  async function putLive(taskId: string): Promise<void> {
    const { commit: ownCommit, root } = resultOf(taskId);
    const own = { commit: ownCommit, retainedBy: taskId };
    const commit = await host.repository.fetchResult(own);
    const merged = await host.repository.publish(publication(taskId, root, commit));
    const { finished } = tasks.get(taskId)!;
    const pages = finished?.status === 'completed' ? finished.output.pagesCreated : [];
    const files = pages.map(({ slug }) => ({ slug, path: pathOf(slug) }));
    const live = { site: host.site, taskId, commit: merged, pages: files };
    await host.hosting.deployProduction({ ...went, ...live });
  }

  return {
    api,
    editor,
    editable: async (taskId: string) => toEditableTask(await findTask(organizationId, taskId)),
    rateLimits,
    host,
    tasks,
    noteStates,
    published,
    publishing,
    resultOf,
    signIn,
    accounts,
    clock,
    disk,
    address,
    completeTask,
    publishThatWaits,
    putLive,
    site: host.site,
    sites: host.sites,
    origin: () => publicUrl().origin,
    keys,
    member: member!,
    foreign: foreign!,
    link: (taskId: string, body: object = {}, key = member!.apiKey) =>
      api.request('POST', `/api/v1/agent/tasks/${taskId}/edit-link`, {
        headers: { ...bearer(key), 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      }),
    async close() {
      await api.close();
      await host.close();
    },
  };
}

export type EditingHost = Awaited<ReturnType<typeof startEditing>>;
