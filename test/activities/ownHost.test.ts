import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { runningPlan } from '../helpers/batchRun.ts';
import type { TaskActivities } from '../../activities/index.ts';
import type { ActivityDependencies } from '../../activities/deps.ts';
import { DomainError } from '../../src/errors.ts';
import { packNotes } from '../../src/contract/notes/packNotes.ts';
import { createPageNote, type PageItem } from '../../src/contract/task.ts';
import { createExternalHost } from '../../src/hosting/external/external.ts';
import { createPublishWindows } from '../../src/storage/publishWindows.ts';
import { createRetention } from '../../src/storage/retention.ts';
import { atTime } from '../helpers/atTime.ts';
import { cityItem, commitPages, failed, TaskSite } from '../helpers/activities.ts';
import { testDatabase } from '../helpers/database.ts';
import { went } from '../helpers/deployed.ts';
import type { FakeForge } from '../helpers/ownHost.ts';
import { git } from '../helpers/team/workplace.ts';

const DAY = 86_400_000;
const now = () => new Date().toISOString();
const longAgo = new Date(0).toISOString();

describe('the activities on a site with an external host', function () {
  this.timeout(180_000);
  let site: TaskSite;
  let forge: FakeForge;
  let worker: TaskActivities;
  beforeEach(async () => (site = await TaskSite.createSmall()));
  afterEach(() => site.remove());

  async function withHost(changes: Parameters<TaskSite['withOwnHost']>[0] = {}) {
    forge = await site.withOwnHost(changes);
    worker = site.worker();
  }
  /** A task up to its preview. */
  const previewed = (city: string) => previewedItem(cityItem(city));
  async function previewedItem(item: PageItem) {
    const made = await commitPages(worker, site.task(), [item]);
    return { ...made, deployed: await worker.deployPreview(made) };
  }
  /** Somebody edits a task's page, as the editor does. @returns the commit */
  function editByHand(taskId: string): string {
    const { clone, remote } = site.workplace;
    const ref = `refs/agent-tasks/${taskId}`;
    const path = 'locations/oslo.html';
    git(clone, 'fetch', '-q', remote, ref);
    git(clone, 'checkout', '-q', '--detach', 'FETCH_HEAD');
    const page = readFileSync(join(clone, path), 'utf8');
    writeFileSync(join(clone, path), page.replace('</h1>', ' By hand</h1>'));
    git(clone, 'commit', '-qam', `Edit\n\nAgent-Task-Edit: ${taskId}`);
    git(clone, 'push', '-q', remote, `HEAD:${ref}`);
    return git(clone, 'rev-parse', 'HEAD');
  }
  const at = (taskId: string) => `https://${taskId}.pages.example`;

  /** Cleans up after days. @param running the tasks that still run */
  async function cleanAfter(days: number, running: string[] = []) {
    const retention: ActivityDependencies['retention'] = {
      ...atTime(
        () => Date.now() + days * DAY,
        createRetention(await testDatabase(), { previewRetention: 30 }),
      ),
      runningTasks: (ids) => Promise.resolve(new Map(ids.map((id) => [id, new Set(running)]))),
    };
    const own = await site.sites.list(site.organizationId);
    const sites = {
      find: (...asked: [string, string]) => site.sites.find(...asked),
      listAfter: () => Promise.resolve(own),
    };
    return site.worker('data', { retention, sites }).pruneSites({});
  }

  it('check the page until it answers with its new text', async () => {
    await withHost();
    const { task, commit, deployed } = await previewed('Oslo');
    expect(forge.branches()).to.deep.equal([task.taskId]);
    expect(deployed.pages[0]).to.include({ url: null });
    const deploymentCheck = deployed.deploymentCheck!;
    const looked = () => worker.checkDeployment({ task, deploymentCheck, since: now() });
    expect(await failed(looked())).to.include({ type: 'STILL_BUILDING', retryable: true });
    forge.build(commit, at(task.taskId));
    forge.online.set(`${at(task.taskId)}/locations/oslo.html`, '<h1>The build before</h1>');
    expect(await failed(looked())).to.include({ type: 'STILL_BUILDING' });
    forge.build(commit, at(task.taskId));
    expect(await looked()).to.deep.equal({
      pages: [{ slug: '/locations/oslo', url: `${at(task.taskId)}/locations/oslo.html` }],
    });
  });

  it('end without a URL when the time for builds is over, and say what they checked', async () => {
    await withHost();
    const { task, deployed } = await previewed('Oslo');
    const { pages, unverified } = await worker.checkDeployment({
      task,
      deploymentCheck: deployed.deploymentCheck!,
      since: longAgo,
    });
    expect(pages).to.deep.equal([{ slug: '/locations/oslo', url: null }]);
    expect(unverified).to.match(/\bpreview\b.* \/locations\/oslo\b/);
  });

  it('fail with the URL of the log of a failed build', async () => {
    await withHost();
    const { task, commit, deployed } = await previewed('Oslo');
    const logUrl = 'https://host.example/log/1';
    forge.build(commit, at(task.taskId), { state: 'failure', logUrl });
    const failure = await failed(
      worker.checkDeployment({ task, deploymentCheck: deployed.deploymentCheck!, since: now() }),
    );
    expect(failure).to.deep.include({ type: 'BUILD_FAILED', retryable: false });
    expect(failure.message).to.include(commit.slice(0, 10)).and.include(logUrl);
    await worker.deletePreview({ task });
    expect(forge.branches()).to.deep.equal([]);
  });

  it('ignore URLs on hosts that the team did not name, whoever reports them', async () => {
    await withHost();
    const { task, commit, deployed } = await previewed('Oslo');
    const foreign = 'https://elsewhere.example';
    forge.build(commit, foreign);
    const { pages, unverified } = await worker.checkDeployment({
      task,
      deploymentCheck: deployed.deploymentCheck!,
      since: longAgo,
    });
    expect(pages[0]).to.include({ url: null });
    expect(unverified).to.match(/\b1 report/);
    expect(forge.asked.filter((asked) => asked.startsWith(foreign))).to.deep.equal([]);
  });

  describe('publish within a window', () => {
    type Made = Awaited<ReturnType<typeof previewed>>;
    let clock = Date.now();
    /** Tasks that an operator has ended. */
    let ended: string[] = [];
    let isTemporalDown = false;
    beforeEach(() => {
      ended = [];
      isTemporalDown = false;
    });
    const windows = async () => atTime(() => clock, createPublishWindows(await testDatabase()));
    const runningTasks: ActivityDependencies['retention']['runningTasks'] = async (siteIds) => {
      if (isTemporalDown) throw new DomainError('UNAVAILABLE', 'Temporal is down');
      const waiting = forge.branches().filter((taskId) => !ended.includes(taskId));
      return new Map(siteIds.map((siteId) => [siteId, new Set(waiting)]));
    };
    const at = async (dataDir = 'data') =>
      site.worker(dataDir, {
        publishWindows: await windows(),
        retention: { ...site.retention, runningTasks },
      });

    it('by one push and one build, while no activity keeps a slot', async () => {
      await withHost({ publishWindow: 20 });
      const made = [await previewed('Oslo'), await previewed('Bergen'), await previewed('Narva')];
      const before = site.workplace.head();
      const publishing = async (one: (typeof made)[number]) => (await at()).publish(one);
      const [first, second, third] = made as [Made, Made, Made];
      expect(await failed(publishing(first))).to.include({
        type: 'STILL_BUILDING',
        retryable: true,
      });
      clock += 10_000;
      for (const one of [second, third])
        expect(await failed(publishing(one))).to.include({ type: 'STILL_BUILDING' });
      clock += 9_000;
      expect(await failed(publishing(third))).to.include({ type: 'STILL_BUILDING' });
      expect(site.workplace.head()).to.equal(before);
      clock += 1_000;
      const { commit } = await publishing(second);
      expect(site.workplace.head()).to.equal(commit);
      for (const city of ['oslo', 'bergen', 'narva'])
        expect(site.workplace.show(`locations/${city}.html`)).to.be.a('string');
      for (const one of made) {
        expect(await publishing(one)).to.deep.include({ commit });
        const live = { ...went, task: one.task, commit, pages: one.pages };
        await worker.deployProduction(live);
      }
      expect(site.workplace.head()).to.equal(commit);
      const builds = await site.builds.countsOf(made.map(({ task }) => task.taskId));
      expect(builds).to.deep.equal([2, 1, 1]);
    });

    it('with only their own changes if one conflicts and if the first of them dies', async () => {
      await withHost({ publishWindow: 20 });
      const other = { ...cityItem('Malmo'), targetPageSlug: '/locations/oslo' };
      const made = [await previewed('Oslo'), await previewed('Bergen'), await previewedItem(other)];
      const [first, second, third] = made as [Made, Made, Made];
      for (const one of made)
        expect(await failed((await at()).publish(one))).to.include({ type: 'STILL_BUILDING' });
      clock += 20_000;
      // dies before its push, with what it took
      await (await windows()).take(site.siteId);
      const { commit } = await (await at('elsewhere')).publish(second);
      expect(site.workplace.show('locations/bergen.html')).to.be.a('string');
      await (await at()).publish(first);
      expect(await failed((await at()).publish(third))).to.include({ type: 'PAGE_CHANGED' });
      expect(git(forge.remote, 'merge-base', 'main', commit)).to.equal(commit);
      expect(site.workplace.show('locations/oslo.html')).to.be.a('string');
    });
  });

  describe('count builds', () => {
    const buildsOf = async (...taskIds: string[]) => site.builds.countsOf(taskIds);

    it('of each preview and of production once for all tasks that are pushed together', async () => {
      await withHost({ publishWindow: 0 });
      const [oslo, bergen] = [await previewed('Oslo'), await previewed('Bergen')];
      await worker.deployPreview(oslo);
      const ids = [oslo.task.taskId, bergen.task.taskId];
      expect(await buildsOf(...ids)).to.deep.equal([1, 1]);
      const live = async (made: typeof oslo, commit: string) =>
        worker.deployProduction({ ...went, task: made.task, commit, pages: made.pages });
      const first = await worker.publish(oslo);
      const second = await worker.publish(bergen);
      await live(oslo, second.commit);
      await live(bergen, second.commit);
      expect(first.commit).to.not.equal(second.commit);
      expect(await buildsOf(...ids)).to.deep.equal([2, 1]);
      await live(bergen, second.commit);
      expect(await buildsOf(...ids)).to.deep.equal([2, 1]);
    });
  });

  describe('with pull requests', () => {
    beforeEach(() => withHost({ publish: 'pull-request' }));

    it('open one pull request, update its branch, and merge it once', async () => {
      const made = await previewed('Oslo');
      const { task, commit, deployed } = made;
      expect((await worker.deployPreview(made)).pullRequestUrl).to.equal(deployed.pullRequestUrl);
      forge.build(commit, at(task.taskId));
      site.workplace.push({ 'news.html': '<h1>News</h1>' });
      const { merge } = await worker.publish(made);
      const waiting = () => worker.mergePullRequest({ task, merge: merge!, since: now() });
      expect(await failed(waiting())).to.include({ type: 'STILL_BUILDING', retryable: true });
      forge.build(merge!.head, at(task.taskId));
      forge.isDown = true;
      const given = worker.mergePullRequest({ task, merge: merge!, since: longAgo });
      expect(await failed(given)).to.include({ type: 'FORGE_REFUSED', retryable: false });
      forge.isDown = false;
      const merged = await waiting();
      expect([await waiting(), site.workplace.head()]).to.deep.equal([merged, merged]);
      expect(forge.pulls).to.have.length(1);
      expect(site.workplace.show('locations/oslo.html')).to.include('Oslo');
    });

    it('say in the pull request what changed and what to check, as data', async () => {
      const note = createPageNote('/a', 'unused', 'ask @team about [this](https://x.example)');
      const previewNotes = { title: 'Towns', notes: packNotes([note]) };
      const made = await commitPages(worker, site.task(), [cityItem('Oslo'), cityItem('Bergen')]);
      await worker.deployPreview({ ...made, previewNotes });
      expect(forge.pulls[0]).to.deep.include({ title: 'Towns' });
      expect(forge.pulls[0]!.body.split('\n')).to.deep.equal([
        'What changed:',
        '',
        '- New: /locations/bergen',
        '- New: /locations/oslo',
        '',
        'Please check:',
        '',
        '- [ ] /a: ask @\u200bteam about \\[this\\]\\(https:\u200b//x.example\\)',
        '',
        `Task and previews: https://service.example/tasks/${made.task.taskId}`,
        '',
      ]);
    });

    it('create one branch, one pull request and one merge if each is repeated elsewhere', async () => {
      const made = await commitPages(worker, site.task(), [cityItem('Oslo')]);
      const { task, commit } = made;
      /** A worker does a step and dies, and another one, on another machine, does it again. */
      const twice = async <T>(step: (by: TaskActivities) => Promise<T>): Promise<T> => {
        await step(worker);
        return step(site.again('elsewhere'));
      };
      const { deploymentCheck } = await twice((by) => by.deployPreview(made));
      forge.build(commit, at(task.taskId));
      await twice((by) =>
        by.checkDeployment({ task, deploymentCheck: deploymentCheck!, since: now() }),
      );
      site.workplace.push({ 'news.html': '<h1>News</h1>' });
      const { merge } = await twice((by) => by.publish(made));
      forge.build(merge!.head, at(task.taskId));
      const since = now();
      const merged = await twice((by) => by.mergePullRequest({ task, merge: merge!, since }));
      // a worker that died after the merge may begin the publish anew
      const again = await site.again('third').publish(made);
      expect(again.merge).to.include({ pullRequest: 1 });
      const head = await worker.mergePullRequest({ task, merge: again.merge!, since });
      const live = {
        ...went,
        task,
        commit: head,
        pages: made.pages,
        expectedPages: deploymentCheck!.pages,
      };
      await twice((by) => by.deployProduction(live));
      expect([head, site.workplace.head()]).to.deep.equal([merged, merged]);
      expect([forge.branches(), forge.pulls.length]).to.deep.equal([[task.taskId], 1]);
      const merges = git(forge.remote, 'rev-list', '--count', '--merges', 'main');
      expect(merges).to.equal('1');
    });

    it('move the branch with an edit by hand, and merge the edit', async () => {
      const made = await previewed('Oslo');
      const { task } = made;
      const edit = editByHand(task.taskId);
      const repositories = site.repositoriesIn('data');
      const host = createExternalHost({ ...forge.options(), repositories });
      const own = await site.sites.get(site.siteId);
      const shown = { site: own, taskId: task.taskId, commit: edit, retainedBy: task.taskId };
      await host.advancePreview(shown);
      await host.advancePreview(shown);
      expect(git(forge.remote, 'rev-parse', task.taskId)).to.equal(edit);
      const publishing = { ...made, task: site.task(), commit: edit, retainedBy: task.taskId };
      await worker.deployPreview(publishing);
      const { merge } = await worker.publish(publishing);
      await worker.mergePullRequest({ task: publishing.task, merge: merge!, since: now() });
      expect(site.workplace.show('locations/oslo.html')).to.include('By hand');
      expect(forge.pulls).to.have.length(1);
    });

    it('close the pull request and remove the branch of a failed task', async () => {
      const { task } = await previewed('Oslo');
      await worker.deletePreview({ task });
      await worker.deletePreview({ task });
      expect(forge.branches()).to.deep.equal([]);
      expect(forge.pulls.map(({ state }) => state)).to.deep.equal(['closed']);
    });
  });

  /** A batch up to its preview. */
  async function shownBatch(cities: string[]) {
    const task = site.task();
    const { taskId: batchId, organizationId, siteId, createdAt } = task;
    const { batches } = site.deps;
    await batches.create({
      batchId,
      organizationId,
      siteId,
      createdAt,
      createdBy: { keyId: 'k' },
      bodyHash: '',
      title: 'Towns',
      publish: true,
      onWarnings: 'publish',
      rows: cities.map((city, at) => ({
        ...cityItem(city),
        number: at + 1,
        templatePageSlug: '/locations/austin',
      })),
    });
    const { base, templates } = runningPlan(await worker.planBatch({ task }));
    for (const { number } of await worker.readNextRows({ task, limit: 50 })) {
      const template = templates['/locations/austin']!;
      await worker.generateRow({ task, base, template, number, onWarnings: 'publish' });
    }
    await worker.commitRows({ task, templates });
    const shown = await worker.deployBatchPreview({ task, templates, publish: true });
    const urls = async () => {
      const rows = await batches.rows(batchId, { after: 0, limit: 50 });
      return rows.map(({ previewUrl, publishedUrl }) => [previewUrl, publishedUrl]);
    };
    return { task, base, ...shown, urls };
  }

  for (const squashes of [false, true])
    it(`find a pull request that people merged before the publish${squashes ? ', by a squash' : ''}`, async () => {
      await withHost({ publish: 'pull-request', merge: 'by-people' });
      forge.squashes = squashes;
      const { task, base, commit, urls } = await shownBatch(['Oslo', 'Bergen']);
      const open = await worker.publish({ task, base, commit: commit! });
      expect(open.merge).to.include({ pullRequest: 1, byPeople: true, isMerged: false });
      await forge.forge.merge(1, open.merge!.head, new AbortController().signal);

      const wanted = { task, templates: {}, publish: true };
      const { deploymentCheck } = await worker.deployBatchPreview(wanted);
      const { merge } = await worker.publish({ task, base, commit: commit! });
      expect(merge).to.deep.include({ pullRequest: 1, isMerged: true });
      const head = await worker.mergePullRequest({ task, merge: merge!, since: now() });
      expect(head).to.equal(git(forge.remote, 'rev-parse', 'main'));
      const live = await worker.deployBatch({
        task,
        commit: head,
        expectedPages: deploymentCheck!.pages,
      });
      forge.build(head, 'https://www.pages.example');
      await worker.verifyBatchPages({
        task,
        deploymentCheck: live.deploymentCheck!,
        isOnline: true,
        publish: false,
      });
      expect((await urls()).map(([, url]) => url)).to.deep.equal([
        'https://www.pages.example/locations/oslo.html',
        'https://www.pages.example/locations/bergen.html',
      ]);
      expect(forge.pulls).to.have.length(1);
    });

  describe('in the clean-up', () => {
    beforeEach(() => withHost({ publish: 'pull-request' }));

    it('close pull requests and remove branches together with the results, and not earlier', async () => {
      await previewed('Oslo');
      const { task } = await previewed('Bergen');
      expect(await cleanAfter(29)).to.include({ removed: 0, failed: 0 });
      expect(forge.branches()).to.have.length(2);
      expect(await cleanAfter(31, [task.taskId])).to.include({ removed: 1, failed: 0 });
      expect(forge.branches()).to.deep.equal([task.taskId]);
      expect(forge.pulls.map(({ state }) => state)).to.deep.equal(['closed', 'open']);
      expect(await cleanAfter(31)).to.include({ removed: 1, failed: 0 });
      expect(forge.branches()).to.deep.equal([]);
    });
  });
});
