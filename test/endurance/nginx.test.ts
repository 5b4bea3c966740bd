// Takes long: a service of its own behind nginx.
import { expect } from 'chai';
import { readFileSync } from 'node:fs';
import { request as plain } from 'node:http';
import { request as secure } from 'node:https';
import { join } from 'node:path';
import { bodyTooLarge } from '../../src/api/middleware/body.ts';
import { limits } from '../../src/contract/task.ts';
import type { DemoFile } from '../../src/demo/demoFile.ts';
import { createAuthority } from '../helpers/certificates.ts';
import { blocks } from '../helpers/documents.ts';
import { type Nginx, startNginx } from '../helpers/nginx.ts';
import { answerOf } from '../helpers/operator.ts';
import { freePort } from '../helpers/ports.ts';
import { needProgram } from '../helpers/programs.ts';
import { endServices, launchService, READY_WITHIN_MS, Service } from '../helpers/service.ts';
import { namesIn } from '../helpers/streams.ts';
import { citiesBody, removeTeamSites, TeamSite } from '../helpers/team/site.ts';
import { until } from '../helpers/until.ts';
import { outputOf } from '../helpers/views.ts';

/** Wrong keys that one address may send in a minute. */
const WRONG_KEYS = 30;
const names = ['api.example.com', '*.acme-sites.example', '*.acme-previews.example'];
const [apiHost] = names as [string];

/** The settings that docs/deployment.md gives a service behind nginx. */
const shown = Object.fromEntries(
  [...blocks('docs/deployment.md', 'sh', /TRUST_PROXY/)[0]!.matchAll(/(\w+)=(\S+)/g)].map(
    ([, name, value]) => [name!, value!],
  ),
);
const { TRUST_PROXY, PUBLIC_URL, SITES_DOMAIN, PREVIEW_DOMAIN } = shown;

interface ProxyRequest {
  /** The client's own address: any of 127.0.0.0/8 is this machine's. */
  from?: string;
  host?: string;
  method?: string;
  headers?: Record<string, string | string[]>;
  body?: string;
}

