import { expect } from 'chai';
import { request } from 'undici';
import { serveMetrics } from '../../src/metrics.ts';

describe('serveMetrics', () => {
  let metrics: Awaited<ReturnType<typeof serveMetrics>>;
  before(async () => void (metrics = await serveMetrics('127.0.0.1:0')));
  after(() => metrics.close());

  const read = async (path = '/metrics', method: 'GET' | 'POST' = 'GET') => {
    const { statusCode, headers, body } = await request(new URL(path, metrics.url), { method });
    return { status: statusCode, type: headers['content-type'], text: await body.text() };
  };
  const longestDelay = ({ text }: { text: string }) =>
    Number(/^nodejs_eventloop_lag_max_seconds (\S+)$/m.exec(text)?.[1]);
  const holdUp = (ms: number) => {
    for (const end = performance.now() + ms; performance.now() < end;);
  };

  it('tells how long the event loop was held up', async () => {
    await read();
    await new Promise((resolve) => setTimeout(resolve, 30)); // the delay is measured between two ticks of a timer
    holdUp(400);
    await new Promise((resolve) => setTimeout(resolve, 30));
    const reply = await read();
    expect(reply).to.include({ status: 200 });
    expect(reply.type).to.match(/^text\/plain; version=0\.0\.4/);
    expect(longestDelay(reply)).to.be.greaterThan(0.3);
  });

  it('answers nothing else', async () => {
    expect((await read('/')).status).to.equal(404);
    expect((await read('/metrics', 'POST')).status).to.equal(404);
  });

  it('says which setting names an address that can not be used', async () => {
    const failure = await serveMetrics(new URL(metrics.url).host).catch((error: unknown) => error);
    expect(failure).to.include({ code: 'CONFIGURATION' });
    expect(String(failure)).to.match(/METRICS_ADDRESS 127\.0\.0\.1:\d+ can't be used \(EADDRINUSE\)/);
  });
});
