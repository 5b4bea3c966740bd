import { expect } from 'chai';
import { testPages as pages } from '../../../../helpers/threads.ts';
import { memoryTree } from '../../memoryTree.ts';
import { demo, openModelTools } from './site.ts';

/** The marked elements of the first navigation: a link's target, or the tag's name. */
const marked = (html: string) => {
  const nav = /<nav[^]*?<\/nav>/.exec(html)![0];
  return [...nav.matchAll(/<(?:a|li)\b[^>]*(?:aria-current|class="[^"]*\bactive\b)[^>]*>/g)].map(
    ([tag]) => /href="([^"]*)"/.exec(tag)?.[1] ?? 'li',
  );
};

const site = (paths: Record<string, string>, entry = 'a') => {
  const nav = (own: string) =>
    Object.entries(paths)
      .map(([path, name]) => {
        const isOwn = path === own;
        const link = `<a${isOwn && entry === 'a' ? ' class="nav active" aria-current="page"' : ' class="nav"'} href="/${path}">${name}</a>`;
        return `<li${isOwn && entry === 'li' ? ' class="active"' : ''}>${link}</li>`;
      })
      .join('');
  return memoryTree(
    Object.fromEntries(
      Object.entries(paths).map(([path, name]) => [
        path,
        `<!doctype html><html lang="en"><head><title>${name}</title></head><body><header><nav><ul>${nav(path)}</ul></nav></header><h1>${name}</h1></body></html>`,
      ]),
    ),
  );
};

describe('the current navigation entry, when a language model creates a page', () => {
  it('is not the entry of the copied page', async () => {
    const { done, changed } = openModelTools(demo, pages);
    await done('create_page', { slug: '/team', from: '/about' });
    const made = changed().get('team.html')!;
    expect(marked(made)).to.deep.equal([]);
    expect(made).to.contain('<li><a href="about">About</a></li>');
    expect(changed().has('about.html')).to.equal(false);
  });

  it('is the entry of the pages above the new page', async () => {
    const { done, changed } = openModelTools(demo, pages);
    await done('create_page', { slug: '/services/seo', from: '/services' });
    await done('create_page', { slug: '/seo', from: '/services/web-design' });
    await done('create_page', { slug: '/services/audit', from: '/services/web-design' });
    const nav = (path: string) => /<nav[^]*?<\/nav>/.exec(changed().get(path)!)![0];
    const above = / class="active" aria-current="true">Services</;
    expect(nav('services/seo/index.html')).to.match(above);
    expect(nav('services/audit/index.html')).to.match(above);
    expect(marked(changed().get('services/seo/index.html')!)).to.have.length(1);
    expect(marked([...changed()].find(([path]) => path.startsWith('seo'))![1]!)).to.deep.equal([]);
  });

  for (const entry of ['a', 'li'])
    for (const count of [1, 2, 3])
      it(`is right on a site of ${count} pages that mark ${entry}`, async () => {
        const all = { 'about.html': 'About', 'index.html': 'Home', 'contact.html': 'Contact' };
        const paths = Object.fromEntries(Object.entries(all).slice(0, count));
        const tree = site(paths, entry);
        const { done, changed } = openModelTools(tree, pages);
        await done('create_page', { slug: '/team', from: '/about' });
        const made = changed().get('team.html')!;
        expect(marked(made)).to.deep.equal([]);
        expect(made).to.contain('<a class="nav" href="/about.html">About</a>');
        expect(changed().has('about.html')).to.equal(false);
      });

  it('is the entry of each page if a new entry is added everywhere', async () => {
    const { done, changed } = openModelTools(demo, pages);
    await done('create_page', { slug: '/locations/team', from: '/locations/austin' });
    const old = '<li><a href="about">About</a></li>';
    const edit = { old, new: `${old}<li><a href="locations/team">Team</a></li>` };
    const answer = await done('edit_html', { slug: '/', edits: [edit], everywhere: true });
    expect(answer).to.match(/^Also on 14 other pages$/m);
    expect(marked(changed().get('about.html')!)).to.deep.equal(['about']);
    expect(marked(changed().get('locations/denver.html')!)).to.deep.equal(['../locations/']);
    expect(changed().get('blog/index.html')).to.contain('<a href="../locations/team">Team</a>');
    expect(changed().get('locations/denver.html')).to.contain('<a href="team">Team</a>');
  });

  it('stays in the surrounding menu', async () => {
    const nav = (own: string) =>
      `<nav><ul><li class="active"><a href="/shop">Shop</a><ul><li><a href="/shop/a">A</a></li>${own}</ul></li><li><a href="/team">Team</a></li></ul></nav>`;
    const page = `<!doctype html><html lang="en"><head><title>B</title></head><body>${nav('')}<h1>B</h1></body></html>`;
    const source = await pages.rebuild(
      { path: 'shop/b.html', source: page },
      {
        kind: 'add-entry',
        entry: {
          page: { path: 'shop/b.html', slug: '/shop/b' },
          text: 'B',
          after: 'A',
          marks: { link: [], block: ['active'] },
        },
      },
    );
    expect(source?.source ?? '').to.contain('<li class="active"><a href="/shop">Shop');
  });

  it('is an entry that already linked to the new page before it existed', async () => {
    const tree = site({ 'about.html': 'About', 'index.html': 'Home', 'team.html': 'Team' });
    const without = {
      ...tree,
      entries: new Map([...tree.entries].filter(([path]) => path !== 'team.html')),
    };
    const { done, changed } = openModelTools(without, pages);
    await done('create_page', { slug: '/team', from: '/about' });
    expect(marked(changed().get('team.html')!)).to.deep.equal(['/team.html']);
  });
});
