import { expect } from 'chai';
import { createSiteEdits } from '../../../src/agents/siteEdits.ts';
import { texts } from '../../helpers/texts.ts';
import { memoryTree } from './memoryTree.ts';
import { testPages as pages } from '../../helpers/threads.ts';

describe('createSiteEdits(tree)', () => {
  it('lists the pages again only after a write', async () => {
    const files = Object.fromEntries(Array.from({ length: 200 }, (_, n) => [`p${n}.html`, `<title>${n}</title>`]));
    let looked = 0;
    const isPage = (path: string) => ++looked > 0 && pages.isPage(path);
    const site = createSiteEdits(memoryTree(files), { ...pages, isPage }, texts);
    for (let n = 0; n < 200; n++) expect(site.find(`/p${n}`)?.path).to.equal(`p${n}.html`);
    expect([site.find('/p200'), site.files().length, looked]).to.deep.equal([undefined, 200, 200]);

    await site.remove(site.find('/p7')!);
    expect([site.find('/p7'), site.files().length, looked]).to.deep.equal([undefined, 199, 399]);
    await site.move(site.find('/p8')!, { slug: '/p7', path: 'p7.html' });
    expect([site.find('/p7')?.path, site.find('/p8')]).to.deep.equal(['p7.html', undefined]);
    await site.edit(site.find('/p9')!, async () => '<title>New</title>');
    expect((await site.read(site.find('/p9')!)).title).to.equal('New');
  });
});
