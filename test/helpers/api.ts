import type { Publication, PublicationReader } from '../../src/contract/publication.ts';
import { randomUUID } from 'node:crypto';
import { BlockList, connect } from 'node:net';
import { Kysely, PostgresDialect } from 'kysely';
import { createModelAssignment } from '../../src/agents/modelAssignment.ts';
import { createApp, type ServerDeps } from '../../src/api/app.ts';
import type { ApiDeps } from '../../src/api/apiDeps.ts';
import { createRoutes } from '../../src/api/routes.ts';
import type { CallerIdentity } from '../../src/tasks/caller.ts';
import type { ApiRouter } from '../../src/api/context.ts';
import { createAccounts } from '../../src/accounts/accounts.ts';
import { createMail } from '../../src/accounts/mail.ts';
import { createLongLivedResponses } from '../../src/api/longLivedResponses.ts';
import { createMcp } from '../../src/mcp/mcp.ts';
import { createRateLimits } from '../../src/api/middleware/rateLimit.ts';
import { serveApp } from '../../src/api/server.ts';
import { buildConsole } from '../../src/console/console.ts';
import { createSignInLimits } from '../../src/api/middleware/signInLimits.ts';
import { createKnownTasks } from '../../src/tasks/knownTasks.ts';
import { createTaskWatchers } from '../../src/tasks/taskWatchers.ts';
import type { Approvals, StoredApproval } from '../../src/contract/approvals.ts';
import type { NoteStates, ResolvedNote } from '../../src/contract/notes/noteStates.ts';
import type { Site } from '../../src/contract/site.ts';
import type { TaskView } from '../../src/contract/task.ts';
import { withoutUndefined } from '../../src/contract/withoutUndefined.ts';
import { DomainError } from '../../src/errors.ts';
import { createLogger } from '../../src/log.ts';
import { readProxies } from '../../src/trustedProxies.ts';
import type { Schema } from '../../src/storage/schema.ts';
import type { SitePage } from '../../src/sites/pages/listing/sitePages.ts';
import type { StartRequest, TaskService } from '../../src/temporal/tasks/taskService.ts';
import { createBatchesInMemory, readSentBatch, runsInMemory } from './batches.ts';
import { noEvents } from './events.ts';
import { noEditing, noShares } from './editing.ts';
import { createRecorder, type Recorder } from './recorder.ts';
import { named, told } from './about.ts';
import { deploymentOf } from './deployed.ts';

export interface TestApi {
  port: number;
  /** `http://127.0.0.1:<port>/api/v1` */
  base: string;
  /** Every start that reached Temporal's side, in order. */
  started: StartRequest[];
  /** Views that GET answers, by taskId. They belong to the organization of `keys.member`. */
  views: Map<string, TaskView>;
  /** Pages of every site, sorted by slug. */
  pages: SitePage[];
  site: Site;
  siteWithoutRepository: Site;
  foreignSite: Site;
  /** Every route of the routers, with its path and methods. */
  routes: { path: unknown; methods: string[] }[];
  /** Every line of the log. */
  logs: Record<string, unknown>[];
  /** POST /agent/tasks with a member's key. */
  create(body: unknown, headers?: Record<string, string>): Promise<Reply>;
  request(
    method: string,
    path: string,
    options?: {
      headers?: Record<string, string>;
      body?: string | Uint8Array;
      redirect?: 'manual' | 'follow';
    },
  ): Promise<Reply>;
  close(graceMs?: number): Promise<void>;
}

export interface Reply {
  status: number;
  headers: Headers;
  text: string;
  json: Record<string, unknown>;
  /** The code in `Agent-Tasks-Error`. undefined if the response is not an error. */
  code: string | undefined;
}

export const organizationId = randomUUID();
export const keys = {
  viewer: 'ak_viewer',
  member: 'ak_member',
  admin: 'ak_admin',
  owner: 'ak_owner',
  foreign: 'ak_foreign',
};
export const bearer = (key: string) => ({ Authorization: `Bearer ${key}` });
export const createdAt = '2026-01-02T03:04:05.678Z';
/** What the tests' language models may use up. */
export const budget = {
  turns: 30,
  tokens: 1_000_000,
  minutes: 20,
  pagesChanged: 50,
  pagesDeleted: 5,
};
export const siteCommit = 'c0'.repeat(20);
export const taskId = `bg-${'a1'.repeat(11)}`;

const noPages = { created: [], modified: [], deleted: [] };

/** Settings of sites that nobody changes. */
function noSettings() {
  const unused = () => Promise.reject(new DomainError('CONFLICT', 'The site is not changed here'));
  return {
    check: unused,
    create: unused,
    change: unused,
    newWebhookSecret: unused,
    remove: unused,
  };
}

