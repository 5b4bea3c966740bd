import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type Koa from 'koa';
import type { ApiState } from './context.ts';
import { codeOfStatus, ERROR_FIELD, errorField } from './errorField.ts';
import { listenAddresses, openServers } from './openServers.ts';

/** Milliseconds that a client may continue to send a body after the response was sent. */
const lingerMs = 2_000;

const timeouts = {
  headersTimeout: 10_000,
  requestTimeout: 60_000,
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 2_000,
  maxHeaderSize: 16_384,
};

/** Milliseconds within which a client must accept some data of its response. */
const STALL_MS = 30_000;

export interface RunningServer {
  /** The port in use. For 0, the one that the system chose. */
  port: number;
  /**
   * Accepts no new requests, and lets running ones finish for at most `graceMs` milliseconds. Then
   * it closes their connections.
   */
  close(graceMs: number): Promise<void>;
}

/**
 * Serves the app over HTTP. Slow clients are disconnected, and closing lets requests finish.
 * @param wantedPort the port; 0 for any free one
 * @param options.host the IP address to listen on, or `localhost` for 127.0.0.1 and ::1, as far as
 *   the system has them
 * @param options.stallMs milliseconds within which a client must accept some data of its response
 * @throws the server's own error, e.g. EADDRINUSE
 */
export async function serveApp(
  app: Koa<ApiState>,
  wantedPort: number,
  { host = 'localhost', stallMs = STALL_MS }: { host?: string; stallMs?: number } = {},
): Promise<RunningServer> {
  const connections = createConnections();
  const handleRequest = app.callback();
  const createAddressServer = () => createHttpServer(handleRequest, connections, stallMs);
  const { servers, port } = await openServers(
    createAddressServer,
    listenAddresses(host),
    wantedPort,
  );
  return {
    port,
    async close(graceMs) {
      await Promise.all(servers.map((server) => closeServer(server, connections, graceMs)));
    },
  };
}

/** A server for one address. */
function createHttpServer(
  handleRequest: ReturnType<Koa<ApiState>['callback']>,
  connections: OpenConnections,
  stallMs: number,
): Server {
  // Koa answers requests without a Host itself, as JSON.
  const server = createServer({ ...timeouts, requireHostHeader: false });
  const onRequest = (req: IncomingMessage, res: ServerResponse) => {
    trackResponse(server, connections, req, res);
    void handleRequest(req, res);
  };
  server.on('connection', (socket) => connections.open(socket));
  server.on('request', onRequest);
  server.on('checkExpectation', onRequest);
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    answerBadRequest(error, socket, connections.isAnswering(socket));
  });
  server.setTimeout(stallMs);
  server.on('timeout', (socket: Socket) => {
    if (!connections.isAnswering(socket) || socket.writableLength > 0) socket.destroy();
  });
  return server;
}

function trackResponse(
  server: Server,
  connections: OpenConnections,
  req: IncomingMessage,
  res: ServerResponse,
): void {
  const { socket } = req;
  connections.add(socket, res);
  if (!server.listening) res.setHeader('Connection', 'close');
  res.once('finish', () => {
    if (!req.complete) discardBody(req);
  });
  res.once('close', () => {
    if (!server.listening && !connections.isAnswering(socket)) socket.end();
  });
}

/**
 * Reads and discards the rest of a request's body for two seconds. Closing at once would reset the
 * connection, and a client that is still sending could lose the response (RFC 9112, 9.6).
 */
function discardBody(req: IncomingMessage): void {
  req.resume();
  setTimeout(() => req.complete || req.socket.destroy(), lingerMs).unref();
}

async function closeServer(
  server: Server,
  connections: OpenConnections,
  graceMs: number,
): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  connections.endIdle();
  const cutTimer = setTimeout(() => server.closeAllConnections(), graceMs);
  await closed;
  clearTimeout(cutTimer);
}

/**
 * Answers input that is not valid HTTP, and therefore never reaches Koa. Sends nothing if the
 * connection is already sending a response.
 */
function answerBadRequest(
  error: NodeJS.ErrnoException,
  socket: Duplex,
  isAnswering: boolean,
): void {
  if (!socket.writable || isAnswering || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const status = badRequestStatus(error.code);
  const body = JSON.stringify({ error: STATUS_CODES[status] });
  socket.end(
    [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      'Connection: close',
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${body.length}`,
      `X-Request-Id: ${randomUUID()}`,
      `${ERROR_FIELD}: ${errorField(codeOfStatus(status))}`,
      '',
      body,
    ].join('\r\n'),
  );
}

function badRequestStatus(code: string | undefined): number {
  if (code === 'HPE_HEADER_OVERFLOW') return 431;
  return code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 408 : 400;
}

interface OpenConnections {
  open(socket: Duplex): void;
  /** Tracks a response until it is fully sent or its connection closes. */
  add(socket: Duplex, res: ServerResponse): void;
  isAnswering(socket: Duplex): boolean;
  /** Closes idle connections. Others close after their last response. */
  endIdle(): void;
}

/**
 * Tracks the open connections of a server, and the unfinished responses of each in their order: a
 * client may send requests before it has the earlier responses (RFC 9112, 9.3.2).
 */
function createConnections(): OpenConnections {
  const responsesBySocket = new Map<Duplex, ServerResponse[]>();
  return {
    open(socket) {
      responsesBySocket.set(socket, []);
      socket.once('close', () => responsesBySocket.delete(socket));
    },
    add(socket, res) {
      const openResponses = responsesBySocket.get(socket);
      openResponses?.push(res);
      res.once('close', () => openResponses?.shift());
    },
    isAnswering: (socket) => Boolean(responsesBySocket.get(socket)?.length),
    endIdle() {
      for (const [socket, openResponses] of responsesBySocket) {
        const lastResponse = openResponses.at(-1);
        if (!lastResponse) socket.destroy();
        else if (!lastResponse.headersSent) lastResponse.setHeader('Connection', 'close');
      }
    },
  };
}