describe("the service behind docs/deployment.md's nginx", function () {
  this.timeout(180_000);
  let nginx: Nginx;
  let service: Service;
  let site: TeamSite;
  let ca: string;

  before(async function () {
    needProgram(this, 'nginx');
    const port = await freePort();
    const settings = { TRUST_PROXY, PUBLIC_URL, SITES_DOMAIN, PREVIEW_DOMAIN, PORT: String(port) };
    const launched = launchService({ env: settings });
    await launched.ready(READY_WITHIN_MS);
    const demo = JSON.parse(readFileSync(join(launched.dataDir, 'demo.json'), 'utf8')) as DemoFile;
    service = new Service(
      launched.dataDir,
      { ...demo, baseUrl: `http://localhost:${port}/api/v1` },
      launched,
    );
    site = await TeamSite.register(service, 'acme');
    const authority = await createAuthority();
    ({ ca } = authority);
    nginx = await startNginx(port, await authority.issue({ dns: names }));
  });
  after(async function () {
    await nginx?.stop();
    await endServices(this.currentTest);
    removeTeamSites();
  });

  /** Sends a request. @param onText called with all that has arrived so far */
  function send(
    { port, isSecure }: { port: number; isSecure: boolean },
    path: string,
    { from = '127.0.0.1', host = apiHost, method = 'GET', headers = {}, body }: ProxyRequest,
    onText: (text: string) => void = () => undefined,
  ): Promise<{ status: number; text: string }> {
    const { promise, resolve, reject } = Promise.withResolvers<{ status: number; text: string }>();
    const options = { host: '127.0.0.1', port, localAddress: from, path, method, agent: false };
    const all = {
      ...options,
      headers: { host, ...headers },
      ...(isSecure && { ca, servername: host }),
    };
    const request = (isSecure ? secure : plain)(all, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => onText((text += chunk)));
      response.on('end', () => resolve({ status: response.statusCode!, text }));
    });
    request.on('error', reject).end(body);
    return promise;
  }
  const through = (path: string, asked: ProxyRequest = {}, onText?: (text: string) => void) =>
    send({ port: nginx.port, isSecure: true }, path, asked, onText);
  const directly = (path: string, asked: ProxyRequest = {}) =>
    send({ port: service.port, isSecure: false }, path, asked);
  const withKey = (headers: Record<string, string> = {}) => ({
    headers: {
      authorization: `Bearer ${service.demo.apiKey}`,
      'content-type': 'application/json',
      ...headers,
    },
  });

  it('answers for the API, for sites and for previews', async () => {
    const body = JSON.stringify({ siteId: site.siteId, ...citiesBody(['Rome']) });
    const created = await through('/api/v1/agent/tasks', { method: 'POST', ...withKey(), body });
    expect(created.status, created.text).to.equal(200);
    const { taskId } = JSON.parse(created.text) as { taskId: string };
    const [page] = outputOf(await service.waitForTask(taskId)).pagesCreated;
    const { host, pathname } = new URL(page!.previewUrl!);
    expect(host).to.equal(`${taskId}--acme.${PREVIEW_DOMAIN}`);
    const preview = await through(pathname, { host });
    expect([preview.status, preview.text.includes('Rome')]).to.deep.equal([200, true]);
    const live = await through('/', { host: `acme.${SITES_DOMAIN}` });
    expect([live.status, live.text.slice(0, 15).toLowerCase()]).to.deep.equal([
      200,
      '<!doctype html>',
    ]);
    expect((await through('/sign-in')).status).to.equal(200);
    expect((await through('/', { headers: { host: 'evil.example' } })).status).to.equal(421);
  });

  it('passes events on as they happen', async () => {
    const held = site.gate('refs/agent-tasks/');
    const taskId = await site.create(citiesBody(['Paris']));
    await held.arrived();
    let text = '';
    const path = `/api/v1/agent/tasks/${taskId}/events`;
    const ended = through(path, withKey(), (so) => (text = so));
    await until('the first event of a running task', () => namesIn(text).length > 0);
    expect(namesIn(text)).to.not.include('done');
    held.open();
    expect(namesIn((await ended).text).at(-1)).to.equal('done');
  });

  it('accepts bodies of 2 MB, and lets the service reject larger ones', async () => {
    const post = (prompt: string) =>
      through('/api/v1/agent/tasks', {
        method: 'POST',
        ...withKey(),
        body: JSON.stringify({ prompt }),
      });
    const taken = await post('x'.repeat(limits.bodyBytes - 100));
    expect([taken.status, Object.keys(JSON.parse(taken.text) as object)]).to.deep.equal([
      400,
      ['error'],
    ]);
    const refused = await post('x'.repeat(limits.bodyBytes + 500_000));
    const error = bodyTooLarge(limits.bodyBytes);
    expect([refused.status, JSON.parse(refused.text)]).to.deep.equal([413, { error }]);
  });

  it("tells the service the client's IP address", async () => {
    const from = '127.0.7.7';
    const body = JSON.stringify({ name: 'nginx', role: 'viewer' });
    const forged = withKey({
      'x-forwarded-for': '192.0.2.1',
      forwarded: 'for=192.0.2.2',
      'x-real-ip': '192.0.2.3',
    });
    const owner = await ownersKey();
    const headers = { ...forged.headers, authorization: `Bearer ${owner}` };
    expect(
      (await through('/api/v1/keys', { from, method: 'POST', headers, body })).status,
    ).to.equal(201);
    const { text } = await through('/api/v1/audit', { headers });
    const [entry] = (JSON.parse(text) as { entries: { action: string; address: string }[] })
      .entries;
    expect(entry).to.include({ action: 'key.create', address: from });
  });

  const forgeries: [string, (n: number) => Record<string, string | string[]>][] = [
    ['several addresses', (n) => ({ 'x-forwarded-for': `10.0.0.1, 192.0.2.${n}, 127.0.0.1` })],
    ['an empty item at the end', (n) => ({ 'x-forwarded-for': `192.0.2.${n}, ` })],
    ['Forwarded', (n) => ({ forwarded: `for=192.0.2.${n};host=x;proto=http` })],
  ];
  for (const [title, way] of [
    ['nginx', 0],
    ['the port itself', 1],
  ] as const)
    forgeries.forEach(([what, forged], row) => {
      it(`counts wrong keys by the client's IP address although it forges ${what}, for ${title}`, async () => {
        const ask = way === 0 ? through : directly;
        const statuses: number[] = [];
        for (let n = 0; n <= WRONG_KEYS; n++) {
          const headers = { authorization: 'Bearer ak_wrong', ...forged(n) };
          statuses.push(
            (await ask('/api/v1/keys', { from: `127.${way + 1}.0.${row + 2}`, headers })).status,
          );
        }
        expect(statuses).to.deep.equal([...Array<number>(WRONG_KEYS).fill(401), 429]);
        const other = {
          from: `127.${way + 1}.1.${row + 2}`,
          headers: { authorization: 'Bearer ak_wrong' },
        };
        expect((await ask('/api/v1/keys', other)).status).to.equal(401);
      });
    });

  /** The key of an owner, who may see the audit. */
  async function ownersKey(): Promise<string> {
    const owner = [
      '--organization',
      service.demo.organizationId,
      '--role',
      'owner',
      '--name',
      'owner',
    ];
    return (await answerOf(service.dataDir, 'key', 'create', ...owner)).apiKey as string;
  }
});
