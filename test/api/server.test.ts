import { once } from 'node:events';
import { connect } from 'node:net';
import { expect } from 'chai';
import { raw, startApi } from '../helpers/api.ts';

describe('listen', () => {
  async function slowApi() {
    let release = () => {};
    const released = new Promise<void>((resolve) => (release = resolve));
    let entered = () => {};
    const running = new Promise<void>((resolve) => (entered = resolve));
    const readiness = async () => {
      entered();
      await released;
      return {};
    };
    return { api: await startApi({ readiness }), release, running };
  }
  const get = 'GET /readyz HTTP/1.1\r\nHost: localhost\r\n\r\n';

  it('lets running requests end at close, tells them to close, and drops idle connections', async () => {
    const { api, release, running } = await slowApi();
    const idle = connect(api.port, '127.0.0.1');
    await once(idle, 'connect');
    const answer = raw(api.port, get);
    await running;
    const closed = api.close(10_000);
    await once(idle.resume(), 'close');
    release();
    expect(await answer).to.match(/^HTTP\/1.1 200 OK[\s\S]*connection: close[\s\S]*{"status":"ready","checks":{}}$/i);
    await closed;
  });

  it('cuts off what does not end within the grace', async () => {
    const { api, release, running } = await slowApi();
    const answer = raw(api.port, get).catch(() => '');
    await running;
    await api.close(50);
    expect(await answer).to.equal('');
    release();
  });

  it('fails with EADDRINUSE when the port is taken', async () => {
    const { api } = await slowApi();
    const { listen } = await import('../../src/api/server.ts');
    const { default: Koa } = await import('koa');
    const error = await listen(new Koa(), api.port, { host: '127.0.0.1' }).catch((error: NodeJS.ErrnoException) => error);
    await api.close();
    expect(error).to.have.property('code', 'EADDRINUSE');
  });
});
