import { expect } from 'chai';
import { DomainError } from '../../../../../src/errors.ts';
import { createProviderFetch } from '../../../../../src/agents/model/calls/providerFetch.ts';
import { type ModelServer, type Reply, startModelServer } from '../../../../helpers/modelServer.ts';
import { failure } from './callers.ts';

describe('createProviderFetch(baseUrl)', () => {
  let server: ModelServer;
  let reply: Reply;
  before(async () => (server = await startModelServer(() => reply)));
  after(() => server.close());
  const post = () => {
    const url = server.url('openai');
    return createProviderFetch(url, {})(`${url}/chat/completions`, {
      method: 'POST',
      body: '{"model":"a","messages":[]}',
    });
  };

  it('requests no other address', async () => {
    const get = createProviderFetch('http://127.0.0.1:1/v1', {});
    for (const other of [
      'http://127.0.0.1:2/v1',
      'https://127.0.0.1:1/v1',
      'http://localhost:1/v1',
      new URL('http://[::1]:1/'),
    ])
      expect(await failure(get(other))).to.be.instanceOf(DomainError);
    expect(await failure(get(new Request('http://127.0.0.1:2/')))).to.be.instanceOf(DomainError);
  });

  it('follows no redirect, which would get the key', async () => {
    reply = { status: 307, headers: { location: `${server.url('openai')}/other` } };
    expect((await post()).status).to.equal(307);
    expect(server.requests()).to.have.length(1);
  });

  it('reads at most 8 MB of an answer', async () => {
    reply = { status: 200, body: 'a'.repeat(8 * 1024 ** 2) };
    expect((await (await post()).text()).length).to.equal(8 * 1024 ** 2);
    reply = { status: 200, body: 'a'.repeat(8 * 1024 ** 2 + 1) };
    const error: unknown = await (await post()).text().catch((error: unknown) => error);
    expect(String(error)).to.match(/\b8388608 bytes/);
  });
});
