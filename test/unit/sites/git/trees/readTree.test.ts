import { symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { failureOf, git, onBranch, task, Workplace } from '../../../../helpers/team/workplace.ts';
import {
  lfsPointerError,
  missingFolderError,
} from '../../../../../src/sites/git/trees/readTree.ts';
import { repositoryTooLarge } from '../../../../../src/sites/git/clones/cloneSizes.ts';

describe('the tree of a commit', () => {
  let place: Workplace;
  beforeEach(() => {
    place = new Workplace();
  });
  afterEach(() => place.remove());

  it('has every file with its ID, mode and size, including hostile names', async () => {
    const names = [
      'a.html',
      '-x',
      '--help',
      'a\nb.html',
      'qu"ote\'s.html',
      'ü 日本.html',
      'tab\t.html',
      'deep/er/x.html',
      '*',
      ':(top)x',
    ];
    place.push(Object.fromEntries(names.map((name) => [name, `text of ${name}`])));
    const repository = place.open();
    const tree = await repository.tree(onBranch(await repository.fetchHead()));
    expect([...tree.entries.keys()].sort()).to.deep.equal([...names].sort());
    expect(await Promise.all(names.map((name) => tree.read(name)))).to.deep.equal(
      names.map((name) => `text of ${name}`),
    );
    expect(tree.entries.get('a.html')).to.deep.include({ mode: '100644', size: 14 });
  });

  it('is read once for all simultaneous callers, and again after a failure', async () => {
    place.push({ 'a.html': 'a' });
    const repository = place.open();
    const head = onBranch(await repository.fetchHead());
    const trees = await Promise.all(Array.from({ length: 20 }, () => repository.tree(head)));
    expect(new Set(trees).size).to.equal(1);
    const small = place.open({ siteLimits: { siteFiles: 0 } });
    await small.fetchHead();
    for (let n = 0; n < 2; n++)
      expect(await failureOf(small.tree(head))).to.include({ code: 'LIMIT_EXCEEDED' });
  });

  it('returns many reads at once in order, including missing and empty ones', async () => {
    place.push({ 'large.txt': 'x'.repeat(3_000_000), empty: '', 'a.html': 'a' });
    const repository = place.open();
    const { entries, commit } = await repository.tree(onBranch(await repository.fetchHead()));
    const [large, empty, a] = ['large.txt', 'empty', 'a.html'].map(
      (path) => entries.get(path)?.id ?? '',
    );
    const answers = await Promise.all(
      [large, 'f'.repeat(40), empty, a, commit, large, a].map((id) =>
        repository.blob(id ?? '').then(
          (bytes) => bytes.length,
          (error: { code: string }) => error.code,
        ),
      ),
    );
    expect(answers).to.deep.equal([3_000_000, 'NOT_FOUND', 0, 1, 'NOT_FOUND', 3_000_000, 1]);
    expect(await failureOf(repository.blob('HEAD\nHEAD'))).to.include({ code: 'INVALID_INPUT' });
  });

  it('does not read a pointer of Git LFS as the page that it stands for', async () => {
    const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${'4d'.repeat(32)}\nsize 9\n`;
    place.push({ 'a.html': pointer });
    const repository = place.open();
    const tree = await repository.tree(onBranch(await repository.fetchHead()));
    expect(await failureOf(tree.read('a.html'))).to.include({
      code: 'PAGE_UNREADABLE',
      message: lfsPointerError('a.html').message,
    });
  });

  it('shows only what is below the root, by paths relative to it', async () => {
    place.push({
      'index.html': 'no',
      'public/index.html': 'yes',
      'public/a/b.html': 'b',
      'publicity.html': 'no',
    });
    const repository = place.open({ root: 'public' });
    const tree = await repository.tree(onBranch(await repository.fetchHead()));
    expect([...tree.entries.keys()]).to.deep.equal(['a/b.html', 'index.html']);
    expect(await tree.read('index.html')).to.equal('yes');
  });

  for (const root of ['nowhere', 'index.html', 'link'])
    it(`is reported if its root ${root} is not a folder`, async () => {
      place.push({ 'index.html': 'x' });
      await symlink('.', join(place.clone, 'link'));
      place.push({});
      const repository = place.open({ root });
      expect(await failureOf(repository.tree(onBranch(await repository.fetchHead())))).to.include({
        code: 'GIT_FAILED',
        message: missingFolderError(root).message,
        retryable: false,
      });
    });

  it('is fetched by its hidden ref if the commit is missing here, as in processes that only serve previews', async () => {
    place.push({ 'index.html': 'home' });
    const worker = place.open();
    const base = await worker.fetchBase('bg-1');
    const commit = await worker.commitTask(task('bg-1', base, { 'new.html': 'new' }));
    const api = place.open({ dataDir: 'api' });
    expect(await failureOf(api.tree(onBranch(commit)))).to.include({ code: 'GIT_FAILED' });
    expect(await (await api.tree({ commit, retainedBy: 'bg-1' })).read('new.html')).to.equal('new');
    const early = place.open({ dataDir: 'early' });
    expect((await early.tree({ commit: base, retainedBy: 'bg-2' })).commit).to.equal(base);
    expect(await api.isAncestor(onBranch(base), { commit, retainedBy: 'bg-1' })).to.equal(true);
    expect(await api.isAncestor({ commit, retainedBy: 'bg-1' }, onBranch(base))).to.equal(false);
  });

  it('is rejected if a site has too many files, too large files or a too large repository', async () => {
    const noise = Array.from({ length: 200_000 }, () => Math.random().toString(36)).join();
    place.push({ 'a.html': 'a', 'b.html': 'b', 'c.html': 'c', 'noise.txt': noise });
    const many = place.open({ dataDir: '1', siteLimits: { siteFiles: 3 } });
    const failure = await failureOf(many.tree(onBranch(await many.fetchHead())));
    expect(failure).to.include({ code: 'LIMIT_EXCEEDED' });
    expect(failure?.message).to.match(/\b4 files\b.*\b3\b/);
    const large = place.open({ dataDir: '2', siteLimits: { siteBytes: noise.length - 1 } });
    expect(await failureOf(large.tree(onBranch(await large.fetchHead())))).to.include({
      code: 'LIMIT_EXCEEDED',
    });
    git(place.remote, 'repack', '-adq');
    const tiny = place.open({ dataDir: '3', siteLimits: { siteBytes: 1_000_000 } });
    for (const path of Array.from({ length: 110 }, (_, at) => at))
      await writeFile(join(place.clone, `${path}`), `${path}`);
    place.push({});
    git(place.remote, 'repack', '-dq'); // a second pack
    expect(await failureOf(tiny.fetchHead())).to.include({
      code: 'LIMIT_EXCEEDED',
      message: repositoryTooLarge(0).message,
    });
  });
});
