import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { collectDefaultMetrics, Registry } from 'prom-client';
import { DomainError } from './errors.ts';

/**
 * Serves the process's metrics to Prometheus at `/metrics`: memory, CPU time, and how long the event loop was held up
 * (`nodejs_eventloop_lag_max_seconds`, the longest delay since the last scrape).
 * @param address `host:port` to listen on; port 0 is any free one
 * @throws DomainError CONFIGURATION where nothing can listen there
 */
export async function serveMetrics(address: string): Promise<{ url: string; close(): Promise<void> }> {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const server = createServer((req, res) => {
    if (req.method !== 'GET' || req.url !== '/metrics') return void res.writeHead(404).end();
    void registry.metrics().then((text) => res.setHeader('Content-Type', registry.contentType).end(text));
  });
  const { hostname, port } = new URL(`http://${address}`);
  server.listen(Number(port), hostname.replace(/^\[|\]$/g, ''));
  await once(server, 'listening').catch((cause: NodeJS.ErrnoException) => {
    throw new DomainError('CONFIGURATION', `METRICS_ADDRESS ${address} can't be used (${cause.code})`, { cause });
  });
  return {
    url: `http://${hostname}:${(server.address() as AddressInfo).port}/metrics`,
    async close() {
      registry.clear();
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
