import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { Certificate } from '../certificates.ts';
import { testLauncher } from '../launcher.ts';

/**
 * Serves the repositories of a folder over https by git's own `http-backend`; `answer` may take a
 * request first.
 */
export async function serveHttps(
  folder: string,
  certificate: Certificate,
  answer: (request: IncomingMessage, response: ServerResponse) => boolean = () => false,
) {
  const server = createServer(certificate, (request, response) => {
    if (!answer(request, response))
      backend(folder, request, response).catch(() => response.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const close = async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  };
  return { url: `https://127.0.0.1:${port}`, close };
}

/** One request as a CGI call (RFC 3875). */
async function backend(folder: string, request: IncomingMessage, response: ServerResponse) {
  const [path = '', query = ''] = (request.url ?? '').split('?');
  const outcome = await testLauncher.run({
    program: 'git',
    args: ['http-backend'],
    input: await buffer(request),
    timeout: 120_000,
    maxBytes: 1024 ** 3,
    env: {
      PATH: process.env.PATH,
      GIT_PROJECT_ROOT: folder,
      GIT_HTTP_EXPORT_ALL: '1',
      GIT_PROTOCOL: request.headers['git-protocol']?.toString(),
      REMOTE_USER: 'team',
      REQUEST_METHOD: request.method,
      PATH_INFO: decodeURIComponent(path),
      QUERY_STRING: query,
      CONTENT_TYPE: request.headers['content-type'],
      CONTENT_LENGTH: request.headers['content-length'],
      HTTP_CONTENT_ENCODING: request.headers['content-encoding'],
    },
  });
  const output = 'stdout' in outcome ? outcome.stdout : Buffer.alloc(0);
  const end = output.indexOf('\r\n\r\n');
  const headers = output
    .toString('latin1', 0, end)
    .split('\r\n')
    .map((line) => line.split(/: (.*)/).slice(0, 2));
  const { Status: status = '200', ...others } = Object.fromEntries(headers) as Record<
    string,
    string
  >;
  response.writeHead(Number.parseInt(status), others).end(output.subarray(end + 4));
}
