import type { IncomingHttpHeaders } from 'node:http';
import { text } from 'node:stream/consumers';
import { Agent, request as send } from 'undici';
import type { Authority } from '../certificates.ts';
import { listen } from '../hostInBox/deployments.ts';
import type { Gitea } from './gitea.ts';

const asked = ['authorization', 'accept', 'content-type', 'if-none-match'];
const answered = ['content-type', 'etag', 'link'];

/** Gitea's API at another port, where its answers can be held. */
export interface AnswerGate {
  apiUrl: string;
  /**
   * Keeps the next answer of success to such a request from its caller, for good.
   * @param route matches such as `POST /api/v1/repos/team/site/pulls`
   * @returns resolves once Gitea has done what was asked
   */
  hold(route: RegExp): Promise<void>;
  close(): Promise<void>;
}

/** Starts a proxy before Gitea that serves https, with a certificate of the authority. */
export async function startAnswerGate(gitea: Gitea, authority: Authority): Promise<AnswerGate> {
  const dispatcher = new Agent({ connect: { ca: authority.ca } });
  let held: { route: RegExp; done: () => void } | undefined;
  const server = await listen(
    (request, response) => {
      const { method = 'GET', url = '/' } = request;
      const forward = async () => {
        const { statusCode, headers, body } = await send(gitea.url + url, {
          dispatcher,
          method,
          headers: only(asked, request.headers),
          body: method === 'GET' ? null : await text(request),
        });
        const answer = await body.text();
        if (statusCode < 300 && held?.route.test(`${method} ${url}`)) {
          held.done();
          held = undefined;
        } else response.writeHead(statusCode, only(answered, headers)).end(answer);
      };
      forward().catch(() => response.destroy());
    },
    await authority.issue({ ip: ['127.0.0.1'] }),
  );
  return {
    apiUrl: `${server.url}/api/v1`,
    hold: (route) => new Promise((done) => (held = { route, done })),
    async close() {
      await server.close();
      await dispatcher.close();
    },
  };
}

const only = (names: string[], headers: IncomingHttpHeaders) =>
  Object.fromEntries(
    names.flatMap((name) => (headers[name] === undefined ? [] : [[name, String(headers[name])]])),
  );
