import { once } from 'node:events';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join, normalize } from 'node:path';
import { contentType } from 'mime-types';
import type { Certificate } from '../certificates.ts';

/** A server on a port of its own. */
export interface Listening {
  /** Without a slash at its end. */
  url: string;
  close(): Promise<void>;
}

/** @param certificate serves https with it */
export async function listen(
  answer: RequestListener,
  certificate?: Certificate,
): Promise<Listening> {
  const server: Server = certificate
    ? createSecureServer(certificate, answer)
    : createServer(answer);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `${certificate ? 'https' : 'http'}://127.0.0.1:${port}`,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** What a branch's address shows. */
export interface Deployment extends Listening {
  /**
   * Shows the files of a folder from now on.
   * @param staleAnswers how many requests are still answered as before
   */
  show(folder: string, staleAnswers: number): void;
}

/** A server for one branch, which has no page yet. */
export async function createDeployment(certificate?: Certificate): Promise<Deployment> {
  let [before, now]: [string | null, string | null] = [null, null];
  let stale = 0;
  const listening = await listen((request, response) => {
    const folder = stale > 0 ? before : now;
    if (stale > 0) stale--;
    const file = folder && fileOf(folder, request.url ?? '/');
    if (!file) return void response.writeHead(404).end('Not Found');
    const type = contentType(file.slice(file.lastIndexOf('/') + 1)) || 'application/octet-stream';
    response.writeHead(200, { 'content-type': type }).end(readFileSync(file));
  }, certificate);
  return {
    ...listening,
    show(folder, staleAnswers) {
      [before, now, stale] = [now, folder, staleAnswers];
    },
  };
}

/** As static hosts do: `/a` is `a`, `a.html` or `a/index.html`. */
function fileOf(folder: string, url: string): string | undefined {
  const path = normalize(decodeURIComponent(url.split('?')[0]!));
  const named = [path, `${path}.html`, join(path, 'index.html')].map((name) => join(folder, name));
  return named.find((file) => existsSync(file) && statSync(file).isFile());
}
