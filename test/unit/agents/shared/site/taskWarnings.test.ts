import { expect } from 'chai';
import { createPageNote } from '../../../../../src/contract/task.ts';
import {
  createTaskWarnings,
  brokenLinksSentence,
  omittedNotesSentence,
} from '../../../../../src/agents/shared/site/taskWarnings.ts';

describe('createTaskWarnings(site).list()', () => {
  const files = Array.from({ length: 500 }, (_, n) => ({ slug: `/p${n}`, path: `p${n}.html` }));
  const redirects = { problems: () => [], filesFor: () => [] };
  const site = {
    redirects,
    files: () => files,
    changes: () => [],
    query: () => Promise.resolve([]) as never,
    moved: () => moved,
  };
  let moved: { from: string; to: string; isOver: boolean }[] = [];

  it('stays small, whatever the number and length of the warnings', async () => {
    const warnings = createTaskWarnings(site);
    for (let n = 0; n < 500; n++)
      warnings.add(createPageNote(`/p${n}`, 'part', 'long '.repeat(4_000)));
    const list = (await warnings.list()).map(({ text }) => text);
    expect(list).to.have.length(101);
    expect(list.at(-1)).to.equal(omittedNotesSentence(400));
    expect(Math.max(...list.map(({ length }) => length))).to.equal(500);
    expect(list[0]).to.match(/^\/p0: long .*…$/);
  });

  it('lists the pages that link to a deleted one, as they are at that time', async () => {
    const links = new Map([
      ['/p1', 1],
      ['/p2', 3],
    ]);
    const read: string[] = [];
    let written: { path: string; content: string }[] = [];
    const warnings = createTaskWarnings({
      ...site,
      changes: () => written,
      query: (({ slug }: { slug: string }) => {
        read.push(slug);
        return Promise.resolve(
          Array.from({ length: links.get(slug) ?? 0 }, () => ({ slug: '/gone' })),
        );
      }) as never,
    });
    expect(await warnings.deleted({ slug: '/gone', path: 'gone.html' })).to.deep.equal([
      '/p1',
      '/p2',
    ]);
    const texts = async () => (await warnings.list()).map(({ text }) => text);
    expect(await texts()).to.deep.equal([brokenLinksSentence('/gone', ['/p1', '/p2 (3 links)'])]);
    expect(read, 'a page is read once').to.have.length(500);
    links.set('/p2', 0).set('/p7', 1);
    written = [
      { path: 'p2.html', content: 'b' },
      { path: 'p7.html', content: 'c' },
    ];
    expect(await texts()).to.deep.equal([brokenLinksSentence('/gone', ['/p1', '/p7'])]);
    expect(read.slice(500), 'those that were written once more').to.deep.equal(['/p2', '/p7']);
  });

  it('omits what no longer holds, and reports new warnings once', async () => {
    const [one, other] = [
      createPageNote('/p1', 'part', 'one'),
      createPageNote('/p2', 'part', 'other'),
    ];
    let pages = files;
    const holds = new Set([one.text, other.text]);
    const warnings = createTaskWarnings({ ...site, files: () => pages });
    const texts = async () => (await warnings.list()).map(({ text }) => text);
    for (const note of [one, other])
      warnings.addTested(note, (now) =>
        Promise.resolve(now(note.page!) !== undefined && holds.has(note.text)),
      );
    expect(await warnings.listChanges()).to.deep.equal({ added: [one.text, other.text], gone: [] });
    expect(await warnings.listChanges()).to.deep.equal({ added: [], gone: [] });
    holds.delete(one.text);
    expect(await warnings.listChanges()).to.deep.equal({ added: [], gone: [one.text] });
    moved = [{ from: '/p2', to: '/new', isOver: false }];
    pages = [{ slug: '/new', path: 'new.html' }];
    expect(await warnings.list()).to.deep.equal([{ ...other, page: '/new', text: '/new: other' }]);
    pages = [];
    expect(await texts()).to.deep.equal([]);
  });

  it('keeps a note that was added twice until neither cause holds', async () => {
    const note = createPageNote('/p1', 'part', 'the new item leads to /a');
    const warnings = createTaskWarnings(site);
    const holds = [true, true];
    for (const i of [0, 1]) warnings.addTested(note, () => Promise.resolve(holds[i]!));
    holds[1] = false;
    expect(await warnings.list()).to.deep.equal([note]);
    holds[0] = false;
    expect(await warnings.list()).to.deep.equal([]);
  });
});
