import { expect } from 'chai';
import { restoreSubject } from '../../activities/restoreDeployment.ts';
import { createDeploymentListReader } from '../../src/hosting/deploymentList.ts';
import { createRepositories } from '../../src/sites/git/repositories.ts';
import { join } from 'node:path';
import type { SiteWithRepository } from '../../src/contract/site.ts';
import { TaskSite } from '../helpers/activities.ts';
import { testLauncher } from '../helpers/launcher.ts';
import { git } from '../helpers/team/workplace.ts';
import { went } from '../helpers/deployed.ts';

const at = '2026-11-23T04:08:00.000Z';

describe('restoreDeployment', function () {
  this.timeout(180_000);
  let site: TaskSite;
  before(
    async () =>
      void (site = await TaskSite.create(
        { 'docs/notes.txt': 'beside', 'web/index.html': 'one', 'web/a.html': 'a' },
        'web',
      )),
  );
  after(() => site?.remove());

  /** Puts the head of the branch live, as a publish does. */
  async function goLive(name = 'data') {
    const commit = site.workplace.head();
    await site.worker(name).deployProduction({ ...went, task: site.task(), commit, pages: [] });
    return commit;
  }
  async function restore(commit: string, name = 'data') {
    const worker = site.worker(name);
    const task = site.task();
    const { base } = await worker.readSite({ task });
    const done = await worker.restoreDeployment({ task, base, commit, at });
    const published = await worker.publish({
      task,
      base,
      commit: done.commit,
      retainedBy: task.taskId,
    });
    await worker.deployProduction({ ...went, task, commit: published.commit, pages: [] });
    return { task, base, ...done, published: published.commit };
  }

  it('puts the earlier contents of the site on top of the branch, so that the live pointer only moves forward', async () => {
    const first = await goLive();
    site.workplace.push({
      'web/index.html': 'two',
      'web/a.html': null,
      'web/b.html': 'b',
      'docs/notes.txt': 'later',
    });
    const second = await goLive();
    const done = await restore(first);
    expect(done.created).to.deep.equal([{ slug: '/a', path: 'a.html' }]);
    expect(done.modified).to.deep.equal([{ slug: '/', path: 'index.html' }]);
    expect(done.deleted).to.deep.equal([{ slug: '/b', path: 'b.html' }]);
    expect(done.published).to.equal(done.commit);
    expect(git(site.workplace.remote, 'rev-parse', `${done.commit}^`)).to.equal(second);
    expect(git(site.workplace.remote, 'rev-parse', `${done.commit}:web`)).to.equal(
      git(site.workplace.remote, 'rev-parse', `${first}:web`),
    );
    expect(git(site.workplace.remote, 'show', `${done.commit}:docs/notes.txt`)).to.equal('later');
    expect((await site.deployments.live(site.siteId))?.commit).to.equal(done.commit);

    const repositories = createRepositories({
      dataDir: join(site.workplace.folder, 'data'),
      launcher: testLauncher,
    });
    const { deployments } = site;
    const list = createDeploymentListReader({ deployments, repositories });
    const own = (await site.sites.get(site.siteId)) as SiteWithRepository;
    const all = await list.list(own, { limit: 10 });
    expect(all.deployments.map(({ commit, isLive }) => [commit, isLive])).to.deep.equal([
      [done.commit, true],
      [second, false],
      [first, false],
    ]);
    expect(all.deployments[0]).to.deep.include({
      taskId: done.task.taskId,
      message: restoreSubject('2026-11-23T04:08'),
    });
    expect(all.next).to.equal(null);
    const parts: string[] = [];
    for (let after: Parameters<typeof list.list>[1]['after'] | null; after !== null;) {
      const part = await list.list(own, { limit: 1, after: after ?? undefined });
      parts.push(...part.deployments.map(({ commit }) => commit));
      after = part.next;
    }
    expect(parts).to.deep.equal(all.deployments.map(({ commit }) => commit));
    const refused = (commit: string) =>
      list.restorable(site.siteId, commit).then(
        ({ commit: found }) => found,
        (error: { code: string }) => error.code,
      );
    expect([
      await refused(done.commit),
      await refused(first),
      await refused('0'.repeat(40)),
    ]).to.deep.equal(['CONFLICT', first, 'NOT_FOUND']);
    await repositories.close();
  });

  it('returns the same commit when it is repeated, also on another machine', async () => {
    const earlier = (await site.deployments.past(site.siteId, { limit: 1 }))[0]!.commit;
    const [worker, task] = [site.worker(), site.task()];
    const { base } = await worker.readSite({ task });
    const { commit } = await worker.restoreDeployment({ task, base, commit: earlier, at });
    expect((await worker.restoreDeployment({ task, base, commit: earlier, at })).commit).to.equal(
      commit,
    );
    expect(
      (await site.worker('another').restoreDeployment({ task, base, commit: earlier, at })).commit,
    ).to.equal(commit);
  });

  it('also commits if the branch already has these contents, so that the version goes live', async () => {
    const live = await site.deployments.live(site.siteId);
    const done = await restore(live!.commit);
    expect(done.created.concat(done.modified, done.deleted)).to.deep.equal([]);
    expect((await site.deployments.live(site.siteId))?.commit)
      .to.equal(done.commit)
      .and.not.equal(live!.commit);
  });
});
