import { expect } from 'chai';
import { createSiteEdits } from '../../../../../src/agents/shared/site/siteEdits.ts';
import { DomainError } from '../../../../../src/errors.ts';
import type { PageSource } from '../../../../../src/sites/formats/format.ts';
import { texts } from '../../../../helpers/texts.ts';
import { memoryTree } from '../../memoryTree.ts';
import { testPages as pages, withMethods } from '../../../../helpers/threads.ts';

describe('createSiteEdits({ tree, pages, texts })', () => {
  it('lists the pages again only after a write', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 200 }, (_, n) => [`p${n}.html`, `<title>${n}</title>`]),
    );
    let looked = 0;
    const isPage = (path: string) => ++looked > 0 && pages.isPage(path);
    const site = createSiteEdits({
      tree: memoryTree(files),
      pages: withMethods(pages, { isPage }),
      texts,
    });
    for (let n = 0; n < 200; n++) expect(site.find(`/p${n}`)?.path).to.equal(`p${n}.html`);
    expect([site.find('/p200'), site.files().length, looked]).to.deep.equal([undefined, 200, 200]);

    await site.remove(site.find('/p7')!);
    expect([site.find('/p7'), site.files().length, looked]).to.deep.equal([undefined, 199, 399]);
    await site.move(site.find('/p8')!, { slug: '/p7', path: 'p7.html' });
    expect([site.find('/p7')?.path, site.find('/p8')]).to.deep.equal(['p7.html', undefined]);
    await site.writeFile('p9.html', '<title>New</title>');
    expect((await site.read(site.find('/p9')!)).title).to.equal('New');
  });

  const site = (files: Record<string, string>, own: Partial<typeof pages> = {}) =>
    createSiteEdits({ tree: memoryTree(files), pages: withMethods(pages, own), texts });
  const broken = (error: Error) => ({
    read: (page: PageSource) => (page.path === 'b.html' ? Promise.reject(error) : pages.read(page)),
  });
  const files = { 'a.html': '<title>A</title>', 'b.html': '<title>B</title>' };

  it('omits the title of a page that can never be read, and fails if it may be read later', async () => {
    const never = site(files, broken(new DomainError('PAGE_UNREADABLE', 'No UTF-8')));
    expect(await never.titles()).to.deep.equal([
      { slug: '/a', title: 'A' },
      { slug: '/b', title: '' },
    ]);
    const error = new DomainError('UNAVAILABLE', 'A thread ended', { retryable: true });
    expect(
      await site(files, broken(error))
        .titles()
        .catch((reason: unknown) => reason),
    ).to.equal(error);
  });

  it('reads a page again after a failure', async () => {
    const errors = [new DomainError('UNAVAILABLE', 'A thread ended', { retryable: true })];
    const edits = site(files, {
      read: (page) => (errors[0] ? Promise.reject(errors.pop()!) : pages.read(page)),
    });
    const [page] = edits.files();
    expect(await edits.read(page!).catch((error: unknown) => error)).to.include({
      code: 'UNAVAILABLE',
    });
    expect((await edits.read(page!)).title).to.equal('A');
  });

  it('reports the size of everything that it holds, and limits what it keeps of pages that it has read', async () => {
    const text = 'word '.repeat(200_000);
    const slots = [{ id: 's1', role: 'paragraph', text, parts: [] }] as never;
    const many = Object.fromEntries(
      Array.from({ length: 60 }, (_, n) => [`p${n}.html`, `<title>${n}</title>`]),
    );
    const edits = site(many, {
      read: ({ path }) => Promise.resolve({ slug: path, title: path, slots, opaque: [] }),
    });
    await edits.read(edits.files()[0]!);
    expect(edits.size()).to.be.at.least(text.length);
    await edits.titles();
    expect(edits.size()).to.be.within(10 * text.length, 16_100_000);
  });
});
