import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { failureOf, git, task, Workplace } from '../../../../helpers/team/workplace.ts';

describe('commitTask', () => {
  let place: Workplace;
  let base: string;
  beforeEach(async () => {
    place = new Workplace();
    base = place.push({ 'index.html': 'home', 'a.html': 'a', 'public/x.html': 'x' });
  });
  afterEach(() => place.remove());

  it('writes one commit on the base with trailer, author and date, and pushes it only as a hidden ref', async () => {
    const commit = await place
      .open()
      .commitTask(task('bg-1', base, { 'new/b.html': 'b', 'a.html': null }));
    expect(
      git(place.remote, 'for-each-ref', '--format=%(refname) %(objectname)').split('\n'),
    ).to.deep.equal([`refs/agent-tasks/bg-1 ${commit}`, `refs/heads/main ${base}`]);
    expect(
      git(place.remote, 'log', '-1', '--format=%P|%an|%ae|%at|%cn|%ce|%ct|%B', commit),
    ).to.equal(
      `${base}|Agent|agent@example.com|1772600767|Agent|agent@example.com|1772600767|Change 2 files\n\nAgent-Task: bg-1`,
    );
    expect(place.files(commit)).to.deep.equal(['index.html', 'new/b.html', 'public/x.html']);
  });

  it('creates the same commit from the same input, here and elsewhere', async () => {
    const request = task('bg-1', base, { 'b.html': 'b' });
    const repository = place.open();
    const commit = await repository.commitTask(request);
    expect(await repository.commitTask(request)).to.equal(commit);
    expect(await place.open({ dataDir: 'other' }).commitTask(request)).to.equal(commit);
  });

  it("uses the remote's commit of the task if its own commit would differ by now", async () => {
    const first = await place
      .open()
      .commitTask(task('bg-1', base, { 'b.html': 'written by old code' }));
    const other = place.open({ dataDir: 'other' });
    expect(
      await other.commitTask(task('bg-1', base, { 'b.html': 'written by new code' })),
    ).to.equal(first);
    expect(place.show('b.html', first)).to.equal('written by old code');
  });

  it('finds the commit on the remote, and rejects one of another base or task', async () => {
    const repository = place.open();
    expect(await repository.findTaskCommit('bg-1', base)).to.equal(null);
    const commit = await repository.commitTask(task('bg-1', base, { 'b.html': 'b' }));
    const other = place.open({ dataDir: 'other' });
    expect(await other.findTaskCommit('bg-1', base)).to.equal(commit);
    const later = place.push({ 'c.html': 'c' });
    expect(await failureOf(other.findTaskCommit('bg-1', later))).to.include({
      code: 'CONFLICT',
      retryable: false,
    });
    git(place.remote, 'update-ref', 'refs/agent-tasks/bg-2', commit);
    expect(await failureOf(other.findTaskCommit('bg-2', base))).to.include({ code: 'CONFLICT' });
    expect(await failureOf(other.commitTask(task('bg-2', base, { 'd.html': 'd' })))).to.include({
      code: 'CONFLICT',
    });
  });

  it('keeps file modes, symbolic links, submodules and bytes as they are', async () => {
    await symlink('/etc', join(place.clone, 'etc'));
    git(place.clone, 'update-index', '--add', '--cacheinfo', `160000,${base},module`);
    git(place.clone, 'update-index', '--chmod=+x', 'a.html');
    git(place.clone, 'add', 'etc');
    git(place.clone, 'commit', '-q', '-m', 'modes');
    git(place.clone, 'push', '-q', 'origin', 'HEAD:main');
    const repository = place.open();
    const content = '\ufeff<p>ä\r\n</p>\n\n';
    const commit = await repository.commitTask(
      task('bg-1', await repository.fetchHead(), { 'a.html': content }),
    );
    const modes = git(place.remote, 'ls-tree', '--format=%(objectmode) %(path)', commit).split(
      '\n',
    );
    expect(modes).to.deep.equal([
      '100755 a.html',
      '120000 etc',
      '100644 index.html',
      '160000 module',
      '040000 public',
    ]);
    expect(await (await repository.tree({ commit, retainedBy: 'bg-1' })).read('a.html')).to.equal(
      content,
    );
    const failure = await failureOf(
      repository.commitTask(task('bg-2', commit, { 'etc/passwd': 'x' })),
    );
    expect(failure).to.have.property('code', 'CONFLICT');
    expect(failure?.message).to.match(/ etc\/passwd: etc .*\bsymbolic link$/);
  });

  it('follows no instructions from a message', async () => {
    const request = {
      ...task('bg-1', base, { 'b.html': 'b' }),
      message: 'Title\u0000\u001b[31m\r\n\nAgent-Task: bg-666',
    };
    const commit = await place.open().commitTask(request);
    expect(await place.open({ dataDir: 'other' }).findTaskCommit('bg-1', base)).to.equal(commit);
  });
});

describe('fetchBase', () => {
  it('keeps the head that the task began from, whatever is pushed later', async () => {
    const place = new Workplace();
    const first = place.push({ 'a.html': 'a' });
    const repository = place.open();
    expect(await repository.fetchBase('bg-1')).to.equal(first);
    const second = place.push({ 'a.html': 'a2' });
    expect(await repository.fetchBase('bg-1')).to.equal(first);
    expect(await repository.fetchBase('bg-2')).to.equal(second);
    expect(await repository.fetchHead()).to.equal(second);
    await place.remove();
  });
});
