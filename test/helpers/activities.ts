import { ApplicationFailure } from '@temporalio/activity';
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import { expect } from 'chai';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type {
  ActivityDependencies,
  NewPageTexts,
  NewPageContent,
  RecordedTasks,
  TaskRef,
} from '../../activities/deps.ts';
import { createActivities, type TaskActivities } from '../../activities/index.ts';
import { createCallbackSender } from '../../src/callbacks/callbackSender.ts';
import type { ModelTurn } from '../../src/agents/shared/agentTypes.ts';
import { unpackPage } from '../../src/contract/notes/packNotes.ts';
import { withoutUndefined } from '../../src/contract/withoutUndefined.ts';
import type { ExternalHost } from '../../src/contract/site.ts';
import type { PageItem } from '../../src/contract/task.ts';
import { editUrl } from '../../src/editor/editUrl.ts';
import type { PageTarget } from '../../src/sites/pages/listing/planTargets.ts';
import { createSiteHosting } from '../../src/hosting/hosting.ts';
import { createSiteHosts } from '../../src/hosting/hosts.ts';
import { createLogger } from '../../src/log.ts';
import { createAudit } from '../../src/organizations/audit.ts';
import { createConnections } from '../../src/accounts/assistants/connections.ts';
import { createModelUsage } from '../../src/organizations/modelUsage.ts';
import { createOrganizations } from '../../src/organizations/organizations.ts';
import { createSites, type Sites } from '../../src/organizations/sites.ts';
import { createRepositories } from '../../src/sites/git/repositories.ts';
import type { GitRepositories } from '../../src/sites/git/repository.ts';
import { createBatches } from '../../src/storage/batches/batches.ts';
import { type Builds, createBuilds } from '../../src/storage/builds.ts';
import { createApprovals } from '../../src/storage/approvals.ts';
import { createDeployments } from '../../src/storage/deployments.ts';
import { createPublishWindows } from '../../src/storage/publishWindows.ts';
import { eventStores } from './events.ts';
import { createRetention } from '../../src/storage/retention.ts';
import { randomTaskId } from '../../src/temporal/tasks/taskId.ts';
import { createdAt, git, Workplace } from './team/workplace.ts';
import { testDatabase } from './database.ts';
import { testLauncher } from './launcher.ts';
import { unlimited } from './leases.ts';
import { FakeForge, ownHost } from './ownHost.ts';
import { texts } from './texts.ts';
import { testPages, testRules, threadPages, threadRules } from './threads.ts';

const publicUrl = new URL('http://localhost:3000');
export const TEMPLATE = '/locations/austin';
export const silent = new DefaultLogger('ERROR', () => undefined);
const demoSite = fileURLToPath(new URL('../../src/demo/site', import.meta.url));
/**
 * Its pages have a twentieth of the demo site's bytes, and tests of steps read pages all the time.
 */
const smallSite = fileURLToPath(new URL('team/smallSite', import.meta.url));

type Deployments = ReturnType<typeof createDeployments>;

/**
 * The demo site, or a small one, in a team's repository, registered in a real database, with
 * workers of this service beside it.
 */
export class TaskSite {
  readonly workplace = new Workplace();
  readonly logs: Record<string, unknown>[] = [];
  readonly sites: Sites;
  readonly deployments: Deployments;
  readonly retention: ReturnType<typeof createRetention>;
  readonly builds: Builds;
  siteId = '';
  organizationId = '';
  /** Whether pages and prompts are read in threads, as by the service. */
  inThreads = false;
  private root = '';
  /** The forge and host of the team's own. Absent: the site has none. */
  forge?: FakeForge;
  readonly deps: Pick<
    ActivityDependencies,
    | 'sites'
    | 'organizations'
    | 'audit'
    | 'modelUsage'
    | 'accounts'
    | 'approvals'
    | 'batches'
    | 'publishWindows'
    | 'eventLog'
    | 'eventMails'
  >;
  private readonly closing: (() => unknown)[] = [];
  private readonly repositories = new Map<string, GitRepositories>();

