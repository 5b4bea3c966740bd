import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Kysely } from 'kysely';
import { createInvitations } from '../../src/accounts/invitations.ts';
import { addMember, addUser } from '../../src/accounts/addPeople.ts';
import { createLinks } from '../../src/accounts/oneTimeLinks.ts';
import { createMail } from '../../src/accounts/mail.ts';
import { createMembers } from '../../src/accounts/members.ts';
import { healthRoutes } from '../../src/api/routes/health.ts';
import { newApiKey } from '../../src/organizations/apiKey.ts';
import { createKeys } from '../../src/organizations/apiKeys.ts';
import { createOrganizations } from '../../src/organizations/organizations.ts';
import type { TaskOutcome, Note } from '../../src/contract/task.ts';
import { hasRole, roleTooLowMessage, type Role } from '../../src/contract/roles.ts';
import type { Schema } from '../../src/storage/schema.ts';
import { randomTaskId } from '../../src/temporal/tasks/taskId.ts';
import { atTime } from '../helpers/atTime.ts';
import { startApi } from '../helpers/api.ts';
import { tokensOf } from '../helpers/oauth.ts';
import { type Reply, Service } from '../helpers/service.ts';
import { type StoresApi, startStoresApi } from '../helpers/storesApi.ts';
import { git } from '../helpers/team/git.ts';
import { citiesBody, removeTeamSites, TeamSite } from '../helpers/team/site.ts';
import { until } from '../helpers/until.ts';
import { outputOf } from '../helpers/views.ts';
import { type Ask, type Case, cases, type Ids, type OwnIds } from './walk.cases.ts';

const HOUR = 3_600_000;
/** Methods that no route has: two of HTTP's, one of WebDAV's. */
const FOREIGN_METHODS = ['PATCH', 'TRACE', 'PROPFIND'];
const allowed: Role[] = ['member', 'admin', 'owner'];
const roles: Role[] = ['viewer', ...allowed];
const unknown: Ids = {
  siteId: randomUUID(),
  organizationId: randomUUID(),
  memberId: randomUUID(),
  invitationId: randomUUID(),
  keyId: randomUUID(),
  assistantId: randomUUID(),
  taskId: randomTaskId(),
  failed: randomTaskId(),
  running: randomTaskId(),
  batchId: randomTaskId(),
  shareId: randomUUID(),
  viewShareId: randomUUID(),
};
/** A fact for a person to check. */
const note: Note = {
  kind: 'contact',
  page: '/locations/rome',
  value: '+1 512 555 0142',
  text: 'Whose?',
};
/** The team whose site and tasks the intruder is after. */
const TEAM = 'walked-by-others';

interface TaskOfCity {
  organizationId: string;
  taskId?: string;
  callbackUrl?: string;
  /** How it ended. */
  finished?: TaskOutcome;
}

interface Intruder {
  organizationId: string;
  own: OwnIds;
  /** The cookie with which it edits its own task. */
  cookie: string;
  /**
   * Authorization header fields of its keys, by what each key is: a role's, or none that counts.
   */
  valid: Record<Role, string>;
  /** Access tokens of its people's assistants, for /mcp. */
  tokens: Record<Role, string>;
  invalid: Record<string, string | undefined>;
}

