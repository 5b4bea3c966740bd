import { expect } from 'chai';
import { WORKFLOW_GONE } from '../../src/contract/batches/batch.ts';
import type { BatchStore } from '../../src/contract/batches/batchStore.ts';
import { DomainError } from '../../src/errors.ts';
import { isTaskId } from '../../src/contract/task.ts';
import { createBatches } from '../../src/storage/batches/batches.ts';
import { atTime } from '../helpers/atTime.ts';
import {
  bearer,
  keys,
  organizationId,
  type Overrides,
  type Reply,
  startApi,
  type TestApi,
} from '../helpers/api.ts';
import { runsInMemory } from '../helpers/batches.ts';
import { testDatabase } from '../helpers/database.ts';
import { pageExistsError } from '../../src/sites/pages/listing/pageExists.ts';
import { slugProblems } from '../../src/sites/pages/urls/slug.ts';
import { commandConflict } from '../../src/tasks/batches/commands.ts';
import { NOTHING_TO_PUBLISH } from '../../src/tasks/batches/publishBatch.ts';

const batches = '/api/v1/agent/batches';

const silent = new DomainError('UNAVAILABLE', 'Temporal did not answer', { retryable: true });
const full = new DomainError(
  'TOO_MANY_IN_FLIGHT',
  'Too Many Requests: the organization already has 100 running tasks, its limit. Try again when one has finished',
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
  const errorOf = ({ status, json, code }: Reply) => [status, code, json['error']];
  const move = (
    batchId: string,
    numbers: number[],
    to: 'held' | 'failed' | 'committed' | 'published',
  ) => store.move(batchId, { from: ['waiting'], to, numbers });

  describe('POST /agent/batches', () => {
    it('stores the rows, marks the wrong rows as failed, and runs the batch', async () => {
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

    it('rejects a batch whose rows are all wrong, and names them', async () => {
      const wrong = Array.from({ length: 22 }, () => ({ targetPageSlug: '/a b', context: 'x' }));
      expect(errorOf(await post('', bodyOf({ rows: wrong })))).to.deep.equal([
        400,
        'INVALID_INPUT',
        `Invalid request body: no row is valid: ${Array.from(
          { length: 20 },
          (_, i) => `row ${i + 1}: targetPageSlug must not contain spaces`,
        ).join('; ')}; and 2 more rows`,
      ]);
      expect(runs.started).to.be.empty;
    });

    it('gives the same answer to the same request with the same key, and 422 to another request', async () => {
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
        'The Idempotency-Key was already used with another request body',
      ]);
    });

    it('also starts a batch whose workflow was not found before; the batch can also be resumed', async () => {
      const later = atTime(() => Date.now() + 61_000, createBatches(db));
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

    it('checks the callback URL, the site and the model as tasks do', async () => {
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

    it('accepts 20 MB, and answers 413 to larger bodies and 415 to other media types', async () => {
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
      const tooLarge = await postCsv(query, table(20_000_001));
      expect(tooLarge).to.include({ status: 413, code: 'PAYLOAD_TOO_LARGE' });
      expect(tooLarge.json['error']).to.match(/\b20000000 bytes\b/);
      const xml = await post('', '<a/>', { headers: { 'Content-Type': 'text/xml' } });
      expect(errorOf(xml)).to.deep.equal([
        415,
        'UNSUPPORTED_MEDIA_TYPE',
        'Content-Type must be application/json or text/csv',
      ]);
    });
  });

  describe('POST /agent/batches/check', () => {
    it('reports the rows that would fail, because of the request or the site, and stores nothing', async () => {
      await api.close();
      const { code, message } = pageExistsError('/c');
      const problem = { code, message };
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
            problems: [{ code: 'INVALID_INPUT', message: `targetPageSlug ${slugProblems.space}` }],
          },
          { number: 3, targetPageSlug: '/c', problems: [problem] },
        ],
        make: 1,
        fail: 2,
      });
      expect((await get('')).json['batches']).to.be.empty;
    });
  });

  describe('lists', () => {
    it('of batches are sorted by the latest first, page by page', async () => {
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

    it('of rows are sorted by their number, page by page, and can be filtered by state', async () => {
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
          error: `targetPageSlug ${slugProblems.space}`,
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
  });

  describe('commands', () => {
    it('pause a running batch, resume a paused one, and explain why another state does not allow it', async () => {
      const batchId = await create();
      expect((await post(`/${batchId}/pause`)).json).to.include({ batchId, status: 'paused' });
      expect(runs.stopped).to.deep.equal([[batchId, 'pause']]);
      expect(errorOf(await post(`/${batchId}/pause`))).to.deep.equal([
        409,
        'CONFLICT',
        "The batch can't be paused: it is paused",
      ]);
      expect((await post(`/${batchId}/resume`)).json['status']).to.equal('running');
      expect(runs.started).to.have.length(2);
      expect(errorOf(await post(`/${batchId}/resume`))[2]).to.equal(
        "The batch can't be resumed: it is running",
      );
    });

    it('cancel a batch without a run only after Temporal has a run for its callback', async () => {
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

    it('change nothing if no permit is free, and can be sent again', async () => {
      const ready: [string, Parameters<BatchStore['change']>[1], () => Promise<unknown>][] = [
        ['approve', { status: 'waiting' }, () => Promise.resolve()],
        [
          'approve',
          { status: 'completed', canaryApproved: true },
          () => move(batchId, [1], 'held'),
        ],
        ['retry', { status: 'completed' }, () => move(batchId, [1], 'failed')],
        [
          'publish',
          { status: 'completed' },
          async () => {
            await store.plan(batchId, [{ number: 1, slug: '/a', path: 'a.html' }]);
            await move(batchId, [1], 'committed');
          },
        ],
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

    it('retry failed rows, but not rows whose request is wrong', async () => {
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
        "Rows can't be retried: no row has failed, or the failed rows have invalid requests",
      );
      const { json } = await post(`/${batchId}/retry`);
      expect(json).to.deep.include({ status: 'running' });
      expect(json['rows']).to.include({ waiting: 2, failed: 1 });
      expect(runs.started).to.have.length(2);
      for (const body of [{ rows: [] }, { rows: [0] }, { rows: [1, 1] }, { rows: 1 }, { row: [1] }])
        expect((await post(`/${batchId}/retry`, body)).status).to.equal(400);
    });

    it('publish a batch that was created without publishing, and report if there is nothing to publish', async () => {
      const batchId = await create({ publish: false });
      const refusal = async () => errorOf(await post(`/${batchId}/publish`))[2];
      expect(await refusal()).to.equal(
        commandConflict('be published', { status: 'running', isPublishing: false }).message,
      );
      await store.change(batchId, { status: 'completed' });
      expect(await refusal()).to.equal(NOTHING_TO_PUBLISH);
      await move(batchId, [1], 'committed');
      await store.plan(batchId, [{ number: 1, slug: '/a', path: 'a.html' }]);
      const { json } = await post(`/${batchId}/publish`);
      expect(json).to.include({ status: 'running', publish: true });
      expect(runs.started.at(-1)).to.include({ batchId, publish: true });
    });

    it('publish the given rows, and hold the other ones', async () => {
      const batchId = await create({
        rows: [...rows, { targetPageSlug: '/d', context: 'City: D' }],
      });
      await store.plan(
        batchId,
        [1, 3, 4].map((number) => ({ number, slug: `/${number}`, path: `${number}.html` })),
      );
      await move(batchId, [1, 3], 'committed');
      await move(batchId, [4], 'held');
      await store.change(batchId, { status: 'completed' });
      expect((await post(`/${batchId}/publish`, { rows: [2] })).code).to.equal('CONFLICT');
      const { json } = await post(`/${batchId}/publish`, { rows: [3, 4] });
      expect(json).to.include({ status: 'running', publish: true });
      expect(json['rows']).to.include({ committed: 0, held: 1, written: 2 });
    });

    it('hold the pages that anybody left out, whoever marked them later', async () => {
      const mark = { version: 'v', at: new Date(), by: null };
      const marks = [
        // the mark of a second person, who came later
        { ...mark, slug: '/a', mark: 'fine' as const },
        { ...mark, slug: '/a', mark: 'left-out' as const },
        { ...mark, slug: '/c', mark: 'fine' as const },
      ];
      await api.close();
      await start({
        pageMarks: { of: () => Promise.resolve(marks), set: () => Promise.resolve() },
      });
      const batchId = await create();
      const targets = [
        { number: 1, slug: '/a', path: 'a.html' },
        { number: 3, slug: '/c', path: 'c.html' },
      ];
      await store.plan(batchId, targets);
      await move(batchId, [1, 3], 'committed');
      await store.change(batchId, { status: 'completed' });
      const { json } = await post(`/${batchId}/publish`);
      expect(json['rows']).to.include({ committed: 0, held: 1, written: 1 });
    });

    it('approve some held rows, or all of them together with the rows after the canary', async () => {
      const batchId = await create({ publish: true, canary: 1 });
      await move(batchId, [1, 3], 'held');
      await store.change(batchId, { status: 'waiting' });
      const some = await post(`/${batchId}/approve`, { rows: [1] });
      // an approval alone puts nothing live
      expect(some.json).to.include({ status: 'running', canaryApproved: false, publish: false });
      expect(some.json['rows']).to.include({ held: 1, written: 1 });
      await store.change(batchId, { status: 'waiting' });
      const all = await post(`/${batchId}/approve`);
      expect(all.json).to.include({ status: 'running', canaryApproved: true });
      expect(all.json['rows']).to.include({ held: 0, written: 2 });
      expect(errorOf(await post(`/${batchId}/approve`))[2]).to.equal(
        "Rows can't be approved: no row is on hold",
      );
    });
  });
});