const recorders = new Map<number, Recorder>();

/** What a test puts in the place of what stands for it here. */
export type Overrides = Partial<ServerDeps & ApiDeps> & {
  /** Milliseconds that a call of an assistant may take. */
  callMs?: number;
};

/**
 * A real server on a free loopback port, in front of small objects that stand for database and
 * Temporal. A request fails if its answer does not match the OpenAPI document.
 */
export async function startApi(overrides: Overrides = {}): Promise<TestApi> {
  const started: StartRequest[] = [];
  const views = new Map<string, TaskView>();
  const logs: Record<string, unknown>[] = [];
  const pages: SitePage[] = [];
  const [site, siteWithoutRepository, foreignSite] = [
    siteOf({}),
    siteOf({ repository: null }),
    siteOf({ organizationId: randomUUID() }),
  ];
  const parts: ServerDeps & ApiDeps = {
    logger: createLogger('debug', {
      write: (line) => logs.push(JSON.parse(line) as Record<string, unknown>),
    }),
    publicUrl: () => new URL('https://api.example.com'),
    trustProxy: new BlockList(),
    retentionDays: 30,
    hasRoom: () => Promise.resolve(true),
    assign: createModelAssignment({ models: [], budget }),
    readiness: () => Promise.resolve({ database: true, temporal: true }),
    accounts: noAccounts(),
    organizations: {
      get: unknownOrganization,
      change: unknownOrganization,
      callbackRotation: unknownOrganization,
      rotateCallbackSecret: unknownOrganization,
    },
    signInLimits: createSignInLimits(Buffer.alloc(32)),
    rateLimits: createRateLimits({ createPerMinute: 1000, readPerMinute: 1000 }),
    keys: {
      authenticate: (token) => Promise.resolve(identityOf(token)),
      identify: (keyId) => Promise.resolve(identityOf(keyId)),
    },
    sites: {
      find: (organizationId, siteId) =>
        Promise.resolve(
          [site, siteWithoutRepository, foreignSite].find(
            (s) => s.siteId === siteId && s.organizationId === organizationId,
          ) ?? null,
        ),
    },
    checkCallbackUrl: (url) =>
      url.startsWith('https://')
        ? Promise.resolve()
        : Promise.reject(new DomainError('INVALID_CALLBACK_URL', `Refused: ${url}`)),
    deployments: {
      preview: (taskId) =>
        Promise.resolve({ commit: siteCommit, retainedBy: taskId, isShown: true }),
      knownPreview: (taskId) =>
        Promise.resolve({ commit: siteCommit, retainedBy: taskId, isShown: true }),
    },
    hosting: { endPreview: () => Promise.resolve() },
    tasks: {
      ...failingTasks(new DomainError('NOT_FOUND', 'Task not found')),
      start(request) {
        started.push(request);
        return Promise.resolve({ taskId, createdAt });
      },
      read(organization, taskId) {
        const view = organization === organizationId ? views.get(taskId) : undefined;
        return view
          ? Promise.resolve({ about: told, ...view })
          : Promise.reject(new DomainError('NOT_FOUND', 'Task not found'));
      },
    },
    knownTasks: createKnownTasks(
      overrides.tasks ?? failingTasks(new DomainError('NOT_FOUND', 'Task not found')),
    ),
    watchers: createTaskWatchers(
      overrides.tasks ?? failingTasks(new DomainError('NOT_FOUND', 'Task not found')),
    ),
    waits: createLongLivedResponses('requests that wait'),
    batches: createBatchesInMemory(),
    batchRuns: runsInMemory().runs,
    readBatch: readSentBatch,
    checkBatch: () => Promise.resolve({ problems: [], rows: [], inputTokens: 0, outputTokens: 0 }),
    costOf: () => null,
    builds: { countsOf: (ids) => Promise.resolve(ids.map(() => 0)) },
    diffs: { read: () => Promise.resolve({ patch: '', pages: [], warnings: [] }) },
    editing: noEditing(),
    noteStates: noNoteStates(),
    pageMarks: { of: () => Promise.resolve([]), set: () => Promise.resolve() },
    reviewer: {
      versions: () => Promise.resolve(new Map()),
      compare: () => Promise.resolve({ places: [], pages: [], omitted: 0 }),
      frame: () => Promise.resolve(''),
    },
    approvals: approvalsInMemory(),
    guestComments: { of: () => Promise.resolve([]), add: () => Promise.resolve() },
    readCurrentVersion: (_, { commit }) => Promise.resolve({ commit, editor: null }),
    buildConsole,
    frameSources: () => ['https://*.sites.example', 'https://*.preview.example'],
    shares: noShares(),
    ...noEvents(),
    teamKeys: { list: failing, create: failing, rotate: failing, revoke: failing },
    creators: {
      named: (creators) => Promise.resolve(named(creators, () => null)),
      members: () => Promise.resolve(new Map()),
    },
    audit: {
      list: () => Promise.resolve({ entries: [], more: false }),
      record: () => Promise.resolve(),
      prune: () => Promise.resolve(),
    },
    reportUsage: () => Promise.resolve({ limit: null, months: [] }),
    tokenLimits: { refusal: () => Promise.resolve(undefined) },
    checkTask: () => Promise.resolve({ problems: [], items: [] }),
    readOutline: (_, { slug }) =>
      Promise.resolve({
        commit: siteCommit,
        slug,
        outline: `s1 h1 "${slug}"`,
        maxLengths: { s1: slug.length + 20 },
        nextFrom: null,
        keys: { headline: 's1' },
      }),
    mcp: (ctx) => createMcp(parts, withoutUndefined({ longestMs: overrides.callMs }))(ctx),
    sendTest: () => Promise.resolve({ delivered: true, status: 204, error: null, ms: 1 }),
    runUrlOf: (taskId) => `https://temporal.example/${taskId}`,
    siteList: {
      list: () => Promise.resolve({ sites: [], more: false }),
      find: () => Promise.resolve(null),
    },
    siteSettings: noSettings(),
    forgeEvents: { receive: () => Promise.resolve(false) },
    credentials: {
      addDeployKey: () => Promise.reject(new DomainError('CONFLICT', 'There are no secrets here')),
    },
    siteDeployments: {
      list: () => Promise.resolve({ deployments: [], next: null }),
      restorable: (_, commit) => Promise.resolve(deploymentOf({ commit })),
    },
    siteComparison: {
      pushedChanges: () => Promise.resolve(noPages),
      restoredChanges: () => Promise.resolve(noPages),
      livePages: (_site, _shown, slugs) => Promise.resolve(slugs),
    },
    publications: publicationsIn(() => new Map()),
    liveOriginOf: ({ label }) => `https://${label}.sites.example`,
    previewOriginOf: ({ siteId, taskId: task }) => {
      const label = [site, siteWithoutRepository].find((s) => s.siteId === siteId)?.label;
      return Promise.resolve(label ? `https://${task}--${label}.preview.example` : null);
    },
    sitePages: {
      list(_, { after = '', limit }) {
        const rest = pages.filter(({ slug }) => slug > after);
        return Promise.resolve({
          commit: siteCommit,
          pages: rest.slice(0, limit),
          more: rest.length > limit,
        });
      },
    },
    ...overrides,
  };
  const app = createApp({ server: parts, routes: createRoutes(parts) });
  const recorder = createRecorder();
  app.middleware.unshift(recorder.middleware);
  const listening = await serveApp(app, 0, { host: '127.0.0.1' });
  const { port } = listening;
  const base = `http://127.0.0.1:${port}/api/v1`;
  recorders.set(port, recorder);

  async function request(
    method: string,
    path: string,
    { headers = {}, body, redirect = 'follow' }: Parameters<TestApi['request']>[2] = {},
  ) {
    const response = await fetch(new URL(path, `http://127.0.0.1:${port}`), {
      method,
      headers,
      redirect,
      ...(body !== undefined && { body: body as Uint8Array<ArrayBuffer> }),
    });
    const reply = replyOf(response.status, response.headers, await response.text());
    recorder.check();
    return reply;
  }
  return {
    routes: app.middleware
      .flatMap((mounted) => (mounted as { router?: ApiRouter }).router?.stack ?? [])
      // a middleware for all paths is no route
      .filter(({ methods }) => methods.length > 0),
    port,
    base,
    started,
    views,
    pages,
    site,
    siteWithoutRepository,
    foreignSite,
    logs,
    request,
    create: (body, headers = {}) =>
      request('POST', '/api/v1/agent/tasks', {
        headers: { ...bearer(keys.member), 'Content-Type': 'application/json', ...headers },
        body: JSON.stringify(body),
      }),
    async close(graceMs = 0) {
      await listening.close(graceMs);
      recorder.check();
    },
  };
}