  private constructor(
    deps: TaskSite['deps'] & Pick<TaskSite, 'sites' | 'deployments' | 'retention' | 'builds'>,
  ) {
    this.deps = deps;
    this.sites = deps.sites;
    this.deployments = deps.deployments;
    this.retention = deps.retention;
    this.builds = deps.builds;
  }

  /**
   * @param files on top of the demo site's, by their paths in the repository; null takes one of
   *   them away
   * @param root the site's folder in the repository
   */
  static create(files: Record<string, string | null> = {}, root = ''): Promise<TaskSite> {
    return TaskSite.#from(demoSite, files, root);
  }

  /** The same with four small pages, for tests that do not depend on what pages say. */
  static createSmall(): Promise<TaskSite> {
    return TaskSite.#from(smallSite, {}, '');
  }

  static async #from(pages: string, files: Record<string, string | null>, root: string) {
    const db = await testDatabase();
    const organizations = createOrganizations(db);
    const site = new TaskSite({
      organizations,
      sites: createSites(db),
      deployments: createDeployments(db),
      builds: createBuilds(db),
      publishWindows: createPublishWindows(db),
      audit: createAudit(db),
      modelUsage: createModelUsage(db),
      accounts: { assistants: createConnections(db) },
      approvals: createApprovals(db),
      ...eventStores(db),
      batches: createBatches(db, { previewRetention: 30 }),
      retention: createRetention(db, { previewRetention: 30 }),
    });
    site.root = root;
    cpSync(pages, join(site.workplace.clone, root), { recursive: true });
    site.workplace.push(files);
    site.organizationId = (await organizations.create({ name: 'Team' })).organizationId;
    site.siteId = await site.register(site.workplace.url);
    return site;
  }

  /** Gives the site a host of its own, which builds what is pushed. */
  async withOwnHost(changes: Partial<ExternalHost> = {}): Promise<FakeForge> {
    this.forge = new FakeForge(this.workplace.remote);
    await this.sites.change(this.siteId, { ownHost: { ...ownHost, ...changes } });
    return this.forge;
  }

  async register(url: string): Promise<string> {
    const repository = { url, branch: 'main', root: this.root };
    const { siteId } = await this.sites.create({
      organizationId: this.organizationId,
      name: 'Site',
      repository,
    });
    return siteId;
  }

  /**
   * The activities of one worker, each in its own activity context. @param dataDir its folder for
   * repositories
   */
  worker = (dataDir = 'data', changes: Partial<ActivityDependencies> = {}): TaskActivities =>
    run(this.bare(dataDir, changes));

  /** A worker that repeats steps, after a kill: it opens the folder anew. */
  again(dataDir = 'data', changes: Partial<ActivityDependencies> = {}): TaskActivities {
    this.repositories.delete(dataDir);
    return run(this.bare(dataDir, changes), { attempt: 2 });
  }

  /** One process has a folder at a time. */
  repositoriesIn(dataDir: string): GitRepositories {
    const known = this.repositories.get(dataDir);
    if (known) return known;
    const opened = createRepositories({
      dataDir: join(this.workplace.folder, dataDir),
      dataFiles: testPages,
      launcher: testLauncher,
    });
    this.closing.push(() => opened.close());
    this.repositories.set(dataDir, opened);
    return opened;
  }

  /** The same for tests that bring the activity context. */
  bare(dataDir = 'data', changes: Partial<ActivityDependencies> = {}): TaskActivities {
    const repositories = changes.repositories ?? this.repositoriesIn(dataDir);
    const callbacks = createCallbackSender({ allowPrivate: true, ownHosts: [] });
    this.closing.push(() => callbacks.close());
    const hosting = createSiteHosting({
      repositories,
      deployments: this.deployments,
      hosts: createSiteHosts({
        sitesDomain: 'sites.localhost',
        previewDomain: 'preview.localhost',
        publicUrl: () => publicUrl,
        ...(this.forge && { own: { ...this.forge.options(), repositories, builds: this.builds } }),
      }),
    });
    const log = createLogger('info', {
      write: (line) => this.logs.push(JSON.parse(line) as Record<string, unknown>),
    });
    return createActivities({
      ...this.deps,
      leases: unlimited,
      repositories,
      hosting,
      editAddress: (taskId, slug) => editUrl(publicUrl, taskId, slug).href,
      batchAddress: (batchId) => new URL(`api/v1/agent/batches/${batchId}`, publicUrl).href,
      consoleAddress: (path) => new URL(path, publicUrl).href,
      callbacks,
      pages: this.inThreads ? threadPages : testPages,
      agents: { of: () => (this.inThreads ? threadRules : testRules) },
      log,
      calls: { run: (_, step) => step() },
      texts: { for: () => texts },
      retention: { ...this.retention, runningTasks: () => Promise.resolve(new Map()) },
      recorded,
      ...changes,
    });
  }

  task = (fields: Partial<TaskRef> = {}): TaskRef => ({
    taskId: randomTaskId(),
    organizationId: this.organizationId,
    siteId: this.siteId,
    createdAt,
    ...fields,
  });

  /** What `refs/agent-tasks/*` the team's repository holds. */
  taskRefs = () =>
    git(
      this.workplace.remote,
      'for-each-ref',
      '--format=%(refname) %(objectname)',
      'refs/agent-tasks',
    );

  async remove(): Promise<void> {
    await Promise.all(this.closing.map((close) => close()));
    await this.workplace.remove();
  }
}

