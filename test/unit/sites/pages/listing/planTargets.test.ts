import { expect } from 'chai';
import { expectLinear } from '../../../../helpers/growth.ts';
import { DomainError } from '../../../../../src/errors.ts';
import type { Tree } from '../../../../../src/sites/git/repository.ts';
import { packFileNames } from '../../../../../src/sites/pages/listing/fileNames.ts';
import { planTargets } from '../../../../../src/sites/pages/listing/planTargets.ts';
import {
  findTemplate,
  readSiblings,
  templateNotFoundError,
} from '../../../../../src/sites/pages/templates.ts';
import { memoryTree } from '../../../agents/memoryTree.ts';
import { testPages as pages } from '../../../../helpers/threads.ts';

const treeOf = (...paths: string[]) =>
  memoryTree(Object.fromEntries(paths.map((path) => [path, `<p>${path}</p>`])));
const linked = (tree: Tree, path: string): Tree => {
  const entries = new Map(tree.entries);
  entries.set(path, { path, id: 'l'.repeat(40), mode: '120000', size: 9 });
  return { ...tree, entries };
};
const plan = (tree: Tree, ...slugs: string[]) =>
  planTargets(packFileNames(tree.entries.values()), { templatePath: 'x/template.html', slugs });

describe('planTargets(names, wanted)', () => {
  const refusals: [string, Tree, string[]][] = [
    ['a page whose name differs in case', treeOf('x/Lisbon.html'), ['/x/lisbon']],
    ['two new folders whose names differ in case', treeOf('a.html'), ['/new/a', '/New/b']],
    ['a file where a folder is needed', treeOf('x'), ['/x/lisbon']],
    ['a folder where the file would be', treeOf('lisbon.html/readme.txt'), ['/lisbon']],
    ['an item that needs the file of another as its folder', treeOf('a.html'), ['/b', '/b.html/c']],
    ['a page that is a symbolic link', linked(treeOf('a.html'), 'x/lisbon.html'), ['/x/lisbon']],
    ['a folder that is a symbolic link', linked(treeOf('a.html'), 'x'), ['/x/lisbon']],
    ['the name of another file', treeOf('sitemap.xml'), ['/sitemap.xml']],
    ['the template itself', treeOf('x/template.html'), ['/x/template']],
    ['a page written in compatibility characters', treeOf('x/ﬁne.html'), ['/x/fine']],
  ];
  for (const [what, tree, slugs] of refusals)
    it(`refuses ${what}`, () => {
      expect(() => plan(tree, ...slugs))
        .to.throw(DomainError, ` ${slugs.at(-1)} (`)
        .with.property('code', 'PAGE_EXISTS');
    });

  it('gives new pages the convention of the template, and lets one page be the folder of others', () => {
    expect(plan(treeOf('x/template.html'), '/x/a', '/x/a/b').map(({ path }) => path)).to.deep.equal(
      ['x/a.html', 'x/a/b.html'],
    );
    const folders = planTargets(packFileNames(treeOf('x/t/index.html').entries.values()), {
      templatePath: 'x/t/index.html',
      slugs: ['/x/a', '/x/a/b'],
    });
    expect(folders.map(({ path }) => path)).to.deep.equal(['x/a/index.html', 'x/a/b/index.html']);
  });

  it('keeps the file of an existing page, and of two files that of the URL without a slash', () => {
    expect(plan(treeOf('x/a/index.html'), '/x/a')).to.deep.equal([
      { slug: '/x/a', path: 'x/a/index.html', existing: true },
    ]);
    expect(plan(treeOf('x/a.html', 'x/a/index.html'), '/x/a')[0]?.path).to.equal('x/a.html');
  });

  it('finds pages and folders whose names are stored decomposed, and writes beside them in their spelling', () => {
    const tree = treeOf('cafe\u0301/u\u0308ber.html');
    expect(plan(tree, '/café/über', '/café/açaí')).to.deep.equal([
      { slug: '/café/über', path: 'cafe\u0301/u\u0308ber.html', existing: true },
      { slug: '/café/açaí', path: 'cafe\u0301/ac\u0327ai\u0301.html', existing: false },
    ]);
    expect(plan(treeOf('a.html'), '/café/açaí')[0]?.path).to.equal('café/açaí.html');
  });

  it('needs memory only for the paths of folders that many deep paths share', () => {
    const chain = 'a/'.repeat(900);
    const tree = treeOf(...Array.from({ length: 6_000 }, (_, i) => `${i}/${chain}f.html`));
    const before = process.resourceUsage().maxRSS;
    expect(plan(tree, '/0/a/b', '/new/c').map(({ path }) => path)).to.deep.equal([
      '0/a/b.html',
      'new/c.html',
    ]);
    expect((process.resourceUsage().maxRSS - before) / 1024).to.be.below(200);
  });

  it('takes time that grows with the number of files only', () => {
    const slugs = Array.from({ length: 10 }, (_, i) => `/shop/${i}/new`);
    const planIn = (files: number) =>
      plan(
        treeOf(...Array.from({ length: files }, (_, i) => `shop/${i % 1000}/article-${i}.html`)),
        ...slugs,
      );
    expectLinear(5_000, (files) => expect(planIn(files)).to.have.length(10), 'ten pages');
  });
});

