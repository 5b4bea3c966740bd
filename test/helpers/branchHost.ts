import { once } from 'node:events';
import type { IncomingHttpHeaders } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Certificate } from './certificates.ts';
import { git } from './team/git.ts';

/** A host that shows each branch of a repository at `<url>/<branch>`, and reports nothing. */
export interface BranchHost {
  url: string;
  /** With the port. */
  host: string;
  /** What came, the oldest first. */
  asked: { path: string; headers: IncomingHttpHeaders }[];
  close(): Promise<void>;
}

/**
 * @param repository a bare one
 * @param options.login where requests are redirected to that lack the header field, and those for
 *   pages that there are not
 */
export async function startBranchHost(
  repository: string,
  certificate: Certificate,
  { secret, login }: { secret?: { header: string; value: string }; login?: string } = {},
): Promise<BranchHost> {
  const asked: BranchHost['asked'] = [];
  const fileAt = (path: string) => {
    const [, branch, file] = /^\/([\w-]+)\/(.+)$/.exec(path) ?? [];
    try {
      return git(repository, 'show', `refs/heads/${branch}:${file}`);
    } catch {
      return undefined;
    }
  };
  const server = createServer(certificate, ({ url = '', headers }, response) => {
    asked.push({ path: url, headers });
    const isIn = secret === undefined || headers[secret.header] === secret.value;
    const file = isIn ? fileAt(url.endsWith('/') ? `${url}index.html` : url) : undefined;
    if (file !== undefined) response.writeHead(200, { 'content-type': 'text/html' }).end(file);
    else if (login === undefined) response.writeHead(404).end('Nothing is here');
    else response.writeHead(302, { location: login }).end();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: `https://${host}`,
    host,
    asked,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
