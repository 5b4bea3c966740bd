import { CancelledFailure } from '@temporalio/activity';
import { MockActivityEnvironment } from '@temporalio/testing';
import { expect } from 'chai';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { TaskActivities } from '../../activities/index.ts';
import {
  cityItem,
  commitPages,
  failed,
  silent,
  TaskSite,
  writePages,
} from '../helpers/activities.ts';
import { pageChangedError } from '../../src/sites/git/commits/mergeCommit.ts';
import { git } from '../helpers/team/workplace.ts';

describe('publish and the deployments', function () {
  this.timeout(180_000);
  let site: TaskSite;
  before(async () => void (site = await TaskSite.createSmall()));
  after(() => site?.remove());
  const commits = () => Number(git(site.workplace.remote, 'rev-list', '--count', 'main'));
  const commit = (city: string, worker: TaskActivities = site.worker()) =>
    commitPages(worker, site.task(), [cityItem(city)]);

  describe('publish', () => {
    it('merges nothing a second time if it is repeated, and returns the same commit', async () => {
      const done = await commit('Lisbon');
      const first = await site.worker().publish(done);
      const count = commits();
      expect(await site.worker().publish(done)).to.deep.equal(first);
      expect(await site.worker('elsewhere').publish(done)).to.deep.equal(first);
      expect(commits()).to.equal(count);
      expect(site.workplace.head()).to.equal(first.commit);
    });

    it('keeps every page of two tasks and of other people in one sitemap, with the dates of the tasks', async () => {
      const worker = site.worker();
      const [one, two] = [await commit('Madrid'), await commit('Bilbao')];
      const sitemap = site.workplace
        .show('sitemap.xml')
        .replace('</urlset>', '  <!-- by hand -->\n</urlset>');
      site.workplace.push({ 'sitemap.xml': `${sitemap}\n` });
      await Promise.all([worker.publish(one), worker.publish(two)]);
      const published = site.workplace.show('sitemap.xml');
      for (const city of ['madrid', 'bilbao'])
        expect(
          published.match(new RegExp(`/locations/${city}</loc>\\s*<lastmod>2026-03-04<`, 'g')),
        ).to.have.length(1);
      expect(published).to.include('<!-- by hand -->');
    });

    it('fails at once and names the page if somebody else changed it', async () => {
      const done = await commit('Seville');
      const head = site.workplace.push({ 'locations/seville.html': '<h1>By hand</h1>' });
      expect(await failed(site.worker().publish(done))).to.deep.equal({
        type: 'PAGE_CHANGED',
        message: pageChangedError(['/locations/seville']).message,
        retryable: false,
      });
      expect(site.workplace.head()).to.equal(head);
    });
  });

  describe('cancelled or killed after the push arrived', () => {
    const mark = () => join(site.workplace.folder, 'arrived');

    /** Lets the remote take a push, and holds back its answer as long as the mark is there. */
    const holdAnswers = () =>
      site.workplace.hook(
        'post-receive',
        `echo arrived > '${mark()}'; while [ -e '${mark()}' ]; do sleep 0.05; done`,
      );
    const letGo = async () => {
      await rm(join(site.workplace.remote, 'hooks/post-receive'));
      await rm(mark());
    };

    /** Runs an activity until its push has arrived, then cancels it. */
    async function cancelled<A>(activity: (argument: A) => Promise<unknown>, argument: A) {
      holdAnswers();
      const environment = new MockActivityEnvironment({}, { logger: silent });
      const outcome = environment
        .run(activity as (argument: unknown) => Promise<unknown>, argument)
        .then(
          () => 'succeeded',
          (error: unknown) => error,
        );
      await site.workplace.eventually('arrived');
      environment.cancel();
      const error = await outcome;
      await letGo();
      return error;
    }

    it('commitChanges ends as cancelled, and finds its commit when it is repeated', async () => {
      const argument = await writePages(site.worker(), site.task(), [cityItem('Lyon')]);
      expect(await cancelled(site.bare().commitChanges, argument)).to.be.instanceOf(
        CancelledFailure,
      );
      const refs = site.taskRefs();
      const { commit } = await site.worker().commitChanges(argument);
      expect(refs).to.include(`refs/agent-tasks/${argument.task.taskId} ${commit}`);
      expect(site.taskRefs()).to.equal(refs);
    });

    it('publish ends as cancelled, and finds its merge when it is repeated', async () => {
      const done = await commit('Nantes');
      expect(await cancelled(site.bare().publish, done)).to.be.instanceOf(CancelledFailure);
      const [head, count] = [site.workplace.head(), commits()];
      expect(await site.worker().publish(done)).to.include({ commit: head });
      expect(commits()).to.equal(count);
    });
  });
});
