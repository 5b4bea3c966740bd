import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { WebhookRequest } from '../../src/forges/webhookFormat.ts';
import { startApi, type TestApi } from '../helpers/api.ts';

describe('POST /webhooks/forges/{siteId}', () => {
  let api: TestApi;
  const received: [siteId: string, request: WebhookRequest][] = [];

  before(async () => {
    api = await startApi({
      forgeEvents: {
        async receive(siteId, request, admitSigned) {
          received.push([siteId, request]);
          if (request.headers['x-gitea-signature'] !== 'good') return false;
          await admitSigned();
          return true;
        },
      },
    });
  });
  after(() => api.close());
  beforeEach(() => void (received.length = 0));

  const send = (body: string | Uint8Array, headers = {}, siteId: string = randomUUID()) =>
    api.request('POST', `/api/v1/webhooks/forges/${siteId}`, {
      headers: { 'Content-Type': 'application/json', 'X-Gitea-Signature': 'good', ...headers },
      body,
    });

  it('accepts exactly the bytes that the forge signed, without a key', async () => {
    const siteId = randomUUID();
    const bytes = Buffer.from('{ "a" :\n"\u00e9" }');
    expect((await send(bytes, {}, siteId)).status).to.equal(204);
    expect(received[0]![0]).to.equal(siteId);
    expect(received[0]![1].body.equals(bytes)).to.equal(true);
  });

  it('rejects bodies larger than a megabyte, and media types other than JSON', async () => {
    expect((await send(Buffer.alloc(1_000_001, ' '))).status).to.equal(413);
    expect((await send('a=b', { 'Content-Type': 'text/plain' })).status).to.equal(415);
    expect(received).to.deep.equal([]);
  });

  it('accepts 600 webhooks of a site per minute', async () => {
    const siteId = randomUUID();
    const statuses = await Promise.all(
      Array.from({ length: 605 }, async () => (await send('{}', {}, siteId)).status),
    );
    expect(statuses.filter((status) => status === 204)).to.have.length(600);
    expect(statuses.filter((status) => status === 429)).to.have.length(5);
    expect((await send('{}')).status, 'another site').to.equal(204);
  });

  it('rejects wrong signatures, and after 30 of them every wrong one', async () => {
    const wrong = { 'X-Gitea-Signature': 'wrong' };
    const statuses = [];
    for (let i = 0; i < 31; i++) statuses.push((await send('{}', wrong)).status);
    expect(statuses.slice(0, 30)).to.deep.equal(Array(30).fill(401));
    expect(statuses[30]).to.equal(429);
    expect((await send('{}')).status, 'a good one').to.equal(204);
  });

  it('counts webhooks without a valid signature against their sender, never against the site', async () => {
    const siteId = randomUUID();
    const forged = { 'X-Gitea-Signature': 'wrong' };
    const statuses = await Promise.all(
      Array.from({ length: 601 }, async () => (await send('{}', forged, siteId)).status),
    );
    expect(statuses.filter((status) => ![401, 429].includes(status))).to.deep.equal([]);
    expect((await send('{}', {}, siteId)).status, 'a signed one').to.equal(204);
  });
});
