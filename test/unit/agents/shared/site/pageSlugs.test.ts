import { expect } from 'chai';
import { createSlugReader } from '../../../../../src/agents/shared/site/pageSlugs.ts';
import type { Tree } from '../../../../../src/sites/git/repository.ts';
import { pagePaths } from '../../../../../src/sites/formats/paths.ts';

describe('createSlugReader(tree, pages)', () => {
  it('normalizes a path once for as long as its tree is in use', () => {
    const normalized: string[] = [];
    const pages = {
      slugOf(path: string) {
        normalized.push(path);
        return pagePaths.slugOf(path);
      },
    };
    const path = 'cafe\u0301.html';
    const [tree, otherTree] = [{}, {}] as unknown as [Tree, Tree];
    for (const each of [tree, tree, otherTree])
      expect(createSlugReader(each, pages)(path)).to.equal('/caf\u00e9');
    expect(normalized).to.deep.equal([path, path]);
    expect(createSlugReader(tree, pages)('about.html')).to.equal('/about');
  });
});