/** Notes are settled in memory. */
/** Approvals in memory. Nobody has created a key. */
export function approvalsInMemory(): Approvals {
  const added: (StoredApproval & { taskId: string })[] = [];
  return {
    of: (taskId) => Promise.resolve(added.filter((approval) => approval.taskId === taskId)),
    add: (approval) => Promise.resolve(void added.unshift({ ...approval, at: new Date() })),
    personBehind: (creator) => Promise.resolve('userId' in creator ? creator.userId : null),
  };
}

export function noNoteStates(): NoteStates {
  const rows = new Map<string, ResolvedNote[]>();
  const others = (taskId: string, ids: string[]) =>
    (rows.get(taskId) ?? []).filter(({ noteId }) => !ids.includes(noteId));
  return {
    of: (taskId) => Promise.resolve(rows.get(taskId) ?? []),
    set({ organizationId: _, taskId, noteIds, ...settled }) {
      const added = noteIds.map((noteId) => ({ noteId, ...settled }));
      rows.set(taskId, [...others(taskId, noteIds), ...added]);
      return Promise.resolve();
    },
    reopen({ taskId, noteIds }) {
      rows.set(taskId, others(taskId, noteIds));
      return Promise.resolve();
    },
  };
}

const failing = () => Promise.reject(new DomainError('NOT_FOUND', 'Key not found'));
const unknownOrganization = () =>
  Promise.reject(new DomainError('NOT_FOUND', 'Organization not found'));

