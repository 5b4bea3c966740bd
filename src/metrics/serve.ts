import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { DomainError } from '../errors.ts';
import type { Metrics } from './registry.ts';

const SDK_ANSWERS_WITHIN_MS = 2_000;

interface Options {
  metrics: Pick<Metrics, 'text' | 'contentType'>;
  /**
   * `host:port` at which the Temporal SDK serves its own; its connections and workers count there.
   */
  sdk?: string | undefined;
}

/**
 * Serves the process's metrics to Prometheus at `/metrics`: the service's, Node's (as how long the
 * event loop was held up since the last scrape, `nodejs_eventloop_lag_max_seconds`), and those of
 * the Temporal SDK.
 * @param address `host:port` to listen on; port 0 is any free one
 * @throws DomainError CONFIGURATION where nothing can listen there
 */
export async function serveMetrics(address: string, { metrics, sdk }: Options) {
  const server = createServer((req, res) => {
    if (req.method !== 'GET' || req.url !== '/metrics') return void res.writeHead(404).end();
    void Promise.all([metrics.text(), sdk === undefined ? '' : textOf(sdk)]).then(
      (texts) => res.setHeader('Content-Type', metrics.contentType).end(texts.join('')),
      () => res.writeHead(500).end(),
    );
  });
  const { hostname, port } = new URL(`http://${address}`);
  server.listen(Number(port), hostname.replace(/^\[|\]$/g, ''));
  await once(server, 'listening').catch((cause: NodeJS.ErrnoException) => {
    throw new DomainError(
      'CONFIGURATION',
      `METRICS_ADDRESS ${address} can't be used (${cause.code})`,
      { cause },
    );
  });
  return {
    url: `http://${hostname}:${(server.address() as AddressInfo).port}/metrics`,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/**
 * What the SDK serves; nothing where it does not answer, so that the rest can be read all the same.
 */
async function textOf(sdk: string): Promise<string> {
  const signal = AbortSignal.timeout(SDK_ANSWERS_WITHIN_MS);
  const asked = fetch(`http://${sdk}/metrics`, { signal }).then((answer) => answer.text());
  return await asked.catch(() => '');
}
