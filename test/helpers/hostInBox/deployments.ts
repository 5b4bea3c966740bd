import { once } from 'node:events';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join, normalize } from 'node:path';
import { contentType } from 'mime-types';
import type { Certificate } from '../certificates.ts';

/** A server on a port of its own. */
export interface DeploymentServer {
  /** Without a slash at its end. */
  url: string;
  close(): Promise<void>;
}

/** @param certificate serves https with it */
export async function listen(
  answer: RequestListener,
  certificate?: Certificate,
): Promise<DeploymentServer> {
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
export interface Deployment {
  /** Without a slash at its end. */
  url: string;
  /**
   * Shows the files of a folder from now on.
   * @param staleAnswers how many requests are still answered as before
   */
  show(folder: string, staleAnswers: number): void;
}

/** Addresses of branches, at two servers. */
export interface Deployments {
  /** At the root of a server of its own. */
  production: Deployment;
  /** Makes a branch's address: a folder of the previews' server, which has no page yet. */
  preview(branch: string): Deployment;
  /** With ports. */
  hosts: string[];
  close(): Promise<void>;
}

export async function startDeployments(certificate?: Certificate): Promise<Deployments> {
  const live = createFolder();
  const previews = new Map<string, Folder>();
  const servers = [
    await listen((request, response) => live.answer(request.url ?? '/', response), certificate),
    await listen((request, response) => {
      const [, branch = '', path = '/'] = /^\/([^/?]*)(\/.*)?$/.exec(request.url ?? '') ?? [];
      const preview = previews.get(decodeURIComponent(branch));
      if (preview) preview.answer(path, response);
      else response.writeHead(404).end('Not Found');
    }, certificate),
  ] as const;
  return {
    production: { ...live, url: servers[0].url },
    preview(branch) {
      const folder = createFolder();
      previews.set(branch, folder);
      return { ...folder, url: `${servers[1].url}/${encodeURIComponent(branch)}` };
    },
    hosts: servers.map(({ url }) => new URL(url).host),
    close: async () => void (await Promise.all(servers.map((server) => server.close()))),
  };
}

type Folder = ReturnType<typeof createFolder>;

/** Files that are served. */
function createFolder() {
  let [before, now]: [string | null, string | null] = [null, null];
  let stale = 0;
  return {
    show(folder: string, staleAnswers: number) {
      [before, now, stale] = [now, folder, staleAnswers];
    },
    answer(path: string, response: ServerResponse) {
      const folder = stale > 0 ? before : now;
      if (stale > 0) stale--;
      const file = folder && fileOf(folder, path);
      if (!file) return void response.writeHead(404).end('Not Found');
      const type = contentType(file.slice(file.lastIndexOf('/') + 1)) || 'application/octet-stream';
      response.writeHead(200, { 'content-type': type }).end(readFileSync(file));
    },
  };
}

/** As static hosts do: `/a` is `a`, `a.html` or `a/index.html`. */
function fileOf(folder: string, url: string): string | undefined {
  const path = normalize(decodeURIComponent(url.split('?')[0]!));
  const named = [path, `${path}.html`, join(path, 'index.html')].map((name) => join(folder, name));
  return named.find((file) => existsSync(file) && statSync(file).isFile());
}