/** The turns of the tasks of this process, by taskId, as their workflows would have them. */
const taken = new Map<string, ModelTurn[]>();
const prompts = new Map<string, string>();
const recordedPrompt = async (taskId: string) =>
  prompts.has(taskId) ? [prompts.get(taskId)!] : noWorkflow();
const recordedTurns = async (taskId: string, count: number) =>
  taken.get(taskId)?.slice(0, count) ?? noWorkflow();

/** Has a task's workflow tell these turns. @returns how a step names them */
export function tellTurns(taskId: string, turns: ModelTurn[], prompt = ''): TurnsRef {
  prompts.set(taskId, prompt);
  taken.set(taskId, turns);
  return { count: turns.length };
}

/** The turns that a task took so far, each of which a test changes. */
export const changedTurns = (taskId: string, change: Partial<ModelTurn>): TurnsRef =>
  tellTurns(
    taskId,
    taken.get(taskId)!.map((turn) => ({ ...turn, ...change })),
    prompts.get(taskId),
  );

/** Takes a turn of a task, after those that it took so far. */
export async function takeTurn(
  worker: TaskActivities,
  argument: Omit<AgentTurnArgument, 'turns'>,
  after: TurnsRef,
) {
  const step = await worker.runAgentTurn({ ...argument, turns: after });
  const { taskId } = argument.task;
  if (argument.prompt !== undefined) prompts.set(taskId, argument.prompt);
  taken.set(taskId, [...(taken.get(taskId) ?? []).slice(0, after.count), step.turn]);
  return { step, turns: { count: after.count + 1, digest: step.digest } };
}

type AgentTurnArgument = Parameters<TaskActivities['runAgentTurn']>[0];
type TurnsRef = AgentTurnArgument['turns'];

/** The pages of the tasks of this process, by taskId, as their workflows would have them. */
const written = new Map<string, Record<string, NewPageContent>>();

/** Has a task's workflow tell these pages. @returns how a commit names them */
export function tellPages(taskId: string, pages: NewPageTexts[]): PageTarget[] {
  const texts = pages.map(({ slug, path: _, existing: __, ...page }) => [slug, page] as const);
  written.set(taskId, Object.fromEntries(texts));
  return pages.map(({ slug, path, existing }) => ({ slug, path, existing }));
}