/** Without people, and without a database to ask for them. */
function noAccounts() {
  const log = createLogger('silent');
  return createAccounts({
    db: new Kysely<Schema>({
      dialect: new PostgresDialect({ pool: () => Promise.reject(new Error('No database')) }),
    }),
    secret: () => Promise.resolve(Buffer.alloc(32)),
    publicUrl: () => new URL('https://api.example.com'),
    signUp: 'invite',
    mail: createMail({ smtpUrl: undefined, from: undefined, log }),
    log,
  });
}

/** Every call of them fails. */
export function failingTasks(error: Error): TaskService {
  const fail = () => Promise.reject(error);
  return {
    start: fail,
    startedBefore: () => Promise.resolve(null),
    idOf: (_, idempotencyKey) => idempotencyKey,
    read: fail,
    find: fail,
    follow: fail,
    closed: fail,
    list: fail,
    request: fail,
    cancel: fail,
    answer: fail,
    deliveries: fail,
    redeliver: fail,
  };
}

/** For `trustProxy`: what the tests themselves say about a client's address counts. */
export const fromHere = readProxies('127.0.0.1');

/**
 * Sends bytes as they are and gives all that came back until the server closed, or until `until`
 * matches.
 */
export async function raw(port: number, bytes: string | Buffer, until?: RegExp): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  socket.setTimeout(10_000, () =>
    socket.destroy(
      new Error(`no end within 10 s of ${JSON.stringify(bytes.toString('latin1', 0, 80))}`),
    ),
  );
  socket.write(bytes);
  let text = '';
  for await (const chunk of socket) {
    text += (chunk as Buffer).toString('latin1');
    if (until?.test(text)) break;
  }
  socket.destroy();
  recorders.get(port)?.check();
  return text;
}

/** The status and JSON of a raw answer. */
export function parseRaw(answer: string): Reply {
  const [head = '', text = ''] = answer.split(/\r\n\r\n([\s\S]*)/);
  const [line = '', ...fields] = head.split('\r\n');
  const headers = new Headers(
    fields.map((field) => field.split(/: ?([\s\S]*)/).slice(0, 2) as [string, string]),
  );
  return replyOf(Number(line.split(' ')[1]), headers, text);
}

function replyOf(status: number, headers: Headers, text: string): Reply {
  const json =
    /json/.test(headers.get('content-type') ?? '') && text
      ? (JSON.parse(text) as Record<string, unknown>)
      : {};
  const code = headers.get('agent-tasks-error')?.split(';')[0];
  return { status, headers, text, json, code };
}

function identityOf(token: string): CallerIdentity | null {
  const role = Object.entries(keys).find(([, key]) => key === token)?.[0];
  if (!role) return null;
  if (role === 'foreign') return { keyId: token, organizationId: randomUUID(), role: 'member' };
  return { keyId: token, organizationId, role: role as CallerIdentity['role'] };
}

function siteOf(fields: Partial<Site>): Site {
  return {
    siteId: randomUUID(),
    organizationId,
    name: 'Demo',
    label: 'demo',
    repository: { url: 'https://git.example.com/demo.git', branch: 'main', root: '' },
    host: 'embedded',
    author: { name: 'Demo', email: 'demo@example.com' },
    createdAt,
    ...fields,
  };
}

/** How results are live, from what a test knows of them. */
export const publicationsIn = (
  of: (taskIds: string[]) => Map<string, Publication>,
): PublicationReader => ({
  of: (taskIds) => Promise.resolve(of(taskIds)),
  known: (taskIds) => {
    const found = of(taskIds);
    return Promise.resolve(taskIds.map((taskId) => found.get(taskId) ?? null));
  },
});
