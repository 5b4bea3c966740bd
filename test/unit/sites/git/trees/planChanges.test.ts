import { expect } from 'chai';
import { planChanges } from '../../../../../src/sites/git/trees/planChanges.ts';
import type { TreeEntry } from '../../../../../src/sites/git/repository.ts';
import { failureOf } from '../../../../helpers/team/workplace.ts';

const tree = (modes: Record<string, string>) =>
  new Map<string, TreeEntry>(
    Object.entries(modes).map(([path, mode]) => [path, { path, mode, id: '0', size: 0 }]),
  );

const entries = tree({
  'a.html': '100644',
  'run.sh': '100755',
  'docs/x.html': '100644',
  link: '120000',
  module: '160000',
});
const plan = (...paths: [string, string | null][]) =>
  planChanges(
    entries,
    paths.map(([path, content]) => ({ path, content })),
  );

describe('planChanges', () => {
  it('keeps modes, creates regular files, and omits deletions of missing files', async () => {
    expect(
      await plan(['run.sh', 'x'], ['new/y.html', 'y'], ['gone.html', null], ['a.html', null]),
    ).to.deep.equal([
      { path: 'run.sh', content: 'x', mode: '100755' },
      { path: 'new/y.html', content: 'y', mode: '100644' },
      { path: 'a.html', content: null, mode: '100644' },
    ]);
  });

  it('lets a folder replace a removed file, and the other way round', async () => {
    expect(await plan(['a.html', null], ['a.html/index.html', 'x'])).to.have.length(2);
    expect(await plan(['docs/x.html', null], ['docs', 'x'])).to.have.length(2);
  });

  for (const [path, reason] of [
    ['link', 'Cannot write link: it is a symbolic link'],
    ['link/x.html', 'Cannot write link/x.html: link is a symbolic link'],
    ['a.html/x.html', 'Cannot write a.html/x.html: a.html is a file'],
    ['docs', 'Cannot write docs: it is a folder'],
  ] as const)
    it(`refuses to write ${path}`, async () => {
      expect(await failureOf(plan([path, 'x']))).to.include({ code: 'CONFLICT', message: reason });
    });

  it('needs memory only for the paths of folders that many deep paths share', async () => {
    const chain = 'a/'.repeat(900);
    const deep = tree(
      Object.fromEntries(Array.from({ length: 6_000 }, (_, i) => [`${i}/${chain}f`, '100644'])),
    );
    const before = process.resourceUsage().maxRSS;
    expect(await planChanges(deep, [{ path: 'new', content: 'x' }])).to.have.length(1);
    const failure = await failureOf(planChanges(deep, [{ path: '5/a/a', content: 'x' }]));
    expect(failure?.message).to.equal('Cannot write 5/a/a: it is a folder');
    expect((process.resourceUsage().maxRSS - before) / 1024).to.be.below(200);
  });

  it('finds clashes among the changes', async () => {
    const failure = await failureOf(plan(['new', 'x'], ['new/y.html', 'y']));
    expect(failure?.message).to.equal('Cannot write new: it is a folder');
  });

  for (const path of [
    '',
    '/etc/passwd',
    '../x',
    'a//b',
    'a/.GIT/hooks/x',
    'a\0b',
    'a\\b',
    'x'.repeat(300),
  ])
    it(`rejects the path ${JSON.stringify(path.slice(0, 30))}`, async () => {
      expect(await failureOf(plan([path, 'x']))).to.include({ code: 'INVALID_INPUT' });
    });
});
