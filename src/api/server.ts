import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import type Koa from 'koa';
import type { ApiState } from './context.ts';

/** How long a client may go on sending a body that nobody reads, after its answer, milliseconds. */
const lingerMs = 2_000;

const timeouts = {
  headersTimeout: 10_000,
  requestTimeout: 60_000,
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 2_000,
  maxHeaderSize: 16_384,
};

export interface Listening {
  server: Server;
  /** The port that was taken: the one asked for, or for 0 a free one. */
  port: number;
  /** Takes no new requests, lets running ones end for at most `graceMs` milliseconds, then cuts them off. */
  close(graceMs: number): Promise<void>;
}

/**
 * Serves the app over HTTP.
 * @param port 0 for any free one
 * @param host the address to listen on; all of them by default
 * @throws the server's own error, for example EADDRINUSE
 */
export async function listen(app: Koa<ApiState>, port: number, host?: string): Promise<Listening> {
  // Koa answers requests without a Host itself, as JSON.
  const server = createServer({ ...timeouts, requireHostHeader: false });
  const running = new Set<ServerResponse>();
  const handle = app.callback();
  const onRequest = (req: IncomingMessage, res: ServerResponse) => {
    track(server, running, req, res);
    void handle(req, res);
  };
  server.on('request', onRequest);
  server.on('checkExpectation', onRequest);
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => answerBadRequest(error, socket, running));
  server.listen(port, host);
  await once(server, 'listening');
  return { server, port: (server.address() as AddressInfo).port, close: (graceMs) => close(server, running, graceMs) };
}

function track(server: Server, running: Set<ServerResponse>, req: IncomingMessage, res: ServerResponse): void {
  running.add(res);
  if (!server.listening) res.setHeader('Connection', 'close');
  res.once('close', () => {
    running.delete(res);
    if (!server.listening) server.closeIdleConnections();
  });
  res.once('finish', () => {
    if (!req.complete) discardBody(req);
  });
}

/** Reads on for a moment, because a client that is still sending could miss an answer that ends in a reset (RFC 9112, 9.6). */
function discardBody(req: IncomingMessage): void {
  req.resume();
  setTimeout(() => req.complete || req.socket.destroy(), lingerMs).unref();
}

async function close(server: Server, running: Set<ServerResponse>, graceMs: number): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  for (const res of running) if (!res.headersSent) res.setHeader('Connection', 'close');
  const cut = setTimeout(() => server.closeAllConnections(), graceMs);
  await closed;
  clearTimeout(cut);
}

/** What is not HTTP never reaches Koa: it is answered here, unless an answer is already on its way on this connection. */
function answerBadRequest(error: NodeJS.ErrnoException, socket: Duplex, running: Set<ServerResponse>): void {
  const isBusy = [...running].some((res) => res.socket === socket);
  if (!socket.writable || isBusy || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const status = statusOf(error.code);
  const body = JSON.stringify({ error: STATUS_CODES[status] });
  socket.end(
    [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      'Connection: close',
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${body.length}`,
      `X-Request-Id: ${randomUUID()}`,
      '',
      body,
    ].join('\r\n'),
  );
}

function statusOf(code: string | undefined): number {
  if (code === 'HPE_HEADER_OVERFLOW') return 431;
  return code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 408 : 400;
}
