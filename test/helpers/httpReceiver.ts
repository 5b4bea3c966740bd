import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { until } from './until.ts';

export interface Delivery {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
  /** When the request's body was whole, in milliseconds of the monotonic clock. */
  at: number;
}

export interface HttpReceiver {
  url: (path: string) => string;
  /** Waits for so many deliveries to a path. @returns all that have come */
  deliveries(path: string, count: number, ms?: number): Promise<Delivery[]>;
  /** All that have come to a path so far. */
  received(path: string): Delivery[];
  close(): Promise<void>;
}

/**
 * A callback receiver on 127.0.0.1 without TLS.
 * @param answer the status for the n-th delivery (from 1) to a path, now or later
 */
export async function startHttpReceiver(
  answer: (path: string, n: number) => number | Promise<number>,
): Promise<HttpReceiver> {
  const all: Delivery[] = [];
  const received = (path: string) => all.filter((delivery) => delivery.path === path);
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url: path = '', headers } = request;
      all.push({
        method,
        path,
        headers,
        body: Buffer.concat(chunks).toString(),
        at: performance.now(),
      });
      void Promise.resolve(answer(path, received(path).length)).then((status) =>
        response.writeHead(status).end(),
      );
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: (path) => `http://127.0.0.1:${port}${path}`,
    received,
    deliveries: (path, count, ms = 240_000) =>
      until(
        `${count} deliveries to ${path}`,
        () => received(path).length >= count && received(path),
        ms,
      ),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
