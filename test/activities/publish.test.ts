import { CancelledFailure } from '@temporalio/activity';
import { MockActivityEnvironment } from '@temporalio/testing';
import { expect } from 'chai';
import { writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { deployAtOnce } from '../../activities/deployAtOnce.ts';
import type { Activities } from '../../activities/index.ts';
import { createLogger } from '../../src/log.ts';
import { DomainError } from '../../src/errors.ts';
import type { Hosting } from '../../src/hosting/hosting.ts';
import { cityItem, commitPages, failed, followPrompt, silent, TaskSite, writePages } from '../helpers/activities.ts';
import { git } from '../unit/sites/git/remotes.ts';

const silentLog = createLogger('silent');

describe('publish and the deployments', function () {
  this.timeout(180_000);
  let site: TaskSite;
  before(async () => void (site = await TaskSite.create()));
  after(() => site?.remove());
  const commits = () => Number(git(site.workplace.remote, 'rev-list', '--count', 'main'));
  const commit = (city: string, worker: Activities = site.worker()) =>
    commitPages(worker, site.task(), [cityItem(city)]);

  describe('publish', () => {
    it('repeated, merges nothing a second time, and gives the same commit', async () => {
      const done = await commit('Lisbon');
      const first = await site.worker().publish(done);
      const count = commits();
      expect(await site.worker().publish(done)).to.deep.equal(first);
      expect(await site.worker('elsewhere').publish(done)).to.deep.equal(first);
      expect(commits()).to.equal(count);
      expect(site.workplace.head()).to.equal(first.commit);
    });

    it('repeated after somebody else pushed on top, gives their head, which has the same content of the page', async () => {
      const done = await commit('Porto');
      await site.workplace.push({ 'news.html': '<h1>News</h1>' });
      const first = await site.worker().publish(done);
      const head = await site.workplace.push({ 'more.html': '<h1>More</h1>' });
      const count = commits();
      expect(await site.worker().publish(done)).to.include({ commit: head });
      expect(commits()).to.equal(count);
      for (const path of ['locations/porto.html', 'sitemap.xml', 'news.html'])
        expect(site.workplace.show(path, head)).to.equal(site.workplace.show(path, first.commit));
    });

    it('keeps every page of two tasks, and of others, in one sitemap with the dates of the tasks', async () => {
      const worker = site.worker();
      const [one, two] = [await commit('Madrid'), await commit('Bilbao')];
      const sitemap = site.workplace.show('sitemap.xml').replace('</urlset>', '  <!-- by hand -->\n</urlset>');
      await site.workplace.push({ 'sitemap.xml': `${sitemap}\n` });
      await Promise.all([worker.publish(one), worker.publish(two)]);
      const published = site.workplace.show('sitemap.xml');
      for (const city of ['madrid', 'bilbao'])
        expect(published.match(new RegExp(`/locations/${city}</loc>\\s*<lastmod>2026-03-04<`, 'g'))).to.have.length(1);
      expect(published).to.include('<!-- by hand -->');
    });

    it('publishes beside a sitemap that is no text', async () => {
      const odd = await TaskSite.create();
      try {
        writeFileSync(join(odd.workplace.clone, 'sitemap.xml'), Buffer.from([0xff, 0xfe, 0x3c, 0]));
        await odd.workplace.push({});
        const worker = odd.worker();
        const done = await commitPages(worker, odd.task(), [cityItem('Lisbon')]);
        await odd.workplace.push({ 'news.html': '<h1>News</h1>' });
        await worker.publish(done);
        expect(odd.workplace.files()).to.include.members(['locations/lisbon.html', 'news.html']);
      } finally {
        await odd.remove();
      }
    });

    it('fails at once, naming the page, where somebody else changed it', async () => {
      const done = await commit('Seville');
      const head = await site.workplace.push({ 'locations/seville.html': '<h1>By hand</h1>' });
      expect(await failed(site.worker().publish(done))).to.deep.equal({
        type: 'PAGE_CHANGED',
        message: 'Page changed since the task began: /locations/seville',
        retryable: false,
      });
      expect(site.workplace.head()).to.equal(head);
    });
  });

  describe('cancelled or killed after the push arrived', () => {
    const mark = () => join(site.workplace.folder, 'arrived');

    /** Lets the remote take a push, and holds back its answer as long as the mark is there. */
    const holdAnswers = () =>
      site.workplace.hook('post-receive', `echo arrived > '${mark()}'; while [ -e '${mark()}' ]; do sleep 0.05; done`);
    const letGo = async () => {
      await rm(join(site.workplace.remote, 'hooks/post-receive'));
      await rm(mark());
    };

    /** Runs an activity until its push has arrived, then cancels it. */
    async function cancelled<A>(activity: (argument: A) => Promise<unknown>, argument: A) {
      await holdAnswers();
      const environment = new MockActivityEnvironment({}, { logger: silent });
      const outcome = environment.run(activity as (argument: unknown) => Promise<unknown>, argument).then(
        () => 'succeeded',
        (error: unknown) => error,
      );
      await site.workplace.eventually('arrived');
      environment.cancel();
      const error = await outcome;
      await letGo();
      return error;
    }

    it('commitChanges ends as cancelled, and takes its commit when it is repeated', async () => {
      const argument = await writePages(site.worker(), site.task(), [cityItem('Lyon')]);
      expect(await cancelled(site.bare().commitChanges, argument)).to.be.instanceOf(CancelledFailure);
      const refs = site.taskRefs();
      const { commit } = await site.worker().commitChanges(argument);
      expect(refs).to.include(`refs/agent-tasks/${argument.task.taskId} ${commit}`);
      expect(site.taskRefs()).to.equal(refs);
    });

    it('publish ends as cancelled, and finds itself done when it is repeated', async () => {
      const done = await commit('Nantes');
      expect(await cancelled(site.bare().publish, done)).to.be.instanceOf(CancelledFailure);
      const [head, count] = [site.workplace.head(), commits()];
      expect(await site.worker().publish(done)).to.include({ commit: head });
      expect(commits()).to.equal(count);
    });
  });

  describe('deploy by the step whose commit it is', () => {
    const shownBy = async (taskId: string) => (await site.deployments.preview(taskId))?.commit;
    const live = async () => (await site.deployments.live(site.siteId))?.commit;

    /** A worker whose host fails so, and says what it was asked for. */
    function failing(error: Error) {
      const asked: string[] = [];
      const fail = (name: string) => async () => {
        asked.push(name);
        throw error;
      };
      const names = ['deployPreview', 'deployProduction', 'advancePreview'] as const;
      const hosting = Object.fromEntries(names.map((name) => [name, fail(name)])) as Record<
        (typeof names)[number],
        never
      >;
      return { asked, worker: site.worker('data', { hosting }) };
    }

    it('commitChanges shows the preview and publish puts it live, with the answers of the steps of their own', async () => {
      const worker = site.worker();
      const written = await writePages(worker, site.task(), [cityItem('Verona'), cityItem('Trento')]);
      const { previews, ...made } = await worker.commitChanges(written);
      expect(await shownBy(written.task.taskId)).to.equal(made.commit);
      const done = { task: written.task, base: written.base, commit: made.commit!, pages: made.created };
      expect(previews)
        .to.have.length(2)
        .and.deep.equal(await worker.deployPreview(done));
      const { live: shown, commit: head } = await worker.publish(done);
      expect(await live())
        .to.equal(head)
        .and.equal(site.workplace.head());
      expect(shown)
        .to.have.length(2)
        .and.deep.equal(await worker.deployProduction({ ...done, commit: head }));
    });

    it('a prompt too, with the pages that it changed and none that it deleted', async () => {
      const prompt = 'Change the headline of /contact to "Write to us". Delete /pricing';
      const worker = site.worker();
      const { previews, modified, deleted } = await worker.commitChanges(
        await followPrompt(worker, site.task(), prompt),
      );
      expect(deleted).to.have.length(1);
      const slugs = modified.map(({ slug }) => slug);
      expect(slugs).to.include('/contact');
      expect(previews!.map(({ slug }) => slug)).to.deep.equal(slugs);
    });

    it('publish leaves the live pages alone where a workflow of an earlier version deploys them itself', async () => {
      const { pages, ...old } = await commit('Padua');
      expect(pages).to.have.length(1);
      const before = await live();
      const published = await site.worker().publish(old);
      expect(published).to.have.all.keys('commit');
      expect(await live()).to.equal(before);
    });

    for (const [what, error] of [
      ['refuses', new DomainError('DEPLOYMENT_FAILED', 'The host is full')],
      ['breaks', new Error('connect ECONNREFUSED')],
    ] as const)
      it(`commits and pushes where the host ${what}, and leaves the deployment to the step of its own`, async () => {
        const { asked, worker } = failing(error);
        const written = await writePages(worker, site.task(), [cityItem(what === 'refuses' ? 'Parma' : 'Modena')]);
        const { commit: made, created, ...more } = await worker.commitChanges(written);
        expect(asked).to.deep.equal(['deployPreview']);
        expect(more).to.not.have.property('previews');
        const done = { task: written.task, base: written.base, commit: made!, pages: created };
        const published = await worker.publish(done);
        expect(asked).to.deep.equal(['deployPreview', 'deployProduction']);
        expect(published).to.deep.equal({ commit: site.workplace.head() });
        expect(await failed(worker.deployPreview(done))).to.include({ retryable: what === 'breaks' });
        const told = site.logs.filter(({ taskId, level }) => taskId === done.task.taskId && level === 'warn');
        expect(told.map(({ msg }) => msg)).to.include('a step of its own deploys what could not be deployed at once');
        await site.worker().deployPreview(done);
        await site.worker().deployProduction({ ...done, commit: published.commit });
        expect([await shownBy(done.task.taskId), await live()]).to.deep.equal([made, published.commit]);
      });

    it('publish, repeated after its push, gives what it merged before, and deploys that', async () => {
      const done = await commit('Trieste');
      const environment = new MockActivityEnvironment({}, { logger: silent });
      const kept: unknown[] = [];
      environment.on('heartbeat', (details) => kept.push(details));
      const publish = site.bare().publish as (argument: typeof done) => ReturnType<Activities['publish']>;
      type Published = Awaited<ReturnType<typeof publish>>;
      const { commit: head } = await environment.run<[typeof done], Published, typeof publish>(publish, done);
      expect(kept).to.deep.include({ merged: { commit: head } });
      await site.workplace.push({ 'others.html': '<h1>Others</h1>' });
      const merged = { commit: head, notes: [{ kind: 'links', text: 'No place was left' }] };
      const again = new MockActivityEnvironment({ attempt: 2, heartbeatDetails: { merged } }, { logger: silent });
      const { live: shown, ...published } = await again.run<[typeof done], Published, typeof publish>(publish, done);
      expect(published).to.deep.equal(merged);
      expect(shown).to.have.length(1);
      expect(await live()).to.equal(head);
    });

    it('a deployment that hangs is left to the step of its own', async () => {
      const { log, signal } = { log: silentLog, signal: new AbortController().signal };
      const hanging = new Promise<never>(() => {});
      expect(await deployAtOnce(hanging, { task: site.task(), log, signal, mostMs: 1 })).to.equal(undefined);
    });

    it('ends as cancelled where it is cancelled in the middle of the deployment', async () => {
      const written = await writePages(site.worker(), site.task(), [cityItem('Rimini')]);
      const environment = new MockActivityEnvironment({}, { logger: silent });
      const deployPreview: Hosting['deployPreview'] = async (_, signal) => {
        environment.cancel();
        signal!.throwIfAborted();
        return [];
      };
      const hosting = { deployPreview } as Hosting;
      const { commitChanges } = site.bare('data', { hosting });
      const outcome = environment.run(commitChanges as (argument: unknown) => Promise<unknown>, written);
      const error = await outcome.catch((reason: unknown) => reason);
      expect(error).to.be.instanceOf(CancelledFailure);
    });
  });

  describe('deployPreview', () => {
    it('repeated, shows the same commit at the same addresses, and leaves the live site alone', async () => {
      const done = await commit('Ghent');
      const live = await site.deployments.live(site.siteId);
      const first = await site.worker().deployPreview(done);
      expect(await site.worker('elsewhere').deployPreview(done)).to.deep.equal(first);
      const { taskId } = done.task;
      const { label } = await site.sites.get(site.siteId);
      expect(first).to.deep.equal([
        {
          slug: '/locations/ghent',
          url: `http://${taskId}--${label}.preview.localhost:3000/locations/ghent`,
          editUrl: `http://localhost:3000/edit/${taskId}/locations/ghent`,
        },
      ]);
      expect(await site.deployments.preview(taskId)).to.deep.equal({
        ...{ siteId: site.siteId, commit: done.commit, heldBy: taskId, isShown: true },
      });
      expect(await site.deployments.live(site.siteId)).to.deep.equal(live);
    });
  });

  describe('deployProduction', () => {
    const live = async () => (await site.deployments.live(site.siteId))?.commit;

    it('repeated, by this worker and another, leaves the same commit live', async () => {
      const done = await commit('Turin');
      const published = { ...done, ...(await site.worker().publish(done)) };
      const first = await site.worker().deployProduction(published);
      expect(await site.worker('elsewhere').deployProduction(published)).to.deep.equal(first);
      expect(await live()).to.equal(published.commit);
      expect(first.map(({ url }) => new URL(url).pathname)).to.deep.equal(['/locations/turin']);
    });

    it('repeated after a newer deployment went live, succeeds and leaves the newer one live', async () => {
      const [worker, one] = [site.worker(), await commit('Genoa')];
      const older = { ...one, ...(await worker.publish(one)) };
      const first = await worker.deployProduction(older);
      const two = await commit('Siena');
      const newer = { ...two, ...(await worker.publish(two)) };
      await worker.deployProduction(newer);
      expect(await worker.deployProduction(older)).to.deep.equal(first);
      expect(await live()).to.equal(newer.commit);
    });
  });
});
