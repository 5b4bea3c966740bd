import { expect } from 'chai';
import { json, type Script, type ScriptedServer, startScripted } from './scriptedServer.ts';

const batchId = 'bg-9l00ic0rmn9rfdhuo4s2eo';
const siteId = '2ccccd9d-5b1e-4b77-8593-be03be951734';
const rows = [{ targetPageSlug: '/a', context: 'City: A' }];

describe('batches of the client', () => {
  let server: ScriptedServer;
  const start = async (script: Script) => (server = await startScripted(script));
  afterEach(() => server.close());
  const asked = () => server.asked.map(({ method, path }) => `${method} ${path}`);

  it('are created once per key, however often the request is repeated', async () => {
    const created = { batchId, createdAt: '2026-11-21T07:00:16.667Z', rows: 1, failed: 0 };
    await start((response, n) =>
      json(response, n === 0 ? 503 : 200, n === 0 ? { error: 'Busy' } : created, {
        'Retry-After': '0',
      }),
    );
    const { batches } = server.client();
    expect(await batches.create(rows, { siteId, templatePageSlug: '/t', canary: 1 })).to.deep.equal(
      created,
    );
    expect(asked()).to.deep.equal(Array(2).fill('POST /api/v1/agent/batches'));
    const [first, second] = server.asked;
    expect(first!.headers['idempotency-key']).to.equal(second!.headers['idempotency-key']);
    expect(JSON.parse(first!.body)).to.deep.equal({
      siteId,
      templatePageSlug: '/t',
      canary: 1,
      rows,
    });
    await batches.create(rows, { siteId, idempotencyKey: 'mine' });
    expect(server.asked[2]!.headers['idempotency-key']).to.equal('mine');
    expect(JSON.parse(server.asked[2]!.body)).to.deep.equal({ siteId, rows });
  });

  it('are created and checked from an unchanged CSV, with options in the query', async () => {
    await start((response, n) => json(response, n === 0 ? 503 : 200, {}, { 'Retry-After': '0' }));
    const { batches } = server.client();
    const csv = 'targetPageSlug,City\n/f\u00fcr,F\n';
    const options = { siteId, templatePageSlug: '/t', publish: true, canary: 2, holdBelow: 0.2 };
    await batches.create(csv, { ...options, idempotencyKey: 'mine' });
    await batches.create(new TextEncoder().encode(csv), { siteId });
    await batches.check(new Blob([csv]), { siteId, model: null });
    const query = `siteId=${siteId}&templatePageSlug=%2Ft&publish=true&canary=2&holdBelow=0.2`;
    expect(asked()).to.deep.equal([
      ...Array(2).fill(`POST /api/v1/agent/batches?${query}`),
      `POST /api/v1/agent/batches?siteId=${siteId}`,
      `POST /api/v1/agent/batches/check?siteId=${siteId}`,
    ]);
    for (const { headers, body } of server.asked)
      expect([headers['content-type'], body]).to.deep.equal(['text/csv', csv]);
    const keys = server.asked.map(({ headers }) => headers['idempotency-key']);
    expect(keys.slice(0, 2)).to.deep.equal(['mine', 'mine']);
  });

  it('return all their rows, page by page', async () => {
    await start((response, n) =>
      json(response, 200, { rows: [{ number: n + 1 }], nextCursor: n < 2 ? `c${n}` : null }),
    );
    const numbers: number[] = [];
    for await (const { number } of server.client().batches.rows(batchId, { state: 'failed' }))
      numbers.push(number);
    expect(numbers).to.deep.equal([1, 2, 3]);
    expect(server.asked.map(({ path }) => path)).to.deep.equal(
      ['', '&cursor=c0', '&cursor=c1'].map(
        (more) => `/api/v1/agent/batches/${batchId}/rows?state=failed${more}`,
      ),
    );
  });

  for (const status of ['completed', 'waiting'])
    it(`are waited for until they are ${status}`, async () => {
      await start((response, n) =>
        json(response, 200, { batchId, status: n < 1 ? 'running' : status }),
      );
      expect(await server.client().batches.waitFor(batchId)).to.deep.equal({ batchId, status });
      expect(server.asked).to.have.length(2);
    });

  it('accept commands with the numbers of rows, and list, undo and make versions', async () => {
    await start((response) => json(response, 200, { batchId, status: 'running' }));
    const { batches } = server.client();
    await batches.get(batchId);
    await batches.pause(batchId);
    await batches.resume(batchId);
    await batches.cancel(batchId);
    await batches.publish(batchId);
    await batches.publish(batchId, [1]);
    await batches.retry(batchId);
    await batches.retry(batchId, [2]);
    await batches.approve(batchId, [3]);
    await batches.skip(batchId, [4]);
    await batches.editLink(batchId, '/a');
    await batches.versions(batchId);
    await batches.undoVersion(batchId);
    await batches.undoVersion(batchId, { version: 2 });
    await batches.decideNotes(batchId, { state: 'dropped', notes: ['46f5e473353a0686'] });
    const path = `/api/v1/agent/batches/${batchId}`;
    expect(server.asked.map((one) => [one.method, one.path, one.body])).to.deep.equal([
      ['GET', path, ''],
      ['POST', `${path}/pause`, ''],
      ['POST', `${path}/resume`, ''],
      ['POST', `${path}/cancel`, ''],
      ['POST', `${path}/publish`, '{}'],
      ['POST', `${path}/publish`, '{"rows":[1]}'],
      ['POST', `${path}/retry`, '{}'],
      ['POST', `${path}/retry`, '{"rows":[2]}'],
      ['POST', `${path}/approve`, '{"rows":[3]}'],
      ['POST', `${path}/skip`, '{"rows":[4]}'],
      ['POST', `${path}/edit-link`, '{"slug":"/a"}'],
      ['GET', `${path}/versions`, ''],
      ['POST', `${path}/versions/undo`, '{}'],
      ['POST', `${path}/versions/undo`, '{"version":2}'],
      ['PATCH', `${path}/notes`, '{"state":"dropped","notes":["46f5e473353a0686"]}'],
    ]);
  });
});
