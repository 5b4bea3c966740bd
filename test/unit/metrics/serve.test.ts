import { expect } from 'chai';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { request } from 'undici';
import { createMetrics } from '../../../src/metrics/registry.ts';
import { serveMetrics } from '../../../src/metrics/serve.ts';

describe('serveMetrics', () => {
  let metrics: Awaited<ReturnType<typeof serveMetrics>>;
  const own = createMetrics();
  before(async () => void (metrics = await serveMetrics('127.0.0.1:0', { metrics: own })));
  after(async () => {
    await metrics.close();
    own.close();
  });

  const read = async (path = '/metrics', method: 'GET' | 'POST' = 'GET') => {
    const { statusCode, headers, body } = await request(new URL(path, metrics.url), { method });
    return { status: statusCode, type: headers['content-type'], text: await body.text() };
  };
  const longestDelay = ({ text }: { text: string }) =>
    Number(/^nodejs_eventloop_lag_max_seconds (\S+)$/m.exec(text)?.[1]);
  const holdUp = (ms: number) => {
    for (const end = performance.now() + ms; performance.now() < end;);
  };

  it('reports how long the event loop was blocked', async () => {
    await read();
    await new Promise((resolve) => setTimeout(resolve, 30)); // the delay is measured between two ticks of a timer
    holdUp(400);
    await new Promise((resolve) => setTimeout(resolve, 30));
    const reply = await read();
    expect(reply).to.include({ status: 200 });
    expect(reply.type).to.match(/^text\/plain; version=0\.0\.4/);
    expect(longestDelay(reply)).to.be.greaterThan(0.3);
  });

  it('asks at each request whether the worker is ready', async () => {
    const ready = async () => /^agent_tasks_worker_ready (\S+)$/m.exec((await read()).text)?.[1];
    expect(await ready(), 'without a worker').to.equal('0');
    for (const [answer, value] of [
      [() => Promise.resolve(true as const), '1'],
      [() => Promise.resolve('no worker of the current version asks for tasks'), '0'],
      [() => Promise.reject(new Error('no answer')), '0'],
    ] as const) {
      own.watchWorker(answer);
      expect(await ready()).to.equal(value);
    }
  });

  it('serves also the metrics of the Temporal SDK, and only its own if the SDK does not answer', async () => {
    const sdk = createServer((_, res) =>
      res.end('# TYPE temporal_request counter\ntemporal_request 7\n'),
    );
    await once(sdk.listen(0, '127.0.0.1'), 'listening');
    const at = `127.0.0.1:${(sdk.address() as AddressInfo).port}`;
    const both = await serveMetrics('127.0.0.1:0', { metrics: own, sdk: at });
    const lines = async () => (await (await fetch(both.url)).text()).split('\n');
    expect(await lines())
      .to.include('temporal_request 7')
      .and.include('# TYPE agent_tasks_ended_total counter');
    sdk.close();
    sdk.closeAllConnections();
    expect(await lines())
      .to.include('# TYPE agent_tasks_ended_total counter')
      .and.not.include('temporal_request 7');
    await both.close();
  });

  for (const [what, answer] of [
    [
      'breaks off',
      (res) => res.writeHead(200, { 'Content-Length': 100 }).write('temporal', () => res.destroy()),
    ],
    ['is no HTTP', (res) => res.socket!.end('temporal')],
  ] as [string, (res: ServerResponse) => void][])
    it(`serves its own metrics if the answer of the SDK ${what}`, async () => {
      const sdk = createServer((_, res) => answer(res));
      await once(sdk.listen(0, '127.0.0.1'), 'listening');
      const at = `127.0.0.1:${(sdk.address() as AddressInfo).port}`;
      const both = await serveMetrics('127.0.0.1:0', { metrics: own, sdk: at });
      const { statusCode, body } = await request(both.url, { headersTimeout: 5_000 });
      expect([statusCode, await body.text()].join()).to.match(
        /^200,[^]*agent_tasks_ended_total[^]*(?<!temporal)$/,
      );
      await both.close();
      sdk.close();
    });
});