/** The texts of the pages that a task wrote so far, for a test to change. */
export const pagesOf = (taskId: string): Record<string, NewPageContent> => written.get(taskId)!;

/** What the workflows of this process's tasks tell. */
export const recorded: RecordedTasks = {
  turns: recordedTurns,
  pages: async (taskId) => written.get(taskId) ?? noWorkflow(),
  contexts: recordedPrompt,
};

const noWorkflow = () => Promise.reject(new Error('There is no workflow to ask'));

/** Each activity in an activity context of its own, as a worker gives it. */
function run(activities: TaskActivities, info: { attempt?: number } = {}): TaskActivities {
  const wrapped = Object.entries(activities).map(([name, activity]) => [
    name,
    (...args: never[]) =>
      new MockActivityEnvironment(info, { logger: silent }).run(activity as never, ...args),
  ]);
  return Object.fromEntries(wrapped) as TaskActivities;
}

export const cityItem = (city: string): PageItem => ({
  targetPageSlug: `/locations/${city.toLowerCase()}`,
  context: `City: ${city}\nHeadline: Web design in ${city} that works`,
});

/** One page by the rules, whose pages are never rejected. */
export async function writePage(
  worker: TaskActivities,
  argument: Parameters<TaskActivities['generatePage']>[0],
) {
  const page = await worker.generatePage(argument);
  if ('asked' in page || page.rejected) throw new Error('The page was not written');
  return unpackPage(page);
}

/** A generate_pages task up to, and without, its commit: the argument of `commitChanges`. */
export async function writePages(
  worker: TaskActivities,
  task: TaskRef,
  items: PageItem[],
  linkFrom?: string,
) {
  const targetPageSlugs = items.map(({ targetPageSlug }) => targetPageSlug);
  const { base, template, targets } = await worker.readSite({
    task,
    templatePageSlug: TEMPLATE,
    targetPageSlugs,
    ...withoutUndefined({ linkFrom }),
  });
  if (!template) throw new Error('The site was read without a template');
  const written = await Promise.all(
    items.map((item) => writePage(worker, { task, base, template, item })),
  );
  const pages = targets.map((target, i) => {
    const { texts, groups = {}, removed = [] } = written[i]!;
    return { ...target, texts, groups, removed };
  });
  const edit = { type: 'generate_pages' as const, template, ...withoutUndefined({ linkFrom }) };
  return { task, base, edit: { ...edit, pages: tellPages(task.taskId, pages) } };
}

/** A prompt task up to, and without, its commit. */
export async function followPrompt(worker: TaskActivities, task: TaskRef, prompt: string) {
  const { base } = await worker.readSite({ task });
  let turns: TurnsRef = { count: 0 };
  for (let done = false; !done;) {
    const taking = await takeTurn(worker, { task, base, prompt }, turns);
    turns = taking.turns;
    done = taking.step.done;
  }
  return { task, base, edit: { type: 'prompt' as const, turns } };
}

/** A task with its commit. */
export async function commitPages(
  worker: TaskActivities,
  task: TaskRef,
  items: PageItem[],
  linkFrom?: string,
) {
  const written = await writePages(worker, task, items, linkFrom);
  const { commit, notes, ...pages } = await worker.commitChanges(written);
  if (commit === null) throw new Error('Nothing was committed');
  return { task, base: written.base, commit, notes, pages: [...pages.created, ...pages.modified] };
}

/** The failure that an activity ends with, as Temporal gets it. */
export async function failed(
  work: Promise<unknown>,
): Promise<{ type: string; message: string; retryable: boolean }> {
  const error = await work.then(
    () => expect.fail('The activity succeeded'),
    (reason: unknown) => reason,
  );
  expect(error).to.be.instanceOf(ApplicationFailure);
  const { type, message, nonRetryable } = error as ApplicationFailure;
  return { type: type ?? '', message, retryable: !nonRetryable };
}
