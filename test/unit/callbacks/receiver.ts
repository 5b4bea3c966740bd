import { once } from 'node:events';
import type { IncomingMessage, RequestListener } from 'node:http';
import { createServer, type ServerOptions } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { Certificate } from '../../helpers/certificates.ts';

export interface ReceivedCallback {
  method: string;
  path: string;
  headers: IncomingMessage['headers'];
  body: string;
}

export interface Receiver extends AsyncDisposable {
  port: number;
  /** Every request whose body arrived whole. */
  received: ReceivedCallback[];
  /** TCP connections that were opened, whatever came of them. */
  connections: Socket[];
}

/**
 * A real HTTPS server on 127.0.0.1 that records each request and then gives the configured answer.
 */
export async function startReceiver(
  certificate: Certificate,
  answer: RequestListener,
  options: ServerOptions = {},
): Promise<Receiver> {
  const received: ReceivedCallback[] = [];
  const connections: Socket[] = [];
  const server = createServer({ ...options, ...certificate }, (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url: path = '', headers } = request;
      received.push({ method, path, headers, body: Buffer.concat(chunks).toString() });
      answer(request, response);
    });
  });
  server.on('connection', (socket: Socket) => {
    connections.push(socket);
    socket.on('error', () => {});
  });
  server.on('tlsClientError', () => {});
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    received,
    connections,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      connections.forEach((socket) => socket.destroy());
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