describe('every route with every key', function () {
  this.timeout(300_000);
  let api: StoresApi;
  /** Asks it, as tests ask a service that runs. */
  let service: Service;
  let intruder: Intruder;
  let owner: Record<Role, string>;
  let theirs: Ids;
  let theirShareKey: string;
  /** Cookies of people's sessions. */
  let people: Record<'intruder' | 'owner', Record<Role, string>>;
  let sent = 0;

  before(async () => {
    api = await startStoresApi({
      TRUST_PROXY: '127.0.0.1',
      CALLBACK_ALLOW_PRIVATE: 'true',
      RATE_LIMIT_CREATE_PER_MINUTE: '100000',
      RATE_LIMIT_READ_PER_MINUTE: '100000',
      TASKS_IN_FLIGHT: '100000',
    });
    const prepared = await prepareKeys(api.stores.database.db);
    owner = prepared.owner;
    const organizationId = prepared.theirs.organizationId;
    service = new Service('', {
      apiKey: owner.member.split(' ')[1]!,
      baseUrl: `http://localhost:${api.port}/api/v1`,
      organizationId,
      siteId: '',
    });
    const { tokens } = prepared;
    people = { intruder: await sessionsOf(tokens.intruder), owner: await sessionsOf(tokens.owner) };
    const assistantId = await assistantOf(organizationId);
    theirs = { ...(await makeTasks(organizationId)), ...prepared.theirs, assistantId };
    const { valid } = prepared.intruder;
    const site = await siteOf(prepared.intruder.organizationId, 'intruder');
    const taskId = await completedTask(site, prepared.intruder.organizationId, 'Bern');
    const session = await editingOf(taskId, valid.member);
    const { key: shareKey } = await shareOf(taskId, valid.member);
    const own = { siteId: site.siteId, linkKey: session.linkKey, shareKey };
    const assistants = await tokensOfAll(prepared.intruder.organizationId);
    intruder = { ...prepared.intruder, ...session, own, tokens: assistants };
  });
  after(async () => {
    await api?.close();
    removeTeamSites();
    console.log(`      ${Object.keys(cases).length} routes, ${keyCount()} keys, ${sent} requests`);
  });
  const keyCount = () => Object.keys({ ...intruder?.valid, ...intruder?.invalid, ...owner }).length;

  /**
   * A completed task with a callback, a failed one, and one that is running, of a site of the
   * owners' organization.
   */
  async function makeTasks(
    organizationId: string,
  ): Promise<
    Pick<Ids, 'siteId' | 'taskId' | 'failed' | 'running' | 'batchId' | 'shareId' | 'viewShareId'>
  > {
    const site = await siteOf(organizationId, TEAM);
    const busy = await siteOf(organizationId, `${TEAM}-busy`);
    const running = addTask(busy, 'Milan', { organizationId });
    const taskId = await completedTask(site, organizationId, 'Rome', 'http://127.0.0.1:9/done');
    const failed = addTask(site, 'Paris', {
      organizationId,
      finished: {
        status: 'failed',
        errorMessage: 'Template page not found: /nowhere',
        finishedAt: new Date().toISOString(),
      },
    });
    const { shareId, key } = await shareOf(taskId, owner.member);
    theirShareKey = key;
    const { shareId: viewShareId } = await shareOf(taskId, owner.member, 'view');
    const batchId = await batchOf(site, organizationId);
    return { siteId: site.siteId, taskId, failed, running, batchId, shareId, viewShareId };
  }

  /** A team's repository, registered as a site. */
  async function siteOf(organizationId: string, name: string): Promise<TeamSite> {
    const site = new TeamSite(service, name);
    const { siteId } = (await api.stores.runCommand('site create', {
      organization: organizationId,
      name,
      repository: site.remote,
    })) as { siteId: string };
    return Object.assign(site, { siteId });
  }

  /** Adds a task of one page, which runs unless it is finished. @returns its taskId */
  function addTask({ siteId }: TeamSite, city: string, { finished, ...more }: TaskOfCity): string {
    const { templatePageSlug, items } = citiesBody([city]);
    const work = { type: 'generate_pages' as const, templatePageSlug, items };
    const task = { taskId: randomTaskId(), siteId, publish: false, work, ...more };
    api.tasks.add(task, finished);
    return task.taskId;
  }

  /** A task whose page is in the repository, and in a preview. */
  async function completedTask(
    site: TeamSite,
    organizationId: string,
    city: string,
    callbackUrl?: string,
  ): Promise<string> {
    const taskId = randomTaskId();
    const slug = `/locations/${city.toLowerCase()}`;
    const { commit, base, previewUrl } = await showPage(site, organizationId, taskId, slug);
    const page = { slug, previewUrl, editUrl: null, publishedUrl: null };
    const output = { pagesCreated: [page], pagesModified: [], pagesDeleted: [], notes: [note] };
    const result = { taskId, base, commit, root: base };
    const finishedAt = new Date().toISOString();
    const finished = { status: 'completed' as const, output, result, finishedAt };
    const sent = callbackUrl === undefined ? {} : { callbackUrl };
    return addTask(site, city, { organizationId, taskId, finished, ...sent });
  }

  /** Commits a page to the hidden ref of a task or a batch, and shows it as its preview. */
  async function showPage(site: TeamSite, organizationId: string, taskId: string, slug: string) {
    const base = site.head();
    const path = `${slug.slice(1)}.html`;
    writeFileSync(join(site.clone, path), site.source('locations/austin.html'));
    git(site.clone, 'add', '-A');
    git(site.clone, 'commit', '-q', '-m', taskId);
    const commit = git(site.clone, 'rev-parse', 'HEAD');
    git(site.clone, 'push', '-q', 'origin', `HEAD:refs/agent-tasks/${taskId}`);
    git(site.clone, 'reset', '-q', '--hard', base);
    const registered = (await api.stores.sites.find(organizationId, site.siteId))!;
    const shown = { site: registered, taskId, commit, retainedBy: taskId, base };
    const { pages } = await api.stores.hosting.deployPreview({ ...shown, pages: [{ slug, path }] });
    return { commit, base, previewUrl: pages[0]!.url };
  }

  /** A link for people without an account. */
  async function shareOf(
    taskId: string,
    key: string,
    access = 'edit',
  ): Promise<{ shareId: string; key: string }> {
    const body = { access };
    const { json } = await service.request('POST', `/api/v1/agent/tasks/${taskId}/shares`, {
      headers: { 'content-type': 'application/json', authorization: key },
      body: JSON.stringify(body),
    });
    return {
      shareId: json.shareId as string,
      key: new URL(json.url as string).hash.slice('#key='.length),
    };
  }

  /** A completed batch of one row, whose page is in its preview. */
  async function batchOf(site: TeamSite, organizationId: string): Promise<string> {
    const { batches } = api.stores;
    const [batchId, slug, number] = [randomTaskId(), '/batched', 1];
    await batches.create({
      batchId,
      organizationId,
      siteId: site.siteId,
      title: 'Walked',
      createdAt: new Date().toISOString(),
      createdBy: { keyId: randomUUID() },
      bodyHash: 'walked',
      publish: false,
      onWarnings: 'publish',
      rows: [
        {
          number,
          templatePageSlug: '/locations/austin',
          targetPageSlug: slug,
          context: 'City: Bern',
        },
      ],
    });
    const { commit, previewUrl } = await showPage(site, organizationId, batchId, slug);
    await batches.plan(batchId, [{ number, slug, path: 'batched.html' }]);
    await batches.written(batchId, number, { page: { texts: {}, notes: [] }, isHeld: false });
    await batches.commitRows(batchId, { commit, numbers: [number] });
    await batches.show(batchId, [{ number, previewUrl: previewUrl! }]);
    await batches.change(batchId, { status: 'completed', shown: commit });
    return batchId;
  }

  /** The cookie of a person's session, by a one-time link. */
  async function sessionOf(token: string): Promise<string> {
    const { status, text, headers } = await ask('POST', {
      path: '/account/link',
      body: { token },
    });
    expect(status, text).to.equal(200);
    return [headers['set-cookie'] ?? []].flat()[0]!.split(';')[0]!;
  }

  async function sessionsOf(tokens: Record<Role, string>): Promise<Record<Role, string>> {
    const sessions: [Role, string][] = [];
    // one by one: the first loads the modules for accounts, in the process that sends the others
    for (const role of roles) sessions.push([role, await sessionOf(tokens[role])]);
    return Object.fromEntries(sessions) as Record<Role, string>;
  }

  /** Authorization header fields of assistants that the intruder's people connected. */
  async function tokensOfAll(organizationId: string): Promise<Record<Role, string>> {
    const each = roles.map(async (role) => {
      const token = await tokenOf(people.intruder[role], organizationId);
      return [role, `Bearer ${token}`] as const;
    });
    return Object.fromEntries(await Promise.all(each)) as Record<Role, string>;
  }

  /** An access token of an assistant that a person connects. */
  async function tokenOf(cookie: string, organizationId: string): Promise<string> {
    const origin = `http://localhost:${service.port}`;
    const request = (method: string, path: string, options: Parameters<Service['request']>[2]) =>
      service.request(method, `${origin}${path}`, options);
    const browser = {
      get: (path: string) => request('GET', path, { headers: { cookie } }),
      post: (path: string, body: object) => ask('POST', { path, body }, undefined, cookie),
    };
    return (await tokensOf({ api: { request }, origin }, browser, organizationId)).access_token;
  }

  /** The id of an assistant that a person of the owners connects. */
  async function assistantOf(organizationId: string): Promise<string> {
    await tokenOf(people.owner.member, organizationId);
    const headers = { authorization: owner.admin };
    const { json } = await service.request('GET', '/api/v1/assistants', { headers });
    return (json.assistants as { assistantId: string }[])[0]!.assistantId;
  }

  /** A link's key for editing the task, and the session that another one has opened. */
  async function editingOf(
    taskId: string,
    key: string,
  ): Promise<{ linkKey: string; cookie: string }> {
    const link = async () => {
      const { json } = await ask('POST', { path: `/api/v1/agent/tasks/${taskId}/edit-link` }, key);
      return new URL(json.url as string).hash.slice('#key='.length);
    };
    const { headers } = await ask('POST', {
      path: `/edit/${taskId}/.session`,
      body: { key: await link() },
    });
    return { linkKey: await link(), cookie: String(headers['set-cookie']).split(';')[0]! };
  }

  /** Sends it from an address of its own, since wrong keys are counted by address. */
  async function ask(
    route: string,
    { path, body }: Ask,
    authorization?: string,
    cookie?: string,
  ): Promise<Reply> {
    const n = sent++;
    return service.request(route.split(' ')[0]!, `http://localhost:${service.port}${path}`, {
      headers: {
        accept: 'application/json, text/event-stream',
        'x-request-id': `walk-${n}`,
        'x-forwarded-for': `198.51.${n >> 8}.${n & 255}`,
        origin: `http://localhost:${service.port}`,
        ...(authorization !== undefined && { authorization }),
        ...(cookie !== undefined && { cookie }),
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
  }

  /**
   * An answer without what differs between any two: the time, the request's name, what is left of a
   * limit.
   */
  const comparable = ({ status, headers, text }: Reply) => {
    const differing = ['date', 'x-request-id', 'ratelimit'];
    const same = Object.entries(headers).filter(([name]) => !differing.includes(name));
    return { status, headers: Object.fromEntries(same), text: text.replaceAll(/walk-\d+/g, '') };
  };

  /** What is asked of a route with the others' ids and with nobody's, once where no id is in it. */
  const everyAsk = (asks: Case['asks']) => [
    ...new Map(
      [theirs, unknown]
        .flatMap((ids) => asks(ids, intruder.own))
        .map((one) => [JSON.stringify(one), one]),
    ).values(),
  ];

  it('has a case, and every case has a route', async () => {
    expect(await routesOfRouter()).to.have.members(Object.keys(cases));
  });

  /**
   * Every key meets every path, with the methods in turn: the whole product is half of all requests
   * of this file.
   */
  it('answers 405 to every other method of its path, whatever the IDs', async () => {
    const allKeys = [...Object.values(intruder.valid), ...Object.values(intruder.invalid)];
    for (const [n, [route, { asks }]] of Object.entries(cases).entries())
      for (const [i, ids] of [theirs, unknown].entries()) {
        const methods = FOREIGN_METHODS.filter((name) => !hasMethod(route, name));
        const [{ path }] = asks(ids, intruder.own) as [Ask];
        for (const [m, method] of methods.entries()) {
          const expected = await ask(method, { path });
          const error = '{"error":"Method Not Allowed"}';
          expect([expected.status, expected.text], `${method} ${path}`).to.deep.equal([405, error]);
          expect(expected.headers['allow']).to.match(
            /^(GET|HEAD|POST|PUT|PATCH|DELETE)(, (GET|HEAD|POST|PUT|PATCH|DELETE))*$/,
          );
          for (const key of allKeys.filter((_, k) => (k + i + n) % methods.length === m))
            expect(comparable(await ask(method, { path }, key))).to.deep.equal(
              comparable(expected),
            );
        }
      }
  });

  for (const [route, { asks, own, needs, least = 'member' }] of Object.entries(cases)) {
    if (needs === 'nothing')
      it(`${route}: gives the same answer to every key`, async () => {
        const requests = everyAsk(asks);
        const expected = await ask(route, requests[0]!);
        expect(expected.status).to.equal(own);
        for (const request of requests)
          for (const key of [...Object.values(intruder.valid), ...Object.values(intruder.invalid)])
            expect(comparable(await ask(route, request, key))).to.deep.equal(comparable(expected));
      });

    if (needs === 'session')
      it(`${route}: answers 401 to any key and to a session of another task, whatever the IDs`, async () => {
        for (const request of everyAsk(asks))
          for (const key of [...Object.values(intruder.valid), ...Object.values(intruder.invalid)])
            for (const cookie of [undefined, intruder.cookie, 'agent_editor=made.up']) {
              const { status, text } = await ask(route, request, key, cookie);
              expect([status, text]).to.deep.equal([401, '{"error":"Unauthorized"}']);
            }
        const [foreign, nobodys] = [asks(theirs, intruder.own), asks(unknown, intruder.own)];
        for (const cookie of Object.values(people.intruder))
          for (const [i, request] of foreign.entries()) {
            const answer = await ask(route, request, undefined, cookie);
            expect(answer.status).to.be.oneOf([401, 403]);
            const expected = await ask(route, nobodys[i]!, undefined, cookie);
            expect(comparable(answer), request.path).to.deep.equal(comparable(expected));
          }
      });

    if (needs === 'person')
      it(`${route}: answers 401 to any key, and returns nothing of another organization to a session`, async () => {
        const [foreign, nobodys] = [
          asks(theirs, intruder.own)[0]!,
          asks(unknown, intruder.own)[0]!,
        ];
        for (const key of [...Object.values(intruder.valid), ...Object.values(intruder.invalid)])
          for (const cookie of [undefined, 'agent_tasks.session_token=made.up']) {
            const { status, text } = await ask(route, foreign, key, cookie);
            expect([status, text]).to.deep.equal([401, '{"error":"Unauthorized"}']);
          }
        if (JSON.stringify(foreign) === JSON.stringify(nobodys)) return;
        for (const cookie of Object.values(people.intruder)) {
          const answer = await ask(route, foreign, undefined, cookie);
          expect(comparable(answer)).to.deep.equal(
            comparable(await ask(route, nobodys, undefined, cookie)),
          );
          expect(answer.status).to.equal(404);
        }
      });

    if (needs !== 'key') continue;
    it(`${route}: answers 401 without a valid key and 403 below its role, whatever the IDs`, async () => {
      for (const request of everyAsk(asks)) {
        for (const [name, key] of Object.entries(intruder.invalid)) {
          const { status, text, headers } = await ask(route, request, key);
          expect([status, text], `${name} ${request.path}`).to.deep.equal([
            401,
            '{"error":"Unauthorized"}',
          ]);
          expect(headers['www-authenticate']).to.match(/^Bearer( resource_metadata="[^"]+")?$/);
        }
        if (route !== 'POST /mcp') {
          const { status, text } = await ask(route, request, intruder.tokens.owner);
          expect([status, text], 'token').to.deep.equal([401, '{"error":"Unauthorized"}']);
        }
        for (const role of roles.filter((name) => !hasRole(name, least))) {
          const { status, text } = await ask(route, request, intruder.valid[role]);
          const error = roleTooLowMessage(role, least);
          expect([status, text]).to.deep.equal([403, JSON.stringify({ error })]);
        }
      }
    });

    it(`${route}: answers another organization's IDs byte for byte like unknown IDs`, async () => {
      const credentials = [intruder.valid, ...(route === 'POST /mcp' ? [intruder.tokens] : [])];
      for (const credential of credentials.flatMap((each) => allowed.map((role) => each[role]))) {
        const [foreign, nobodys] = [asks(theirs, intruder.own), asks(unknown, intruder.own)];
        for (const [i, request] of foreign.entries()) {
          const answer = await ask(route, request, credential);
          const expected = await ask(route, nobodys[i]!, credential);
          expect(comparable(answer), request.path).to.deep.equal(comparable(expected));
          expect(answer.text).to.not.match(
            new RegExp([TEAM, ...Object.values(theirs)].join('|'), 'i'),
          );
        }
      }
    });
  }

  it('leaves nothing of the other organization in the log', async () => {
    // a request's line is written after its answer
    const lines = await until('a line of the log for each request', () => {
      const found = api.logs.filter(({ requestId }) => /^walk-/.test(String(requestId)));
      return found.length >= sent && found;
    });
    const other = new RegExp(`${service.demo.organizationId}|${TEAM}`, 'i');
    for (const line of lines) {
      expect(line['organizationId']).to.be.oneOf([undefined, intruder.organizationId]);
      expect(line['siteId']).to.be.oneOf([undefined, intruder.own.siteId]);
      expect(JSON.stringify(line)).to.not.match(other);
    }
  });

  it('has changed nothing of the other organization, and started no task', async () => {
    for (const [which, status] of [
      ['taskId', 'completed'],
      ['failed', 'failed'],
      ['running', 'running'],
    ] as const)
      expect(await service.readTask(theirs[which])).to.include({ status });
    const [page] = outputOf(await service.readTask(theirs.taskId)).pagesCreated;
    expect((await service.request('GET', page!.previewUrl!)).status).to.equal(200);
    expect((await list(owner.owner)).length).to.equal(3);
    expect((await list(intruder.valid.owner)).length).to.equal(1);
    expect(api.tasks.asked).to.deep.equal([]);
  });
  const list = async (key: string) =>
    (await ask('GET', { path: '/api/v1/agent/tasks' }, key)).json.tasks as { taskId: string }[];

  for (const [route, entry] of Object.entries(cases)) {
    const { asks, own, needs, least = 'member', succeeds = least, later: next = 409 } = entry;
    if (needs === 'nothing') continue;
    it(`${route}: accepts the same request from the owners`, async () => {
      const editing =
        needs === 'session' ? await editingOf(theirs.taskId, owner.member) : undefined;
      const { linkKey = '', cookie } = editing ?? {};
      const [request] = asks(theirs, { siteId: theirs.siteId, linkKey, shareKey: theirShareKey });
      const later = route.startsWith('GET') || needs === 'session' ? own : next;
      const statuses = [];
      if (needs === 'person' || (needs === 'session' && entry.least))
        for (const role of roles) {
          const wanted = hasRole(role, entry.least ?? 'viewer') ? own : 403;
          expect((await ask(route, request!, undefined, people.owner[role])).status, role).to.equal(
            wanted,
          );
        }
      if (needs === 'person') return;
      const letIn = allowed.filter((role) => hasRole(role, succeeds));
      for (const role of letIn)
        statuses.push((await ask(route, request!, owner[role], cookie)).status);
      expect(statuses[0]).to.equal(own);
      for (const status of statuses) expect(status).to.be.oneOf([own, later]);
    });
  }
});

/** Whether a route's path has a method, by itself or as one that a parameter takes in. */
function hasMethod(route: string, method: string): boolean {
  const path = route.split(' ')[1] ?? '';
  return Object.keys(cases).some((other) => {
    const [verb, pattern = ''] = other.split(' ');
    return (
      verb === method &&
      new RegExp(`^${pattern.replace(/:\w+/g, '[^/]+').replace(/[{}]/g, '')}$`).test(path)
    );
  });
}

/** Every route that the router has. */
async function routesOfRouter(): Promise<string[]> {
  const api = await startApi();
  await api.close();
  const routes = [...api.routes, ...healthRoutes(() => Promise.resolve({})).stack];
  return routes.flatMap(({ path, methods }) =>
    methods.filter((method) => method !== 'HEAD').map((method) => `${method} ${String(path)}`),
  );
}

/** Keys of every kind for two organizations: only in the database can an expiry be over. */
async function prepareKeys(db: Kysely<Schema>) {
  const bearer = async (
    organizationId: string,
    role: Role,
    made = createKeys(db),
    expires?: Date,
  ) => {
    const { keyId, apiKey } = await made.create({ organizationId, role, expires });
    return { keyId, header: `Bearer ${apiKey}` };
  };
  const keysOf = async (id: string) => {
    const headers = await Promise.all(
      roles.map(async (role) => [role, (await bearer(id, role)).header] as const),
    );
    return Object.fromEntries(headers) as Record<Role, string>;
  };
  const organizations = createOrganizations(db);
  const { organizationId: own } = await organizations.create({ name: 'Walked' });
  const { organizationId } = await organizations.create({ name: 'Intruder' });
  const revoked = await bearer(organizationId, 'owner');
  await createKeys(db).revoke(revoked.keyId);
  const yesterday = atTime(() => Date.now() - 24 * HOUR, createKeys(db));
  const expired = await bearer(organizationId, 'owner', yesterday, new Date(Date.now() - HOUR));
  const valid = await keysOf(organizationId);
  const invalid = {
    none: undefined,
    basic: `Basic ${Buffer.from('owner:owner').toString('base64')}`,
    'made up': `Bearer ${newApiKey()}`,
    revoked: revoked.header,
    expired: expired.header,
  };
  const owner = await keysOf(own);
  const peopleOf = async (id: string, name: string) => {
    const each = roles.map(async (role) => [
      role,
      await linkOf(db, { organizationId: id, name: `${name}-${role}`, role }),
    ]);
    return Object.fromEntries(await Promise.all(each)) as Record<Role, string>;
  };
  const tokens = {
    intruder: await peopleOf(organizationId, 'intruder'),
    owner: await peopleOf(own, 'owner'),
  };
  await linkOf(db, { organizationId: own, name: 'another', role: 'member' }); // the first of the list
  const { members } = await createMembers(db).list(own, { limit: 2 });
  const mail = createMail({ smtpUrl: undefined, from: undefined, log: { warn: () => undefined } });
  const invitations = createInvitations({ db, mail, publicUrl: () => new URL('http://localhost') });
  const invited = { email: 'invited@walk.example', role: 'member' } as const;
  const { invitationId } = await invitations.create(
    { organizationId: own, role: 'owner' },
    invited,
    () => Promise.resolve(false),
  );
  const [token] = owner.member.split(' ').slice(-1);
  const createdBy = { keyId: (await createKeys(db).authenticate(token!))!.keyId };
  const { keyId } = await createKeys(db).create({ organizationId: own, role: 'member', createdBy });
  const theirs = { organizationId: own, memberId: members[0]!.memberId, invitationId, keyId };
  return { owner, tokens, theirs, intruder: { organizationId, valid, invalid } };
}

/** The token of a link that signs a new member in. */
async function linkOf(
  db: Kysely<Schema>,
  { name, ...member }: { organizationId: string; name: string; role: Role },
) {
  const userId = await addUser(db, { name, email: `${name}@walk.example` });
  await addMember(db, { ...member, userId });
  return (await createLinks(db).forUser(userId, { provesEmail: false })).token;
}
