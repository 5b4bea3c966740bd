import { expect } from 'chai';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { cityItem, failed, followPrompt, TaskSite, writePages } from '../helpers/activities.ts';
import { git } from '../helpers/team/workplace.ts';

describe('a task whose base was removed by a force-push', function () {
  this.timeout(180_000);
  const gone = { type: 'GIT_FAILED', retryable: false };
  let site: TaskSite;
  beforeEach(async () => void (site = await TaskSite.createSmall()));
  afterEach(() => site?.remove());

  function rewrite() {
    const { clone, remote } = site.workplace;
    git(clone, 'checkout', '-q', '--orphan', 'rewritten');
    git(clone, 'commit', '-q', '-m', 'rewritten');
    git(clone, 'push', '-q', '--force', 'origin', 'HEAD:main');
    git(remote, 'gc', '-q', '--prune=now');
  }

  it('says so in each activity on a machine that does not have the base', async () => {
    const worker = site.worker();
    const pages = await writePages(worker, site.task(), [cityItem('Quito')]);
    const prompt = await followPrompt(
      worker,
      site.task(),
      'Change the title of the page /about to "New"',
    );
    rewrite();
    const other = site.worker('other');
    const { template } = pages.edit;
    const step = { task: pages.task, base: pages.base, template, item: cityItem('Quito') };
    expect(await failed(other.generatePage(step))).to.deep.include(gone);
    expect(await failed(other.commitChanges(pages))).to.deep.include(gone);
    expect(await failed(other.commitChanges(prompt))).to.deep.include(gone);
    expect(
      await failed(other.runAgentTurn({ ...prompt, prompt: 'x', turns: { count: 0 } })),
    ).to.deep.include(gone);
  });

  it('continues if the machine has the base, and if the base is live', async () => {
    const worker = site.worker();
    const pages = await writePages(worker, site.task(), [cityItem('Quito')]);
    git(site.workplace.remote, 'update-ref', `refs/agent-tasks-live/${site.siteId}`, pages.base);
    rewrite();
    const other = await site.worker('other').commitChanges(pages);
    rmSync(join(site.workplace.folder, 'other'), { recursive: true });
    expect(other).to.deep.equal(await worker.commitChanges(pages));
  });
});