describe('findTemplate(tree, pages, slug)', () => {
  it('finds a page whose file name is stored decomposed', () => {
    expect(findTemplate(treeOf('cafe\u0301.html'), pages, '/café')).to.equal('cafe\u0301.html');
  });

  it('prefers the regular file of two with the same slug', () => {
    const tree = linked(memoryTree({}), 'a.html');
    const both = new Map([...tree.entries, ...treeOf('a/index.html').entries]);
    expect(findTemplate({ ...tree, entries: both }, pages, '/a')).to.equal('a/index.html');
  });

  it("explains why a template that is only a symbolic link can't be used", () => {
    expect(() => findTemplate(linked(memoryTree({}), 'a.html'), pages, '/a')).to.throw(
      templateNotFoundError('/a', 'a.html').message,
    );
  });
});

describe('readSiblings(tree, pages, templatePath)', () => {
  const many = (folder: string, count: number) =>
    Array.from({ length: count }, (_, i) => `${folder}page-${i}.html`);
  const names = async (tree: Tree, template = 'x/template.html') =>
    (await readSiblings(tree, pages, template)).map(({ path }) => path);

  it('takes half of its twelve from the folder of the template, half from elsewhere', async () => {
    const found = await names(treeOf('x/template.html', ...many('x/', 40), ...many('y/', 40)));
    expect(found.filter((path) => path.startsWith('x/'))).to.have.length(6);
    expect(found.filter((path) => path.startsWith('y/'))).to.have.length(6);
    expect(found).to.not.include('x/template.html');
  });

  it('takes more of one kind if there are too few of the other', async () => {
    expect(await names(treeOf(...many('x/', 40), 'y.html')))
      .to.have.length(12)
      .and.include('y.html');
    expect(await names(treeOf('x/a.html', ...many('y/', 40))))
      .to.have.length(12)
      .and.include('x/a.html');
  });

  it('skips links, pages that are too large to be read, and pages that are not text', async () => {
    const tree = linked(treeOf('a.html', 'b.html', 'c.html'), 'd.html');
    const entries = new Map(tree.entries).set('b.html', {
      ...tree.entries.get('b.html')!,
      size: 2_000_001,
    });
    const read = (path: string) =>
      path === 'c.html'
        ? Promise.reject(new DomainError('PAGE_UNREADABLE', 'no text'))
        : tree.read(path);
    expect(await names({ ...tree, entries, read })).to.deep.equal(['a.html']);
  });

  it('takes no more bytes than one page may have, all together', async () => {
    const tree = treeOf(...many('x/', 6), ...many('y/', 6));
    const entries = new Map(
      [...tree.entries].map(([path, entry], i) => [
        path,
        { ...entry, size: i === 1 ? 1_900_000 : 300_000 },
      ]),
    );
    const found = await names({ ...tree, entries });
    expect(found)
      .to.have.length(6)
      .and.not.include([...entries.keys()][1]);
  });

  it('fails if the repository does, so that the chrome never differs the next time', async () => {
    const failing = () =>
      Promise.reject(new DomainError('GIT_FAILED', 'interrupted', { retryable: true }));
    const error = await names({ ...treeOf('a.html'), read: failing }).catch(
      (reason: unknown) => reason,
    );
    expect(error).to.have.property('code', 'GIT_FAILED');
  });
});
