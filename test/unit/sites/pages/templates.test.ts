import { expect } from 'chai';
import { pagePaths } from '../../../../src/sites/formats/paths.ts';
import type { PageMethods } from '../../../../src/sites/pages/pages.ts';
import { readSiblings } from '../../../../src/sites/pages/templates.ts';
import { memoryTree } from '../../agents/memoryTree.ts';

describe('readSiblings(tree, pages, templatePath)', () => {
  let asked: number;
  beforeEach(() => (asked = 0));
  const pages = {
    isPage: (path: string) => {
      asked++;
      return pagePaths.handles(path);
    },
  } as PageMethods;
  const files = (paths: string[]) =>
    Object.fromEntries(paths.toSorted().map((path) => [path, `<h1>${path}</h1>`]));
  const numbered = (folder: string, count: number) =>
    Array.from({ length: count }, (_, n) => `${folder}/${String(n).padStart(5, '0')}.html`);
  const siblingsOf = async (paths: string[], template: string) => {
    const siblings = await readSiblings(memoryTree(files(paths)), pages, template);
    return siblings.map(({ path }) => path);
  };

  it('takes half neighbours and half others, in the order of their paths', async () => {
    const [near, far] = [numbered('cities', 20), numbered('shops', 20)];
    const siblings = await siblingsOf([...near, ...far, 'style.css'], near[0]!);
    expect(siblings).to.deep.equal([...near.slice(1, 7), ...far.slice(0, 6)]);
  });

  it('takes more neighbours if there are few others', async () => {
    const near = numbered('cities', 20);
    const siblings = await siblingsOf([...near, 'index.html'], near[0]!);
    expect(siblings).to.deep.equal([...near.slice(1, 7), 'index.html', ...near.slice(7, 12)]);
  });

  it('requests only as many files of a large site as it needs', async () => {
    const [near, far] = [numbered('cities', 3), numbered('shops', 10_000)];
    expect(await siblingsOf([...near, ...far], near[0]!)).to.have.length(12);
    expect(asked).to.be.below(20);
  });
});
