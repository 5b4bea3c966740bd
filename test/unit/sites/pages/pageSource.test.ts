import { expect } from 'chai';
import { limits } from '../../../../src/contract/task.ts';
import { pageTooLargeError, readPageSource } from '../../../../src/sites/pages/pageSource.ts';
import { createSiteDiffs, unreadableTextsWarning } from '../../../../src/sites/pages/siteDiff.ts';
import { readSiteTemplate } from '../../../../src/sites/pages/templates.ts';
import type { GitRepositories } from '../../../../src/sites/git/repository.ts';
import { memoryTree } from '../../agents/memoryTree.ts';
import { failureOf, onBranch } from '../../../helpers/team/workplace.ts';
import { testPages as pages } from '../../../helpers/threads.ts';

const page = (bytes: number) => `<p>x${'\u00e9'.repeat((bytes - 4) >> 1)}${'x'.repeat(bytes % 2)}`;
const over = limits.pageBytes + 1;
const tooLarge = (path: string) => pageTooLargeError(path, 'has', over);

/** A tree that notes which files are read. */
function notedTree(files: Record<string, string>) {
  const tree = memoryTree(files);
  const read: string[] = [];
  return { tree: { ...tree, read: (path: string) => (read.push(path), tree.read(path)) }, read };
}

describe('a page over limits.pageBytes', () => {
  const files = {
    'large.html': page(over),
    'most.html': page(limits.pageBytes),
    'small.html': page(21),
  };

  it('is rejected by its bytes before it is read, and one of exactly that size is read', async () => {
    expect(Buffer.byteLength(files['most.html'])).to.equal(limits.pageBytes);
    const { tree, read } = notedTree(files);
    expect(await failureOf(readPageSource(tree, 'large.html'))).to.include({
      code: 'LIMIT_EXCEEDED',
      message: tooLarge('large.html').message,
      retryable: false,
    });
    expect(read).to.deep.equal([]);
    expect((await readPageSource(tree, 'most.html')).source).to.equal(files['most.html']);
    expect(await failureOf(readPageSource(tree, 'none.html'))).to.include({ code: 'NOT_FOUND' });
  });

  it('is not read as a template, and neither are its siblings', async () => {
    const { tree, read } = notedTree(files);
    expect(await failureOf(readSiteTemplate(tree, pages, 'large.html'))).to.include({
      message: tooLarge('large.html').message,
    });
    expect(read).to.deep.equal([]);
    expect((await readSiteTemplate(tree, pages, 'small.html')).slug).to.equal('/small');
    expect(read).to.have.members(['small.html', 'most.html']);
  });

  it('is not read for its texts in a diff, on either side, and the diff says so', async () => {
    const before = notedTree({
      'gone.html': page(over),
      'shrunk.html': page(over),
      'a.html': page(21),
    });
    const after = notedTree({
      'new.html': page(over),
      'shrunk.html': page(21),
      'a.html': page(31),
    });
    const trees = [after.tree, before.tree];
    const repository = {
      tree: () => Promise.resolve(trees.shift()!),
      diff: () => Promise.resolve(''),
    };
    const diffs = createSiteDiffs({
      repositories: { open: () => repository } as unknown as GitRepositories,
      pages,
    });
    const site = {
      siteId: 's',
      organizationId: 'o',
      repository: { url: 'https://x.test/y.git', branch: 'main', root: '' },
    };
    const commits = { before: onBranch('a'), after: onBranch('b') };
    const { warnings, pages: changed } = await diffs.read(site, commits, { organizationId: 'o' });
    expect(changed.filter(({ texts }) => texts.length > 0).map(({ slug }) => slug)).to.deep.equal([
      '/a',
    ]);
    expect(warnings).to.deep.equal(
      ['new', 'shrunk', 'gone'].map((name) =>
        unreadableTextsWarning(`/${name}`, tooLarge(`${name}.html`)),
      ),
    );
    expect([...before.read, ...after.read]).to.deep.equal(['a.html', 'a.html']);
  });
});
