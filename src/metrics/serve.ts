import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { DomainError } from '../errors.ts';
import type { ServiceMetrics } from './registry.ts';

const SDK_ANSWERS_WITHIN_MS = 2_000;

interface ServeMetricsOptions {
  metrics: Pick<ServiceMetrics, 'text' | 'contentType'>;
  /** `host:port` where the Temporal SDK serves the metrics of its connections and workers. */
  sdk?: string | undefined;
}

/**
 * Serves this process's metrics to Prometheus at `/metrics`: the service's, Node's and the Temporal
 * SDK's. For example, Node's `nodejs_eventloop_lag_max_seconds` is the longest delay of the event
 * loop since the last scrape.
 * @param address `host:port` to listen on; port 0 picks a free port
 * @returns the URL of the metrics, and a function that stops the server
 * @throws DomainError CONFIGURATION if the service can't listen there
 */
export async function serveMetrics(address: string, { metrics, sdk }: ServeMetricsOptions) {
  const server = createServer((req, res) => {
    if (req.method !== 'GET' || req.url !== '/metrics') return void res.writeHead(404).end();
    void Promise.all([metrics.text(), sdk === undefined ? '' : readSdkMetrics(sdk)]).then(
      (texts) => res.setHeader('Content-Type', metrics.contentType).end(texts.join('')),
      () => res.writeHead(500).end(),
    );
  });
  const { hostname, port } = new URL(`http://${address}`);
  server.listen(Number(port), hostname.replace(/^\[|\]$/g, ''));
  await once(server, 'listening').catch((cause: NodeJS.ErrnoException) => {
    throw new DomainError(
      'CONFIGURATION',
      `METRICS_ADDRESS ${address} can't be used (${cause.code}). Choose a free port on this machine`,
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
 * The SDK's metrics. '' if the SDK does not respond, so that the other metrics remain available.
 */
async function readSdkMetrics(sdk: string): Promise<string> {
  const signal = AbortSignal.timeout(SDK_ANSWERS_WITHIN_MS);
  const sdkText = fetch(`http://${sdk}/metrics`, { signal }).then((response) => response.text());
  return await sdkText.catch(() => '');
}
