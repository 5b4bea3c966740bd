import { expect } from 'chai';
import type { PageUrlRule, Site } from '../../../../src/contract/site.ts';
import { readExpectedPages } from '../../../../src/hosting/external/expectedPages.ts';
import type { Tree } from '../../../../src/sites/git/repository.ts';
import { ownHost } from '../../../helpers/ownHost.ts';
import { testPages } from '../../../helpers/threads.ts';

const configuration = { path: 'hugo.toml', source: 'baseURL = "https://acme.example"' };

/** @param hasConfiguration whether the site has the configuration of a generator */
const treeOf = (page: { path: string; source: string }, hasConfiguration: boolean) => {
  const files = hasConfiguration ? [page, configuration] : [page];
  return {
    entries: new Map(
      files.map(({ path, source }) => [
        path,
        { path, id: path, mode: '100644', size: source.length },
      ]),
    ),
    read: (path: string) => Promise.resolve(files.find((file) => file.path === path)!.source),
  } as unknown as Tree;
};

describe('readExpectedPages', () => {
  const expectedPaths = async (
    path: string,
    {
      pageUrls = [],
      isHugo = false,
      write = (text) => `# ${text}`,
    }: { pageUrls?: PageUrlRule[]; isHugo?: boolean; write?: (text: string) => string },
  ) => {
    const [expected] = await readExpectedPages(testPages, {
      site: { organizationId: 'acme', ownHost: { ...ownHost, pageUrls } } as Site,
      before: treeOf({ path, source: write('The old office in Porto') }, isHugo),
      after: treeOf({ path, source: write('Our new office in Lisbon') }, isHugo),
      pages: [{ slug: testPages.slugOf(path), path }],
    });
    if (!path.endsWith('.html'))
      expect(expected?.texts).to.deep.equal(['Our new office in Lisbon']);
    return expected?.paths;
  };

  it('expects a page in HTML at the name of its file, with and without its ending', async () => {
    expect(await expectedPaths('about.html', {})).to.deep.equal([
      '/about',
      '/about/',
      '/about.html',
    ]);
    expect(await expectedPaths('about/index.html', {})).to.deep.equal(['/about/', '/about']);
  });

  it('expects a page in Markdown where the configuration of the generator says', async () => {
    const isHugo = true;
    expect(await expectedPaths('content/blog/x.md', { isHugo })).to.deep.equal([
      '/blog/x/',
      '/blog/x',
      '/blog/x.html',
    ]);
    expect(await expectedPaths('content/_index.md', { isHugo })).to.deep.equal(['/']);
  });

  it('expects a page in Markdown where a rule of the site says', async () => {
    const pageUrls = [{ folder: 'src/content/blog', pattern: '/articles/:slug' }];
    expect(await expectedPaths('src/content/blog/x.md', { pageUrls })).to.deep.equal([
      '/articles/x',
      '/articles/x/',
      '/articles/x.html',
    ]);
  });

  it('expects an entry of a data file where the rule of the file says', async () => {
    const pageUrls = [{ folder: 'src/_data/cities.json', pattern: '/cities/:slug/' }];
    const expected = ['/cities/lisbon/', '/cities/lisbon', '/cities/lisbon.html'];
    const path = 'src/_data/cities.json#lisbon';
    const write = (title: string) => JSON.stringify({ title });
    expect(await expectedPaths(path, { pageUrls, write })).to.deep.equal(expected);
    const writeWithSlug = (title: string) => JSON.stringify({ slug: 'lisbon', title });
    expect(
      await expectedPaths('src/_data/cities.json#x', { pageUrls, write: writeWithSlug }),
    ).to.deep.equal(expected);
  });

  it('expects a page in Markdown nowhere if neither says it', async () => {
    expect(await expectedPaths('src/content/blog/x.md', {})).to.deep.equal([]);
  });
});
