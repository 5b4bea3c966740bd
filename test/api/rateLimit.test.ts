import { expect } from 'chai';
import { Pool } from 'pg';
import { countRequest, createRateLimits } from '../../src/api/middleware/rateLimit.ts';
import {
  bearer,
  fromHere,
  keys,
  type Reply,
  startApi,
  type TestApi,
  taskId,
} from '../helpers/api.ts';
import { migrated } from '../helpers/database.ts';
import { startPglite, type PgliteServer } from '../helpers/pglite.ts';

describe('rate limits', () => {
  let api: TestApi;
  beforeEach(async () => {
    api = await startApi({
      rateLimits: createRateLimits({ createPerMinute: 2, readPerMinute: 3 }),
    });
  });
  afterEach(() => api.close());

  const read = (key: string) =>
    api.request('GET', `/api/v1/agent/tasks/${taskId}`, { headers: bearer(key) });
  const create = (key = keys.member) =>
    api.create({ siteId: api.site.siteId, prompt: 'x' }, bearer(key));
  const statuses = async (count: number, call: () => Promise<Reply>) => {
    const replies = [];
    for (let i = 0; i < count; i++) replies.push((await call()).status);
    return replies;
  };

  it('count creations and reads separately, for each key', async () => {
    expect(await statuses(3, () => create())).to.deep.equal([200, 200, 429]);
    expect(await statuses(4, () => read(keys.member))).to.deep.equal([404, 404, 404, 429]);
    expect((await create(keys.admin)).status).to.equal(200);
  });

  it('count checks separately from creations, up to the same number', async () => {
    const body = () => JSON.stringify({ siteId: api.site.siteId, prompt: 'x' });
    const headers = { ...bearer(keys.member), 'Content-Type': 'application/json' };
    const check = () => api.request('POST', '/api/v1/agent/tasks/check', { headers, body: body() });
    expect(await statuses(3, check)).to.deep.equal([200, 200, 429]);
    const refused = await check();
    expect(refused.headers.get('ratelimit-policy')).to.equal('"check";q=2;w=60');
    expect(Number(refused.headers.get('retry-after'))).to.be.within(1, 60);
    expect(await statuses(3, () => create())).to.deep.equal([200, 200, 429]);
  });

  it('report their state in RateLimit and RateLimit-Policy on every authenticated answer', async () => {
    const { headers } = await create();
    expect(headers.get('ratelimit-policy')).to.equal('"create";q=2;w=60');
    expect(headers.get('ratelimit')).to.match(/^"create";r=1;t=(59|60)$/);
    const forbidden = await read(keys.viewer);
    expect([forbidden.status, forbidden.headers.get('ratelimit-policy')]).to.deep.equal([
      403,
      '"read";q=3;w=60',
    ]);
    expect((await api.create({})).headers.get('ratelimit')).to.match(/^"create";r=0;t=\d+$/);
  });

  it('answer 429 with Retry-After before they read the body, and start nothing', async () => {
    await statuses(2, () => create());
    const { status, headers, json } = await api.create({ nothing: 'valid' });
    expect([status, json]).to.deep.equal([429, { error: 'Too Many Requests' }]);
    expect(Number(headers.get('retry-after'))).to.be.within(1, 60);
    expect(headers.get('ratelimit')).to.match(/^"create";r=0;t=\d+$/);
    expect(api.started).to.have.length(2);
  });

  it('count wrong keys by IP address, and still accept correct keys', async () => {
    const wrong = await statuses(31, () => read('ak_wrong'));
    expect(wrong).to.deep.equal([...Array<number>(30).fill(401), 429]);
    expect((await read('ak_wrong')).headers.get('retry-after')).to.match(/^\d+$/);
    expect((await read(keys.member)).status).to.equal(404);
  });

  it('use a forwarded address only behind a trusted proxy, and only the one that the proxy itself saw', async () => {
    const proxied = await startApi({
      trustProxy: fromHere,
      rateLimits: createRateLimits({ createPerMinute: 2, readPerMinute: 3 }),
    });
    const from = (forwarded: string) =>
      proxied.request('GET', `/api/v1/agent/tasks/${taskId}`, {
        headers: { 'X-Forwarded-For': forwarded },
      });
    for (let i = 0; i < 30; i++) await from(`10.0.0.${i}, 198.51.100.7`);
    expect((await from('10.9.9.9, 198.51.100.7')).status).to.equal(429);
    expect((await from('198.51.100.8')).status).to.equal(401);
    for (let i = 0; i < 30; i++) await from(`2001:db8:1:2::${i}`);
    expect((await from('2001:db8:1:2:ffff::1')).status).to.equal(429);
    await proxied.close();
  });
});

describe('rate limits in PostgreSQL', () => {
  let database: PgliteServer;
  let pool: Pool;
  before(async () => {
    database = await startPglite({ isMigrated: true });
    pool = new Pool({ connectionString: database.url, max: 1 });
    pool.on('error', () => {});
    await migrated(pool);
  });
  after(() => pool.end());

  it('are shared by all processes, and counted in each process while the database is down', async () => {
    const options = { createPerMinute: 4, readPerMinute: 4, pool };
    const [one, other] = [createRateLimits(options), createRateLimits(options)];
    const calls = [one, other, one, other, one].map(({ create }) => countRequest(create, 'key'));
    const allowed = (await Promise.all(calls)).map((call) => call.allowed);
    expect(allowed.filter(Boolean)).to.have.length(4); // which one comes last, the database decides
    expect((await countRequest(one.read, 'key')).remaining).to.equal(3);
    await database.stop();
    expect((await countRequest(one.create, 'key')).remaining).to.equal(3);
  });
});
