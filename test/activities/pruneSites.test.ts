import { expect } from 'chai';
import type { TaskActivities } from '../../activities/index.ts';
import type { ActivityDependencies, CleanUpRetention } from '../../activities/deps.ts';
import type { SiteHosting } from '../../src/hosting/hosting.ts';
import { createBatches } from '../../src/storage/batches/batches.ts';
import { createRetention } from '../../src/storage/retention.ts';
import { createDeployments } from '../../src/storage/deployments.ts';
import { atTime } from '../helpers/atTime.ts';
import { testDatabase } from '../helpers/database.ts';
import { cityItem, commitPages, failed, TaskSite, writePages } from '../helpers/activities.ts';
import { git } from '../helpers/team/workplace.ts';
import { begun, went } from '../helpers/deployed.ts';

const DAY = 86_400_000;

const inDays = <T extends object>(days: number, functions: T) =>
  atTime(() => Date.now() + days * DAY, functions);

describe('pruneSites', function () {
  this.timeout(180_000);
  let site: TaskSite;
  let worker: TaskActivities;
  let running: Set<string>;
  beforeEach(async () => {
    site = await TaskSite.createSmall();
    running = new Set();
    worker = site.worker();
  });
  afterEach(() => site.remove());

  /**
   * A worker on whose clock so many days have passed, and that sees only the sites of this test.
   */
  async function later(
    days: number,
    changes: Partial<ActivityDependencies> = {},
    dataDir = 'data',
  ) {
    const db = await testDatabase();
    const retention: CleanUpRetention = {
      ...inDays(days, createRetention(db, { previewRetention: 30 })),
      runningTasks: (siteIds) =>
        Promise.resolve(new Map(siteIds.map((siteId) => [siteId, running]))),
    };
    const own = (await site.sites.list(site.organizationId)).sort((a, b) =>
      a.siteId < b.siteId ? -1 : 1,
    );
    const listAfter: ActivityDependencies['sites']['listAfter'] = (after, limit) =>
      Promise.resolve(
        own.filter(({ siteId }) => after === undefined || siteId > after).slice(0, limit),
      );
    const sites = { find: (...asked: [string, string]) => site.sites.find(...asked), listAfter };
    return site.worker(dataDir, { sites, retention, ...changes });
  }
  const cleanAfter = async (
    days: number,
    changes: Partial<ActivityDependencies> = {},
    dataDir = 'data',
  ) => (await later(days, changes, dataDir)).pruneSites({});

  async function previewed(city: string) {
    const made = await commitPages(worker, site.task(), [cityItem(city)]);
    await worker.deployPreview(made);
    return made;
  }
  const taskIds = () =>
    site
      .taskRefs()
      .split('\n')
      .filter(Boolean)
      .map((line) => line.split(' ')[0]!.split('/').at(-1)!);
  const copy = () => site.workplace.copyOf(site.siteId);
  const here = () =>
    git(copy(), 'for-each-ref', '--format=%(refname)', 'refs/agent-tasks')
      .split('\n')
      .filter(Boolean);

  it('removes the result of a task one retention after its preview, and not earlier', async () => {
    const { task } = await previewed('Oslo');
    expect(await cleanAfter(29.9)).to.include({ sites: 1, removed: 0 });
    expect(taskIds()).to.deep.equal([task.taskId]);
    expect(await cleanAfter(30.1)).to.deep.equal({ last: null, sites: 1, removed: 1, failed: 0 });
    expect([taskIds(), here()]).to.deep.equal([[], []]);
    expect(await cleanAfter(30.1), 'once more').to.include({ removed: 0, failed: 0 });
  });

  it('keeps a result that is edited between the list and the push', async () => {
    const { task } = await previewed('Oslo');
    const { remote } = site.workplace;
    const ref = `refs/agent-tasks/${task.taskId}`;
    const edit = () =>
      void git(
        remote,
        'update-ref',
        ref,
        git(remote, 'commit-tree', 'main^{tree}', '-p', ref, '-m', 'edit'),
      );
    const db = await testDatabase();
    const { endedResults, ...others } = inDays(40, createRetention(db, { previewRetention: 30 }));
    const retention: CleanUpRetention = {
      ...others,
      endedResults: (...asked) => endedResults(...asked).finally(edit),
      runningTasks: () => Promise.resolve(new Map()),
    };
    const done = await cleanAfter(40, { retention });
    expect(site.logs.filter(({ msg }) => msg === 'site clean-up failed')).to.deep.equal([]);
    expect(done).to.include({ removed: 0, failed: 0 });
    expect(taskIds()).to.deep.equal([task.taskId]);
  });

  it('deletes batches whose previews have expired in its first activity', async () => {
    const { organizationId, siteId } = site;
    const db = await testDatabase();
    const storeOf = (ago: number) => inDays(-ago, createBatches(db, { previewRetention: 30 }));
    const store = storeOf(0);
    const made = { organizationId, siteId, createdBy: { keyId: 'k' }, bodyHash: '', rows: [] };
    const asked = { title: 'Towns', publish: false, onWarnings: 'publish' as const };
    const endedAfter = async (days: number) => {
      const { taskId: batchId, createdAt } = site.task();
      await store.create({ ...made, ...asked, batchId, createdAt });
      const finishedAt = new Date(Date.now() - days * DAY).toISOString();
      await storeOf(days).change(batchId, { status: 'completed', finishedAt });
      return batchId;
    };
    const [kept] = [await endedAfter(29), await endedAfter(31)];
    const left = async () =>
      (await store.list(organizationId, { limit: 9 })).map(({ batchId }) => batchId);
    const { pruneSites: cleanUp } = await later(0, { batches: store });
    await cleanUp({ after: siteId });
    expect(await left()).to.have.length(2);
    await cleanUp({});
    expect(await left()).to.deep.equal([kept]);
  });

  it('keeps running tasks, and the results that running tasks build on', async () => {
    const [run, base, other] = [
      await previewed('Oslo'),
      await previewed('Rome'),
      await previewed('Bern'),
    ];
    running = new Set([run.task.taskId, base.task.taskId]);
    expect(await cleanAfter(40)).to.include({ removed: 1 });
    expect(taskIds().sort()).to.deep.equal([run.task.taskId, base.task.taskId].sort());
    expect(taskIds()).to.not.include(other.task.taskId);
  });

  it('keeps a result while the preview of its publish is shown', async () => {
    const { commit, pages, task } = await previewed('Oslo');
    const publish = site.task();
    const deployments = inDays(20, createDeployments(await testDatabase()));
    await deployments.setPreview({
      ...begun,
      siteId: site.siteId,
      taskId: publish.taskId,
      commit,
      retainedBy: task.taskId,
    });
    expect(pages).to.have.length(1);
    expect(await cleanAfter(40)).to.include({ removed: 0 });
    expect(await cleanAfter(51)).to.include({ removed: 1 });
  });

  it('keeps the result of a task without a preview for one retention after it was first seen', async () => {
    const deployPreview = () => Promise.reject(new Error('The host is down'));
    const { task } = await commitPages(
      site.worker('data', { hosting: { deployPreview } as unknown as SiteHosting }),
      site.task(),
      [cityItem('Oslo')],
    );
    expect(await cleanAfter(40)).to.include({ removed: 0 });
    expect(await cleanAfter(69)).to.include({ removed: 0 });
    expect(taskIds()).to.deep.equal([task.taskId]);
    expect(await cleanAfter(71)).to.include({ removed: 1 });
  });

  it('keeps refs of other programs below refs/agent-tasks, and everything else in the repository', async () => {
    await previewed('Oslo');
    const { remote, head } = site.workplace;
    const others = [
      'refs/agent-tasks/live/site',
      'refs/agent-tasks/bg-short',
      'refs/heads/team',
      'refs/tags/v1',
    ];
    for (const ref of others) git(remote, 'update-ref', ref, head());
    expect(await cleanAfter(40)).to.include({ removed: 1 });
    const left = git(remote, 'for-each-ref', '--format=%(refname)').split('\n');
    expect(left).to.have.members([...others, 'refs/heads/main']);
  });

  it('continues with the other sites if one remote does not exist any more', async () => {
    await previewed('Oslo');
    await site.register(`${site.workplace.url}-gone`);
    expect(await cleanAfter(40)).to.deep.equal({ last: null, sites: 2, removed: 1, failed: 1 });
    const line = site.logs.find(({ msg }) => msg === 'site clean-up failed');
    expect(JSON.stringify(line)).to.include('repository not found');
  });

  it('fails and removes nothing if nobody can say which tasks are running', async () => {
    await previewed('Oslo');
    const db = await testDatabase();
    const ended = inDays(40, createRetention(db, { previewRetention: 30 }));
    const retention = { ...ended, runningTasks: () => Promise.reject(new Error('down')) };
    expect(await failed(cleanAfter(40, { retention }))).to.include({ retryable: true });
    expect(taskIds()).to.have.length(1);
  });

  describe('in the local clone', () => {
    it('removes the base of a task that ended without a commit, and keeps the base of a running task', async () => {
      const [ended, runs] = [site.task(), site.task()];
      await writePages(worker, ended, [cityItem('Oslo')]);
      await worker.readSite({ task: runs });
      running.add(runs.taskId);
      const bases = [ended, runs].map(({ taskId }) => `refs/agent-tasks/base/${taskId}`);
      await cleanAfter(0);
      expect(here(), 'one that began just now').to.have.members(bases);
      git(copy(), 'pack-refs', '--all');
      await cleanAfter(0);
      expect(here()).to.deep.equal(bases.slice(1));
    });

    it('keeps live commits, and keeps earlier live commits for 30 days', async () => {
      const held: string[] = [];
      for (const city of ['Oslo', 'Rome']) {
        const { task, commit, base, pages } = await previewed(city);
        const published = await worker.publish({ task, base, commit });
        await worker.deployProduction({ ...went, task, commit: published.commit, pages });
        held.push(`refs/agent-tasks/deployed/${published.commit}`);
      }
      const deployed = () => here().filter((ref) => ref.includes('/deployed/'));
      await cleanAfter(29);
      expect(deployed()).to.have.members(held);
      await cleanAfter(31);
      expect(deployed()).to.deep.equal(held.slice(1));
      await cleanAfter(400);
      expect(deployed()).to.deep.equal(held.slice(1));
    });
  });
});
