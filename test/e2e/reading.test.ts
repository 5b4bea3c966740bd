import { expect } from 'chai';
import { execFileSync } from 'node:child_process';
import type { PageDiff } from '../../src/sites/pages/siteDiff.ts';
import { endServices, type Reply, type Service, sharedService } from '../helpers/service.ts';
import { followEvents, namesIn } from '../helpers/streams.ts';
import { git } from '../helpers/team/git.ts';
import { citiesBody, removeTeamSites, TeamSite } from '../helpers/team/site.ts';
import { until } from '../helpers/until.ts';
import { specified } from '../helpers/views.ts';

describe('reading what tasks do, on a running service', function () {
  this.timeout(180_000);
  let service: Service;
  let site: TeamSite;
  before(async () => {
    service = await sharedService();
    site = await TeamSite.register(service, 'reading');
  });
  after(async function () {
    await endServices(this.currentTest);
    removeTeamSites();
  });

  const get = (path: string, headers = {}): Promise<Reply> =>
    service.request('GET', `/api/v1${path}`, { headers });

  const follow = (taskId: string) => followEvents(service, taskId);

  describe('a task', () => {
    let taskId: string;
    let followed: string;

    before(async () => {
      const gate = site.gate('refs/agent-tasks/');
      taskId = await site.create(citiesBody(['Lisbon', 'Porto']));
      const following = follow(taskId);
      await gate.arrived();
      await until('the events up to the gate', () =>
        following.text.includes('"phase":"committing"'),
      );
      expect(namesIn(following.text)).to.not.include('done');
      gate.open();
      await until('the end of the stream', () => following.hasEnded);
      followed = following.text;
    });

    it('can be followed event by event up to its status view', async () => {
      const names = namesIn(followed);
      expect(names[0]).to.equal('status');
      expect(names.slice(-4)).to.deep.equal(['page', 'page', 'status', 'done']);
      const ids = [...followed.matchAll(/^id: (.*)$/gm)].map(([, id]) => Number(id));
      expect(ids).to.deep.equal(ids.map((_, i) => i + 1));
      const last = /event: done\ndata: (.*)/.exec(followed)![1]!;
      expect(JSON.parse(last)).to.deep.equal(specified(await service.readTask(taskId)));
      const pages = [...followed.matchAll(/event: page\ndata: (.*)/g)].map(
        ([, data]) => JSON.parse(data!) as { slug: string },
      );
      expect(pages.map(({ slug }) => slug)).to.deep.equal([
        '/locations/lisbon',
        '/locations/porto',
      ]);
    });

    it('has a diff that turns its base into its commit, and that names the texts of each page', async () => {
      const { status, json } = await get(`/agent/tasks/${taskId}/diff`);
      expect([status, json.base]).to.deep.equal([200, site.head()]);
      git(site.clone, 'fetch', '-q', 'origin', json.base as string, json.commit as string);
      git(site.clone, 'checkout', '-q', json.base as string);
      execFileSync('git', ['apply', '--index'], { cwd: site.clone, input: json.patch as string });
      const tree = git(site.clone, 'write-tree');
      expect(tree).to.equal(git(site.clone, 'rev-parse', `${json.commit}^{tree}`));
      const [page] = json.pages;
      expect(json.pages).to.have.lengthOf(2);
      expect(page).to.include({
        slug: '/locations/lisbon',
        change: 'created',
        template: '/locations/austin',
      });
      const headline = {
        role: 'heading',
        section: null,
        before: 'Web design in Austin',
        after: 'Web design in Lisbon that works',
      };
      expect(page.texts).to.deep.include(headline);
    });

    it('shows the texts before and after a prompt task', async () => {
      const view = await site.run({
        prompt: 'Change the headline of /pricing to "Prices that fit on one page"',
      });
      const { json } = await get(`/agent/tasks/${view.taskId}/diff`);
      const [page, ...others] = json.pages as PageDiff[];
      expect([page!.slug, page!.change, others]).to.deep.equal(['/pricing', 'modified', []]);
      const changed = page!.texts.find(({ role }) => role === 'heading')!;
      expect(changed.after).to.equal('Prices that fit on one page');
      expect(site.source('pricing.html')).to.include(`>${changed.before}<`);
    });
  });
});
