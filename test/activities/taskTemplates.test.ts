import { expect } from 'chai';
import { createTaskTemplates } from '../../activities/taskTemplates.ts';
import type { SiteWithRepository } from '../../src/contract/site.ts';
import { testPages, withMethods } from '../helpers/threads.ts';
import { memoryTree } from '../unit/agents/memoryTree.ts';

const site = { siteId: 's', organizationId: 'o', repository: { root: '' } } as SiteWithRepository;
const path = 'cities/austin.html';
const files = { [path]: '<title>Austin</title><h1>Austin</h1>', 'about.html': '<h1>About</h1>' };

describe('createTaskTemplates({ pages })', () => {
  let reads = 0;
  beforeEach(() => void (reads = 0));

  const create = (fails = 0) =>
    createTaskTemplates({
      pages: {
        for: (work) =>
          withMethods(testPages.for(work), {
            readTemplate: (...sources) => {
              if (++reads <= fails) throw new Error('no');
              return testPages.for(work).readTemplate(...sources);
            },
          }),
      },
    });

  it('reads the template of a commit once, for its check and for all pages', async () => {
    const templates = create();
    const tree = memoryTree(files);
    const [first, ...others] = await Promise.all(
      Array.from({ length: 11 }, () => templates({ site, tree, path })),
    );
    expect(first!.slug).to.equal('/cities/austin');
    expect(first!.content.slots.map(({ text }) => text)).to.include('Austin');
    for (const other of others) expect(other.content).to.equal(first!.content);
    expect(reads).to.equal(1);
  });

  it('reads the templates of other commits and sites anew', async () => {
    const templates = create();
    const tree = memoryTree(files);
    await templates({ site, tree, path });
    await templates({ site, tree: { ...tree, commit: 'later' }, path });
    await templates({ site: { ...site, siteId: 'other' }, tree, path });
    expect(reads).to.equal(3);
  });

  it('reads a template again after a read that failed', async () => {
    const templates = create(1);
    const tree = memoryTree(files);
    expect(await templates({ site, tree, path }).catch(String)).to.equal('Error: no');
    expect((await templates({ site, tree, path })).slug).to.equal('/cities/austin');
  });
});
