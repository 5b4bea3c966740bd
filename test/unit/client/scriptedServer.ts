import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { AgentTasks, type Settings } from '../../../client/src/index.ts';

export interface ClientRequest {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

/** Answers the n-th request, counted from 0. */
export type Script = (response: ServerResponse, n: number, asked: ClientRequest) => void;

/** Ends a response with JSON. */
export function json(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'Content-Type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
}

/** A server on 127.0.0.1 that answers as a test says, and a client of it. */
export async function startScripted(script: Script) {
  const asked: ClientRequest[] = [];
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const { method = '', url: path = '', headers } = request;
      const one = { method, path, headers, body };
      asked.push(one);
      script(response, asked.length - 1, one);
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    asked,
    baseUrl,
    client: (settings: Partial<Settings> = {}) =>
      new AgentTasks({ apiKey: 'ats_key', baseUrl, ...settings }),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

export type ScriptedServer = Awaited<ReturnType<typeof startScripted>>;
