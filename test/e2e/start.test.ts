import { expect } from 'chai';
import { chmodSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../helpers/database.ts';
import { launchService, type Service, startService } from '../helpers/service.ts';
import { followEvents, namesIn } from '../helpers/streams.ts';
import { citiesBody, removeTeamSites, TeamSite } from '../helpers/team/site.ts';
import { until } from '../helpers/until.ts';
import { outputOf } from '../helpers/views.ts';

describe('the start of the service', function () {
  this.timeout(180_000);
  describe('with an empty data folder that all users may read', () => {
    let service: Service;
    const empty = temporaryFolder();
    before(async () => {
      chmodSync(empty.path, 0o755);
      service = await startService({ dataDir: empty.path });
    });
    after(async () => {
      await service?.end();
      empty.remove();
      removeTeamSites();
    });
    afterEach(function () {
      if (this.currentTest?.isFailed()) console.error(service.launched.log());
    });

    it('creates everything, prints each start-up phase on a line, and is ready', async () => {
      const steps = service.launched.stderr.split('\n').filter(Boolean);
      expect(steps[0]).to.equal(`Opening the database in ${service.dataDir}`);
      expect(steps[1]).to.equal('Starting the Temporal server');
      expect(steps[2]).to.match(/^Temporal CLI: \/\S+ \(.+\)$/);
      expect(steps.slice(3, 5)).to.deep.equal(['Preparing the demo sites', 'Starting the worker']);
      expect(steps[5]).to.equal(`Ready: ${service.demo.baseUrl}`);
      expect(steps[6]).to.equal(
        `Temporal UI: ${service.demo.temporalUiUrl}/namespaces/agent-tasks/workflows`,
      );
      expect(steps[7]).to.equal(`Reference: http://localhost:${service.port}/docs`);
      expect((await service.request('GET', '/docs')).status).to.equal(200);
      const ready = await service.request('GET', '/readyz');
      expect(ready.status).to.equal(200);
      expect(ready.json).to.deep.equal({
        status: 'ready',
        checks: {
          database: true,
          disk: true,
          temporal: true,
          worker: true,
          searchAttributes: true,
        },
      });
    });

    it('has two live sites: one in HTML, and one in Markdown', async () => {
      const { json } = await service.request('GET', '/api/v1/sites');
      const sites = json.sites as { name: string; liveUrl: string }[];
      expect(sites.map(({ name }) => name)).to.deep.equal(['Northwind', 'Northwind notes']);
      const [first, notes] = sites;
      expect((await service.request('GET', first!.liveUrl)).text).to.include('Northwind Studio');
      const { status, headers } = await service.request('GET', notes!.liveUrl);
      expect({ status, location: headers['location'] }).to.deep.equal({
        status: 302,
        location: '/content/',
      });
    });

    it('prints no warning', () => {
      const lines = service.launched.stdout.trimEnd().split('\n');
      const levels = lines.map((line) => (JSON.parse(line) as { level: string }).level);
      expect(new Set(levels), service.launched.stdout).to.deep.equal(new Set(['info']));
    });

    it('keeps nothing in memory of what bundles the workflows', () => {
      expect(readFileSync(`/proc/${service.launched.pid}/maps`, 'utf8')).to.not.contain('swc');
    });

    it('closes the folder to other users', () => {
      expect(statSync(service.dataDir).mode & 0o777).to.equal(0o700);
    });

    it('describes the API at its own URL', async () => {
      const { json } = await service.request(
        'GET',
        new URL('openapi.json', `${service.demo.baseUrl}/`).href,
      );
      expect(json.servers).to.deep.equal([{ url: service.demo.baseUrl }]);
    });

    it('writes demo.json with the documented fields, readable only by its owner', async () => {
      const file = join(service.dataDir, 'demo.json');
      expect(statSync(file).mode & 0o777).to.equal(0o600);
      const demo = JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>;
      expect(Object.keys(demo)).to.have.members([
        'baseUrl',
        'apiKey',
        'organizationId',
        'siteId',
        'temporalUiUrl',
      ]);
      expect(demo.baseUrl).to.equal(`http://localhost:${service.port}/api/v1`);
      expect(demo.apiKey).to.match(/^ak_[0-9A-Za-z]{46}$/);
      expect(demo.siteId).to.match(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
      expect(demo.temporalUiUrl).to.match(/^http:\/\/127\.0\.0\.1:\d+$/);
      const ui = await fetch(demo.temporalUiUrl!);
      expect(ui.status).to.equal(200);
      await ui.text();
    });

    it("prints a link with which the demo organization's owner creates an account once, who can create an API key", async () => {
      const token = /\/welcome#token=([\w-]{43})$/m.exec(service.launched.stderr)![1]!;
      const origin = `http://localhost:${service.port}`;
      const post = (path: string, body: object, cookie = '') =>
        service.request('POST', origin + path, {
          headers: { origin, 'content-type': 'application/json', cookie },
          body: JSON.stringify(body),
        });
      const check = await post('/account/link/check', { token });
      expect(check.json).to.deep.equal({ purpose: 'first-owner' });
      const owner = {
        name: 'Olive',
        email: 'olive@example.com',
        password: 'four plain words here',
      };
      for (const lacking of Object.keys(owner))
        expect(
          (await post('/account/link', { token, ...owner, [lacking]: undefined })).status,
        ).to.equal(400);
      const { status, headers } = await post('/account/link', { token, ...owner });
      expect(status).to.equal(200);
      const cookie = [headers['set-cookie'] ?? []].flat()[0]!.split(';')[0]!;
      const { organizationId, siteId } = service.demo;
      const account = await service.request('GET', `${origin}/account`, { headers: { cookie } });
      expect(account.json.organizations).to.deep.equal([
        { organizationId, name: 'Demo', role: 'owner' },
      ]);
      const { json } = await post('/account/key', { organizationId }, cookie);
      const bearer = { authorization: `Bearer ${json.apiKey}` };
      const sites = await service.request('GET', `${origin}/api/v1/sites`, { headers: bearer });
      expect(sites.json.sites[0].siteId).to.equal(siteId);
      expect((await post('/account/link', { token, ...owner })).status).to.equal(404);
      expect(service.launched.stdout).to.not.include(token);
    });

    it('refuses a second service on the same data folder in one line that says what to do, and continues', async () => {
      const second = launchService({ dataDir: service.dataDir });
      await until('the end of the second service', () => second.hasEnded());
      expect(await second.ended).to.deep.equal({ code: 1, signal: null });
      expect(second.stderr.trimEnd().split('\n').slice(1)).to.deep.equal([
        `DATA_DIR ${service.dataDir} is in use by another process (pid ${service.launched.pid}): stop that process, or choose another DATA_DIR`,
      ]);
      expect((await service.request('GET', '/readyz')).status).to.equal(200);
    });

    it('prints a request that works when it is pasted', async () => {
      const [, url, key, body] = /curl -s (\S+) [^]*?Bearer (\S+)'[^]*?-d '([^']+)'/.exec(
        service.launched.stderr,
      )!;
      const created = await service.request('POST', new URL(url!).pathname, {
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: body!,
      });
      expect(created.status, created.text).to.equal(200);
      const page = outputOf(await service.waitForTask(created.json.taskId as string))
        .pagesCreated[0]!;
      const preview = await service.request('GET', page.previewUrl!);
      expect(preview.status).to.equal(200);
      expect(preview.text).to.contain('Lisbon');
    });

    describe('when it is stopped', () => {
      it('ends the streams of running tasks at once', async () => {
        const slow = await TeamSite.register(service, 'stopping');
        const gate = slow.gate('refs/agent-tasks/');
        const taskId = await slow.create(citiesBody(['Faro']));
        const following = followEvents(service, taskId);
        await gate.arrived();
        await until('a stream', () => namesIn(following.text).length > 0);
        const stopped = service.stop();
        await until('the end of the stream', () => following.hasEnded);
        gate.open();
        expect(namesIn(following.text)).to.not.include('done');
        expect((await stopped).code).to.equal(0);
      });
    });
  });
});
