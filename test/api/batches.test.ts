import { expect } from 'chai';
import { connect } from 'node:net';
import { WORKFLOW_GONE } from '../../src/contract/batch.ts';
import type { BatchStore } from '../../src/contract/batchStore.ts';
import { DomainError } from '../../src/errors.ts';
import { isTaskId } from '../../src/contract/task.ts';
import { createSites } from '../../src/organizations/sites.ts';
import { createBatches } from '../../src/storage/batches/batches.ts';
import { endLost } from '../../src/tasks/batches/endLost.ts';
import {
  bearer,
  keys,
  organizationId,
  type Overrides,
  type Reply,
  startApi,
  taskId,
  type TestApi,
} from '../helpers/api.ts';
import { runsInMemory } from '../helpers/batches.ts';
import { testDatabase } from '../helpers/database.ts';
import { until } from '../helpers/until.ts';

const batches = '/api/v1/agent/batches';

const silent = new DomainError('UNAVAILABLE', 'Temporal does not answer', { retryable: true });
const full = new DomainError(
  'TOO_MANY_IN_FLIGHT',
  'Too Many Requests: the organization has 100 tasks in flight, its limit',
  { details: { retryAfterSeconds: 5 } },
);

describe('batches', () => {
  /** Builds that batches caused. */
  const builds = new Map<string, number>();
  let api: TestApi;
  let store: BatchStore;
  let runs: ReturnType<typeof runsInMemory>;
  let db: Awaited<ReturnType<typeof testDatabase>>;
  before(async () => {
    db = await testDatabase();
    store = createBatches(db);
    const made = { id: organizationId, name: 'Acme', callback_secret: '', created_at: new Date() };
    await db.insertInto('organizations').values(made).execute();
  });
  const start = async (overrides: Overrides = {}) => {
    runs = runsInMemory();
    api = await startApi({
      batches: store,
      batchRuns: runs.runs,
      builds: { countsOf: async (ids) => ids.map((id) => builds.get(id) ?? 0) },
      ...overrides,
    });
    await db
      .insertInto('sites')
      .values({
        id: api.site.siteId,
        organization_id: organizationId,
        name: 'Demo',
        label: api.site.siteId,
        repository_url: null,
        repository_branch: 'main',
        repository_root: '',
        author_name: 'Demo',
        author_email: 'demo@example.com',
        created_at: new Date(),
      })
      .execute();
  };
  beforeEach(async () => {
    await db.deleteFrom('batches').where('organization_id', '=', organizationId).execute();
    await start();
  });
  after(async () => {
    await db.deleteFrom('sites').where('organization_id', '=', organizationId).execute();
    await db.deleteFrom('organizations').where('id', '=', organizationId).execute();
  });
  afterEach(() => api.close());

  const rows = [
    { targetPageSlug: '/a', context: 'City: A', externalId: '1' },
    { targetPageSlug: '/b c', context: 'City: B' },
    { targetPageSlug: '/c', context: 'City: C' },
  ];
  const bodyOf = (more: object = {}) => ({
    siteId: api.site.siteId,
    templatePageSlug: '/t',
    rows,
    ...more,
  });
  interface Sent {
    key?: string;
    headers?: Record<string, string>;
  }
  const post = (path: string, body?: unknown, { key = keys.member, headers = {} }: Sent = {}) =>
    api.request('POST', `${batches}${path}`, {
      headers: {
        ...bearer(key),
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && {
        body: typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body),
      }),
    });
  const postCsv = (query: string, text: string | Buffer, path = '') =>
    post(`${path}?${query}`, text, { headers: { 'Content-Type': 'text/csv; charset=utf-8' } });
  const get = (path: string, key = keys.member) =>
    api.request('GET', `${batches}${path}`, { headers: bearer(key) });
  const create = async (more: object = {}) => {
    const { json } = await post('', bodyOf(more));
    return json['batchId'] as string;
  };
  const errorOf = ({ status, json, headers }: Reply) => [
    status,
    headers.get('agent-tasks-error')?.split(';')[0],
    json['error'],
  ];
  const move = (
    batchId: string,
    numbers: number[],
    to: 'held' | 'failed' | 'committed' | 'published',
  ) => store.move(batchId, { from: ['waiting'], to, numbers });

  describe('POST /agent/batches', () => {
    it('stores the rows, the wrong ones as failed, and runs the batch', async () => {
      const reply = await post('', bodyOf({ publish: true, canary: 1, holdBelow: 0.2 }));
      expect(reply.status).to.equal(200);
      const { batchId, createdAt, ...counted } = reply.json;
      expect(counted).to.deep.equal({ rows: 3, failed: 1 });
      expect(isTaskId(batchId as string)).to.equal(true);
      expect(runs.started).to.deep.equal([
        {
          batchId,
          organizationId,
          siteId: api.site.siteId,
          siteName: 'Demo',
          createdAt,
          createdBy: { keyId: keys.member },
          publish: true,
          requestId: reply.headers.get('x-request-id'),
          title: '2 pages from /t',
        },
      ]);
      expect((await get(`/${batchId}`)).json).to.deep.equal({
        batchId,
        siteId: api.site.siteId,
        status: 'running',
        rows: {
          waiting: 2,
          written: 0,
          committed: 0,
          published: 0,
          held: 0,
          failed: 1,
          skipped: 0,
        },
        title: '2 pages from /t',
        createdBy: { keyId: keys.member, name: null },
        createdAt,
        finishedAt: null,
        publish: true,
        onWarnings: 'publish',
        holdBelow: 0.2,
        canary: 1,
        canaryApproved: false,
        model: 'rules',
        previewUrl: null,
      });
    });

    it('takes CSV with the options in the query', async () => {
      const query = `siteId=${api.site.siteId}&templatePageSlug=t&publish=true&title=Cities`;
      const { json } = await postCsv(query, '\ufefftargetPageSlug;City\n/a;A\n/b;B\n');
      expect(json).to.include({ rows: 2, failed: 0 });
      expect((await get(`/${json['batchId'] as string}`)).json).to.include({
        publish: true,
        title: 'Cities',
      });
      const wrong = await postCsv(`${query}&canary=x&colour=1`, 'targetPageSlug;City\n/a;A');
      expect(errorOf(wrong)).to.deep.equal([
        400,
        'INVALID_INPUT',
        'Invalid query: canary must be a number; colour is not allowed',
      ]);
      expect(errorOf(await postCsv(query, 'City\nA'))[2]).to.match(
        /^Request body is not valid CSV: its first line must name the columns/,
      );
    });

    it('is refused where all rows are wrong, which are named', async () => {
      const wrong = Array.from({ length: 22 }, () => ({ targetPageSlug: '/a b', context: 'x' }));
      expect(errorOf(await post('', bodyOf({ rows: wrong })))).to.deep.equal([
        400,
        'INVALID_INPUT',
        `Invalid request body: no row can be used: ${Array.from(
          { length: 20 },
          (_, i) => `row ${i + 1}: targetPageSlug must not contain spaces`,
        ).join('; ')}; and 2 more rows`,
      ]);
      expect(runs.started).to.be.empty;
    });

    it('answers the same to the same request with the same key, and 422 to another', async () => {
      const headers = { 'Idempotency-Key': 'k' };
      const first = await post('', bodyOf(), { headers });
      const again = await post('', bodyOf(), { headers });
      expect(again.json).to.deep.equal(first.json);
      expect(runs.started).to.have.length(2);
      await store.change(first.json['batchId'] as string, { status: 'completed' });
      expect((await post('', bodyOf(), { headers })).json).to.deep.equal(first.json);
      expect(runs.started).to.have.length(2);
      const other = bodyOf({ rows: rows.slice(1) });
      expect(errorOf(await post('', other, { headers }))).to.deep.equal([
        422,
        'IDEMPOTENCY_MISMATCH',
        'Idempotency-Key was used before with another request body',
      ]);
    });

    it('leaves nothing behind where there is no place in flight', async () => {
      runs.state.refuse = new DomainError(
        'TOO_MANY_IN_FLIGHT',
        'Too Many Requests: the organization has 100 tasks in flight, its limit',
        { retryable: true, details: { retryAfterSeconds: 5 } },
      );
      const headers = { 'Idempotency-Key': 'k' };
      expect((await post('', bodyOf(), { headers })).status).to.equal(429);
      expect((await get('')).json).to.deep.equal({ batches: [], nextCursor: null });
    });

    it('starts with the next equal request where Temporal did not answer', async () => {
      runs.state.refuse = new DomainError('START_FAILED', 'Failed to start the batch');
      const headers = { 'Idempotency-Key': 'k' };
      expect((await post('', bodyOf(), { headers })).status).to.equal(500);
      expect((await post('', bodyOf())).status).to.equal(500);
      expect((await get('')).json['batches']).to.have.length(1);
      delete runs.state.refuse;
      const { json } = await post('', bodyOf(), { headers });
      expect(runs.started.map(({ batchId }) => batchId)).to.deep.equal([json['batchId']]);
    });

    it('starts so too once its workflow was found not to be there, which it can also be resumed from', async () => {
      const later = createBatches(db, { now: () => Date.now() + 61_000 });
      runs.state.refuse = new DomainError('START_FAILED', 'Failed to start the batch');
      const headers = { 'Idempotency-Key': 'k' };
      await post('', bodyOf(), { headers });
      const [{ batchId }] = (await get('')).json['batches'] as [{ batchId: string }];
      await store.lost(batchId);
      expect((await get(`/${batchId}`)).json['status']).to.equal('running');
      await later.lost(batchId);
      const { json } = await get(`/${batchId}`);
      expect([json['status'], json['errorMessage']]).to.deep.equal(['failed', WORKFLOW_GONE]);
      expect(json['finishedAt']).to.be.a('string');
      delete runs.state.refuse;
      expect((await post('', bodyOf(), { headers })).json['batchId']).to.equal(batchId);
      expect((await get(`/${batchId}`)).json['status']).to.equal('running');
      await later.lost(batchId);
      expect((await post(`/${batchId}/resume`)).json).to.include({ status: 'running' });
      expect(runs.started).to.have.length(2);
    });

    it('checks callback URL, site and model as tasks do', async () => {
      const wrong: [object, number, string][] = [
        [{ callbackUrl: 'http://a.example' }, 400, 'Invalid callback URL'],
        [{ siteId: api.foreignSite.siteId }, 404, 'Site not found'],
        [
          { siteId: api.siteWithoutRepository.siteId },
          400,
          'Site is missing repository information',
        ],
        [{ model: 'x/y' }, 400, 'Invalid request body: model must be one of [rules]'],
      ];
      for (const [more, status, error] of wrong) {
        const reply = await post('', bodyOf(more));
        expect([reply.status, reply.json['error']]).to.deep.equal([status, error]);
      }
      expect(runs.started).to.be.empty;
    });

    it('takes 20 MB, and answers 413 to more, 415 to other types', async () => {
      const context = 'x'.repeat(100_000);
      const many = Array.from({ length: 199 }, (_, i) => ({ targetPageSlug: `/p${i}`, context }));
      expect((await post('/check', bodyOf({ rows: many }))).json).to.include({
        make: 199,
        fail: 0,
      });
      const more = [...many, { targetPageSlug: '/more', context }, { targetPageSlug: '/too' }];
      expect(errorOf(await post('', bodyOf({ rows: more })))[0]).to.equal(413);
      const query = `siteId=${api.site.siteId}&templatePageSlug=t`;
      const lines = Array.from({ length: 199 }, (_, i) => `/p${i},${'x'.repeat(100_010)}`);
      const table = (bytes: number) => ['targetPageSlug,City', ...lines].join('\n').padEnd(bytes);
      const { json } = await postCsv(query, table(20_000_000), '/check');
      expect(json).to.have.nested.property(
        'rows[198].problems[0].message',
        '"City" must be at most 100000 characters long',
      );
      expect(errorOf(await postCsv(query, table(20_000_001)))).to.deep.equal([
        413,
        'PAYLOAD_TOO_LARGE',
        'Request body must not be over 20000000 bytes',
      ]);
      const xml = await post('', '<a/>', { headers: { 'Content-Type': 'text/xml' } });
      expect(errorOf(xml)).to.deep.equal([
        415,
        'UNSUPPORTED_MEDIA_TYPE',
        'Content-Type must be application/json or text/csv',
      ]);
    });

    it('refuses a table as soon as it is wrong, and leaves nothing of one that breaks off', async () => {
      const head = [
        `POST ${batches}?siteId=${api.site.siteId}&templatePageSlug=t HTTP/1.1`,
        'Host: localhost',
        `Authorization: Bearer ${keys.member}`,
        'Content-Type: text/csv',
        'Content-Length: 19000000',
        '\r\ntargetPageSlug,City\n',
      ].join('\r\n');
      const open = () => connect(api.port, '127.0.0.1').on('error', () => undefined);
      const early = open();
      early.write(`${head}/a,"${'x'.repeat(2_600_000)}`);
      let answer = '';
      for await (const text of early.setEncoding('utf8')) {
        answer += String(text);
        if (answer.includes('closing quote')) break;
      }
      expect(answer).to.match(/^HTTP\/1.1 400 /);
      expect(answer).to.include('row 1 has over 2000000 characters: is a closing quote missing?');
      early.destroy();
      const broken = open();
      broken.write(`${head}${Array.from({ length: 3_000 }, (_, i) => `/p${i},x\n`).join('')}`);
      await until('its reading', async () => (await get('')).status === 200);
      broken.destroy();
      expect((await get('')).json['batches']).to.deep.equal([]);
      expect(runs.started).to.be.empty;
    });

    it('reads four large requests of an organization at once, and small ones beside', async () => {
      const head = (key: string) =>
        [
          `POST ${batches}/check HTTP/1.1`,
          'Host: localhost',
          `Authorization: Bearer ${key}`,
          'Content-Type: application/json',
          'Content-Length: 2000001',
          '\r\n',
        ].join('\r\n');
      const slow = Array.from({ length: 4 }, () => {
        const socket = connect(api.port, '127.0.0.1').on('error', () => undefined);
        socket.write(`${head(keys.member)}{`);
        return socket;
      });
      const sendLarge = (key: string) =>
        post('/check', `${JSON.stringify(bodyOf())}${' '.repeat(2_000_001)}`, { key });
      await until('four', async () => (await sendLarge(keys.member)).status === 429);
      const refused = await sendLarge(keys.admin);
      expect([refused.status, refused.headers.get('agent-tasks-error')]).to.deep.equal([
        429,
        'TOO_MANY_REQUESTS;reason="Over 4 large batches are being sent"',
      ]);
      expect(Number(refused.headers.get('retry-after'))).to.be.greaterThan(0);
      expect((await post('/check', bodyOf())).status).to.equal(200);
      expect((await sendLarge(keys.foreign)).status).to.equal(404);
      for (const socket of slow) socket.destroy();
      await until('a place', async () => (await sendLarge(keys.member)).status === 200);
    });

    it('is refused without tokens, where a model would write', async () => {
      await api.close();
      await start({
        assign: () => ({ model: 'a/b' }),
        tokenLimits: { refusal: () => Promise.resolve('The organization has used all') },
      });
      expect(errorOf(await post('', bodyOf())).slice(0, 2)).to.deep.equal([403, 'TOKENS_USED_UP']);
    });
  });

  describe('POST /agent/batches/check', () => {
    it('tells the rows that would fail, of the request and on the site, and stores nothing', async () => {
      await api.close();
      const problem = { code: 'PAGE_EXISTS', message: 'Page already exists: /c' };
      await start({
        checkBatch: ({ rows: asked }) =>
          Promise.resolve({
            problems: [],
            rows: asked
              .filter(({ number }) => number === 3)
              .map(({ number }) => ({ number, problem })),
            inputTokens: 10,
            outputTokens: 2,
          }),
      });
      expect((await post('/check', bodyOf())).json).to.deep.equal({
        ok: false,
        agent: 'rules',
        problems: [],
        rows: [
          {
            number: 2,
            targetPageSlug: '/b c',
            problems: [
              { code: 'INVALID_INPUT', message: 'targetPageSlug must not contain spaces' },
            ],
          },
          { number: 3, targetPageSlug: '/c', problems: [problem] },
        ],
        make: 1,
        fail: 2,
      });
      expect((await get('')).json['batches']).to.be.empty;
    });

    it('estimates what a model would use', async () => {
      await api.close();
      const cost = { amount: '0.01', currency: 'USD' };
      await start({
        assign: () => ({ model: 'a/b' }),
        checkBatch: () =>
          Promise.resolve({ problems: [], rows: [], inputTokens: 10, outputTokens: 2 }),
        costOf: ({ model, inputTokens }) => (model === 'a/b' && inputTokens === 10 ? cost : null),
      });
      expect((await post('/check', bodyOf())).json).to.deep.include({
        agent: 'a/b',
        estimate: { inputTokens: 10, outputTokens: 2, cost },
      });
    });
  });

  describe('lists', () => {
    it('of batches have the latest first, in parts', async () => {
      const ids: string[] = [];
      for (let i = 0; i < 3; i++) ids.unshift(await create());
      const found: unknown[] = [];
      for (let cursor: unknown = ''; cursor !== null;) {
        const { json } = await get(`?limit=2${cursor === '' ? '' : `&cursor=${cursor as string}`}`);
        found.push(...(json['batches'] as { batchId: string }[]).map(({ batchId }) => batchId));
        cursor = json['nextCursor'];
      }
      expect(found).to.have.members(ids).and.have.length(3);
      const elsewhere = await get(`?siteId=${api.foreignSite.siteId}`);
      expect(elsewhere.json['batches']).to.be.empty;
    });

    it('of rows are in their order, in parts, of one state', async () => {
      const batchId = await create();
      const first = await get(`/${batchId}/rows?limit=2`);
      expect(first.json['rows']).to.deep.equal([
        {
          number: 1,
          targetPageSlug: '/a',
          externalId: '1',
          state: 'waiting',
          previewUrl: null,
          editUrl: null,
          publishedUrl: null,
        },
        {
          number: 2,
          targetPageSlug: '/b c',
          state: 'failed',
          error: 'targetPageSlug must not contain spaces',
          previewUrl: null,
          editUrl: null,
          publishedUrl: null,
        },
      ]);
      const next = await get(`/${batchId}/rows?cursor=${first.json['nextCursor'] as string}`);
      expect(next.json['rows']).to.have.nested.property('[0].number', 3);
      expect(next.json['nextCursor']).to.equal(null);
      const waiting = await get(`/${batchId}/rows?state=waiting`);
      expect(waiting.json['rows']).to.have.length(2);
      expect((await get(`/${batchId}/rows?cursor=eA`)).status).to.equal(400);
      expect((await get(`/${batchId}/rows?state=lost`)).status).to.equal(400);
    });

    it('have the addresses of a preview that is there', async () => {
      const batchId = await create();
      await store.change(batchId, { shown: 'c0'.repeat(20) });
      expect((await get(`/${batchId}`)).json['previewUrl']).to.equal(
        `https://${batchId}--demo.preview.example`,
      );
    });

    it("have the pull request and the builds at a team's own host", async () => {
      const batchId = await create();
      const { json: before } = await get(`/${batchId}`);
      expect(before).to.not.have.any.keys('pullRequestUrl', 'usage');
      const pullRequestUrl = 'https://forge.example/team/site/pulls/7';
      await store.change(batchId, { pullRequestUrl });
      builds.set(batchId, 2);
      const expected = { pullRequestUrl, usage: { builds: 2 } };
      expect((await get(`/${batchId}`)).json).to.deep.include(expected);
      expect((await get('')).json).to.have.deep.nested.property('batches[0].usage', { builds: 2 });
    });
  });

  it("answer 404 for another organization's, and for what is no id", async () => {
    const batchId = await create();
    const paths = ['', '/rows'];
    const commands = ['/pause', '/resume', '/cancel', '/publish', '/retry', '/approve'];
    for (const [id, key] of [
      [batchId, keys.foreign],
      [taskId, keys.member],
      ['bg-1', keys.member],
    ] as const) {
      const replies = [
        ...(await Promise.all(paths.map((path) => get(`/${id}${path}`, key)))),
        ...(await Promise.all(commands.map((path) => post(`/${id}${path}`, undefined, { key })))),
        await post(`/${id}/skip`, { rows: [1] }, { key }),
      ];
      for (const reply of replies)
        expect(errorOf(reply)).to.deep.equal([404, 'NOT_FOUND', 'Batch not found']);
    }
    expect((await get('', keys.foreign)).json['batches']).to.be.empty;
    expect(runs.stopped).to.be.empty;
  });

  it("are closed to viewers' keys, as tasks are", async () => {
    const batchId = await create();
    const before = (await get(`/${batchId}`)).json;
    const key = keys.viewer;
    const commands = ['pause', 'resume', 'cancel', 'publish', 'retry', 'approve'];
    const replies = await Promise.all([
      ...['', `/${batchId}`, `/${batchId}/rows`].map((path) => get(path, key)),
      ...['', '/check'].map((path) => post(path, bodyOf(), { key })),
      ...commands.map((command) => post(`/${batchId}/${command}`, undefined, { key })),
      post(`/${batchId}/skip`, { rows: [1] }, { key }),
    ]);
    for (const reply of replies)
      expect(errorOf(reply)).to.deep.equal([
        403,
        'FORBIDDEN',
        "This key is a viewer's; it needs member",
      ]);
    expect((await get(`/${batchId}`)).json).to.deep.equal(before);
  });

  describe('commands', () => {
    it('pause what runs, resume what is paused, and say why they can not', async () => {
      const batchId = await create();
      expect((await post(`/${batchId}/pause`)).json).to.include({ batchId, status: 'paused' });
      expect(runs.stopped).to.deep.equal([[batchId, 'pause']]);
      expect(errorOf(await post(`/${batchId}/pause`))).to.deep.equal([
        409,
        'CONFLICT',
        "Batch can't be paused: it is paused",
      ]);
      expect((await post(`/${batchId}/resume`)).json['status']).to.equal('running');
      expect(runs.started).to.have.length(2);
      expect(errorOf(await post(`/${batchId}/resume`))[2]).to.equal(
        "Batch can't be resumed: it is running",
      );
    });

    it('stay paused where there is no place in flight', async () => {
      const batchId = await create();
      await post(`/${batchId}/pause`);
      runs.state.refuse = new DomainError(
        'TOO_MANY_IN_FLIGHT',
        'Too Many Requests: the organization has 100 tasks in flight, its limit',
        { details: { retryAfterSeconds: 5 } },
      );
      expect((await post(`/${batchId}/resume`)).status).to.equal(429);
      expect((await get(`/${batchId}`)).json['status']).to.equal('paused');
    });

    it('do not stop what has ended meanwhile, or is being published', async () => {
      const batchId = await create({ publish: true });
      await store.beginPublish(batchId);
      for (const [command, done] of [
        ['pause', 'paused'],
        ['cancel', 'cancelled'],
      ])
        expect(errorOf(await post(`/${batchId}/${command}`))).to.deep.equal([
          409,
          'CONFLICT',
          `Batch can't be ${done}: it is being published`,
        ]);
      await store.end(batchId, () => ({ status: 'completed' }));
      const found = { ...(await store.find(organizationId, batchId)), status: 'running' as const };
      await api.close();
      // the run ends after the command has read the batch
      let finds = 0;
      const find: BatchStore['find'] = (...of) =>
        finds++ % 2 === 0 ? Promise.resolve(found) : store.find(...of);
      await start({ batches: { ...store, find } });
      for (const command of ['pause', 'cancel'])
        expect(errorOf(await post(`/${batchId}/${command}`))[2]).to.match(/: it is completed$/);
      expect((await store.find(organizationId, batchId)).status).to.equal('completed');
      expect(runs.stopped).to.be.empty;
    });

    it('let a batch end with its callback that is cancelled while it has no run', async () => {
      const batchId = await create({ callbackUrl: 'https://receiver.example/' });
      await store.change(batchId, { status: 'waiting' });
      expect((await post(`/${batchId}/cancel`)).json['status']).to.equal('cancelled');
      expect(runs.stopped).to.deep.equal([[batchId, 'end']]);
    });

    it('cancel a batch that has no run only once Temporal has one for its callback', async () => {
      for (const status of ['waiting', 'paused'] as const) {
        const batchId = await create({ callbackUrl: 'https://receiver.example/' });
        await store.change(batchId, { status });
        runs.state.silent = silent;
        const refused = await post(`/${batchId}/cancel`);
        expect(errorOf(refused).slice(0, 2)).to.deep.equal([503, 'UNAVAILABLE']);
        expect((await get(`/${batchId}`)).json['status']).to.equal(status);
        delete runs.state.silent;
        expect((await post(`/${batchId}/cancel`)).json['status']).to.equal('cancelled');
        expect(runs.stopped.splice(0)).to.deep.equal([[batchId, 'end']]);
      }
    });

    it('cancel what the run itself has cancelled meanwhile, and not what it publishes', async () => {
      const batchId = await create({ callbackUrl: 'https://receiver.example/' });
      await store.change(batchId, { status: 'waiting' });
      runs.runs.cancelBatch = () => store.end(batchId, () => ({ status: 'cancelled' }));
      expect((await post(`/${batchId}/cancel`)).json['status']).to.equal('cancelled');
      await store.change(batchId, { status: 'waiting' });
      runs.runs.cancelBatch = async () => {
        await store.change(batchId, { status: 'running' });
        await store.beginPublish(batchId);
      };
      expect(errorOf(await post(`/${batchId}/cancel`))[2]).to.equal(
        "Batch can't be cancelled: it is being published",
      );
    });

    it('stop a batch that runs though Temporal is silent: its run reads the store', async () => {
      for (const [command, done] of [
        ['pause', 'paused'],
        ['cancel', 'cancelled'],
      ]) {
        const batchId = await create({ callbackUrl: 'https://receiver.example/' });
        runs.state.silent = silent;
        expect((await post(`/${batchId}/${command}`)).json['status']).to.equal(done);
      }
    });

    it('tell the callback of a cancelled batch once Temporal answers, if its workflow is gone', async () => {
      const batchId = await create({ callbackUrl: 'https://receiver.example/' });
      runs.state.silent = silent;
      expect((await post(`/${batchId}/cancel`)).json['status']).to.equal('cancelled');
      // as the check of leases does where the workflow is not there
      const look = () =>
        endLost({ batches: store, sites: createSites(db), batchRuns: runs.runs }, batchId);
      const refused: unknown = await look().catch((error: unknown) => error);
      expect(refused).to.include({ code: 'UNAVAILABLE' });
      delete runs.state.silent;
      await look();
      expect(runs.stopped).to.deep.equal([[batchId, 'report']]);
      // what its run does
      await store.end(batchId, () => ({ status: 'cancelled' }));
      await look();
      expect(runs.stopped).to.have.length(1);
    });

    it('tell the callback of a batch that fails since its workflow is gone, and of no other', async () => {
      const later = createBatches(db, { now: () => Date.now() + 61_000 });
      const deps = { batches: later, sites: createSites(db), batchRuns: runs.runs };
      const [batchId, silentId] = [
        await create({ callbackUrl: 'https://receiver.example/' }),
        await create(),
      ];
      await endLost(deps, batchId);
      await endLost(deps, silentId);
      expect(runs.stopped).to.deep.equal([[batchId, 'report']]);
      for (const id of [batchId, silentId])
        expect((await get(`/${id}`)).json['errorMessage']).to.equal(WORKFLOW_GONE);
    });

    it('pause a batch whose run ended meanwhile, where there is no place for another', async () => {
      const batchId = await create();
      await move(batchId, [1], 'failed');
      runs.runs.run = () => Promise.reject(full);
      expect((await post(`/${batchId}/retry`)).status).to.equal(429);
      expect((await get(`/${batchId}`)).json['status']).to.equal('paused');
    });

    it('change nothing where there is no place in flight, and can be asked again', async () => {
      const ready: [string, Parameters<BatchStore['change']>[1], () => Promise<unknown>][] = [
        ['approve', { status: 'waiting' }, () => Promise.resolve()],
        [
          'approve',
          { status: 'completed', canaryApproved: true },
          () => move(batchId, [1], 'held'),
        ],
        ['retry', { status: 'completed' }, () => move(batchId, [1], 'failed')],
        ['publish', { status: 'completed' }, () => move(batchId, [1], 'committed')],
        ['resume', { status: 'paused' }, () => Promise.resolve()],
      ];
      let batchId = '';
      for (const [command, state, prepare] of ready) {
        batchId = await create({ canary: 1 });
        await prepare();
        await store.change(batchId, state);
        const before = (await get(`/${batchId}`)).json;
        runs.state.refuse = full;
        const refused = await post(`/${batchId}/${command}`);
        expect(errorOf(refused).slice(0, 2)).to.deep.equal([429, 'TOO_MANY_IN_FLIGHT']);
        expect((await get(`/${batchId}`)).json).to.deep.equal(before);
        delete runs.state.refuse;
        expect((await post(`/${batchId}/${command}`)).json['status']).to.equal('running');
      }
      await store.change(batchId, { status: 'completed' });
      expect((await post(`/${batchId}/retry`, { rows: [1] })).status).to.equal(409);
      expect(runs.givenBack).to.deep.equal([batchId]);
    });

    it('give rows to a batch that is being published', async () => {
      const batchId = await create({ publish: true });
      await move(batchId, [1, 2], 'failed');
      await store.beginPublish(batchId);
      expect((await post(`/${batchId}/retry`)).json).to.include({ status: 'running' });
      expect(runs.started).to.have.length(2);
    });

    it('cancel for good', async () => {
      const batchId = await create();
      const { json } = await post(`/${batchId}/cancel`);
      expect(json['status']).to.equal('cancelled');
      expect(json['finishedAt']).to.be.a('string');
      expect(runs.stopped).to.deep.equal([[batchId, 'cancel']]);
      for (const command of ['cancel', 'pause', 'resume', 'publish', 'retry', 'approve'])
        expect(errorOf(await post(`/${batchId}/${command}`))[2]).to.match(
          /^Batch can't .*: it was cancelled$/,
        );
    });

    it('retry failed rows, but not those whose request is wrong', async () => {
      const batchId = await create();
      await move(batchId, [3], 'failed');
      await store.change(batchId, { status: 'completed' });
      expect(errorOf(await post(`/${batchId}/retry`, { rows: [3, 1] }))).to.deep.equal([
        409,
        'CONFLICT',
        "Rows can't be retried: row 1 is waiting",
      ]);
      expect(errorOf(await post(`/${batchId}/retry`, { rows: [9] }))[2]).to.equal(
        "Rows can't be retried: there is no row 9",
      );
      expect(errorOf(await post(`/${batchId}/retry`, { rows: [2] }))[2]).to.equal(
        "Rows can't be retried: none has failed, or the requests of those that did are wrong",
      );
      const { json } = await post(`/${batchId}/retry`);
      expect(json).to.deep.include({ status: 'running' });
      expect(json['rows']).to.include({ waiting: 2, failed: 1 });
      expect(runs.started).to.have.length(2);
      for (const body of [{ rows: [] }, { rows: [0] }, { rows: [1, 1] }, { rows: 1 }, { row: [1] }])
        expect((await post(`/${batchId}/retry`, body)).status).to.equal(400);
    });

    it('publish what was made without, and say where there is nothing to publish', async () => {
      const batchId = await create({ publish: false });
      const refusal = async () => errorOf(await post(`/${batchId}/publish`))[2];
      expect(await refusal()).to.equal("Batch can't be published: it is running");
      await store.change(batchId, { status: 'completed' });
      expect(await refusal()).to.equal("Batch can't be published: no row is committed");
      await move(batchId, [1], 'committed');
      const { json } = await post(`/${batchId}/publish`);
      expect(json).to.include({ status: 'running', publish: true });
      expect(runs.started.at(-1)).to.include({ batchId, publish: true });
    });

    it('skip rows that are not published', async () => {
      const batchId = await create();
      await move(batchId, [1], 'published');
      expect(errorOf(await post(`/${batchId}/skip`, { rows: [3, 1] }))[2]).to.equal(
        "Rows can't be skipped: row 1 is published",
      );
      const { json } = await post(`/${batchId}/skip`, { rows: [2, 3] });
      expect(json['rows']).to.include({ skipped: 2, published: 1, failed: 0 });
      expect((await post(`/${batchId}/skip`)).status).to.equal(415);
    });

    it('approve no rows after a canary that is still being made', async () => {
      const batchId = await create({ publish: true, canary: 1 });
      for (const status of ['running', 'paused', 'failed'] as const) {
        await store.change(batchId, { status });
        expect(errorOf(await post(`/${batchId}/approve`))[2]).to.equal(
          "Rows can't be approved: none is held, and the canary is not made yet",
        );
      }
      await move(batchId, [1], 'held');
      const { json } = await post(`/${batchId}/approve`);
      expect(json).to.include({ status: 'running', canaryApproved: false });
      expect(json['rows']).to.include({ held: 0, written: 1 });
    });

    it('approve some held rows, or all of them and those after the canary', async () => {
      const batchId = await create({ publish: true, canary: 1 });
      await move(batchId, [1, 3], 'held');
      await store.change(batchId, { status: 'waiting' });
      const some = await post(`/${batchId}/approve`, { rows: [1] });
      expect(some.json).to.include({ status: 'running', canaryApproved: false });
      expect(some.json['rows']).to.include({ held: 1, written: 1 });
      await store.change(batchId, { status: 'waiting' });
      const all = await post(`/${batchId}/approve`);
      expect(all.json).to.include({ status: 'running', canaryApproved: true });
      expect(all.json['rows']).to.include({ held: 0, written: 2 });
      expect(errorOf(await post(`/${batchId}/approve`))[2]).to.equal(
        "Rows can't be approved: none is held",
      );
    });
  });
});
