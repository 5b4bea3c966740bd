import { expect } from 'chai';
import { failureOf } from '../../helpers/team/workplace.ts';
import { commitTask, type Host, pagesOf, startHost } from './embedded/host.ts';
import { begun } from '../../helpers/deployed.ts';

const author = { name: 'Team', email: 'team@example.test' };

describe('advancePreview(request)', () => {
  let host: Host;
  let taskId: string;
  let commit: string;
  const held = () => ({ commit, retainedBy: taskId });
  const shown = async () => (await host.deployments.preview(taskId))?.commit;
  const advance = (to: string) =>
    host.hosting.advancePreview({ site: host.site, taskId, commit: to });
  const edit = async (parent: string, content: string) => {
    const changes = [{ path: 'a.html', content }];
    const request = {
      taskId,
      parent,
      changes,
      author,
      message: 'Edit',
      createdAt: new Date().toISOString(),
    };
    return String(await host.repository.commitEdit(request));
  };

  before(async () => {
    host = await startHost();
    host.team.push({ 'index.html': 'home' });
  });
  after(() => host.close());
  beforeEach(async () => {
    ({ taskId, commit } = await commitTask(host, { 'a.html': 'by the task' }));
    await host.hosting.deployPreview({
      ...begun,
      site: host.site,
      taskId,
      ...held(),
      pages: pagesOf(['a.html']),
    });
  });

  it('shows a commit on top of the preview, and can be repeated', async () => {
    const edited = await edit(commit, 'by hand');
    await advance(edited);
    await advance(edited);
    expect((await host.preview(taskId, '/a')).text).to.equal('by hand');
  });

  it('never goes back in a process that has not seen the current preview', async () => {
    const other = host.hostingElsewhere();
    try {
      await other.repositories
        .open({ ...host.site, repository: host.site.repository! })
        .fetchResult(held());
      const edited = await edit(commit, 'by hand');
      await advance(edited);
      await other.hosting.advancePreview({ site: host.site, taskId, commit });
      expect(await shown()).to.equal(edited);
    } finally {
      await other.close();
    }
  });

  it('rejects a preview that was deleted or has expired', async () => {
    const edited = await edit(commit, 'by hand');
    await host.agePreview(taskId, 30);
    expect(await failureOf(advance(edited))).to.include({ code: 'NOT_FOUND' });
    await host.agePreview(taskId, 0);
    await host.deployments.removePreview({ siteId: host.site.siteId, taskId });
    expect(await failureOf(advance(edited))).to.include({ code: 'NOT_FOUND' });
    expect((await host.preview(taskId, '/a')).status).to.equal(404);
  });

  it('rejects a commit of another history, and a task without a preview', async () => {
    const { commit: other } = await commitTask(host, { 'b.html': 'another task' });
    expect(await failureOf(advance(other))).to.include({ code: 'DEPLOYMENT_FAILED' });
    expect(await shown()).to.equal(commit);
    const nowhere = { site: host.site, taskId: 'bg-nowhere', commit };
    expect(await failureOf(host.hosting.advancePreview(nowhere))).to.include({ code: 'NOT_FOUND' });
  });
});
