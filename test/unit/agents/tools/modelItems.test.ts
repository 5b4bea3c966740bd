import { expect } from 'chai';
import { testPages as pages } from '../../../helpers/threads.ts';
import { openSite, type SiteName } from '../../../eval/sites.ts';
import { memoryTree } from '../memoryTree.ts';
import { openModelTools } from './model/site.ts';

const slug = '/pricing';

const navOf = (page: string) => /<nav class="site-nav"[^]*?<\/nav>/.exec(page)![0];

describe('items of groups, as a language model changes them', () => {
  const open = (name: SiteName = 'demo') => openModelTools(openSite(name).tree, pages);
  const items = [['Mini', '$900', 'One page.', 'Choose Mini']];

  it('come with their texts and links, and answer their ids and the outline of the group', async () => {
    const { done, changed } = open();
    const answer = await done('add_items', {
      slug,
      group: 'g54',
      after: 0,
      items,
      links: [['/about']],
    });
    expect(answer.split('\n').slice(0, 9)).to.deep.equal([
      'Added n2, n3, n4, n6. Done',
      '[g54.0] s55 h3 Starter',
      's56 p $4,800',
      's57 p For a new business that needs a good home: five pages in four weeks.',
      's59 btn(/contact) Choose Starter',
      '[g54.1] n2 h3 Mini',
      'n3 p $900',
      'n4 p One page.',
      'n6 btn(/about) Choose Mini',
    ]);
    expect(changed().get('pricing.html')).to.match(/<h3>Mini<\/h3>[^]*href="about">Choose Mini/);
    expect(changed().size).to.equal(1);
  });

  it('say what a member has where there are too many or too few texts and links', async () => {
    const { refusal, changed } = open();
    const add = (more: object) =>
      refusal('add_items', { slug, group: 'g54', after: 0, items, ...more });
    expect(await add({ items: [['A']] })).to.match(
      /g54 has 4 texts \(s67 "Atlas", s68 "\$18,000", .*\), and 1 are given/,
    );
    expect(await add({ links: [['/about', '/about']] })).to.match(/has 1 link, and 2 are given/);
    expect(await add({ links: [['/about'], ['/about']] })).to.match(
      /2 lists of links for 1 new member/,
    );
    expect(await add({ links: [['javascript:x']] })).to.match(/a link leads to/);
    expect(await add({ links: [['/abot']] })).to.match(/closest are \/about/);
    expect(await add({ after: 3 })).to.match(/members 0 to 2, none with 3/);
    expect(await add({ group: 'g55' })).to.match(
      /no group "g55"; there are g\d+ \(6 members\), g54 \(3 members\)/,
    );
    expect(await add({ items: Array.from({ length: 13 }, () => items[0]) })).to.match(/12 items/);
    expect(await refusal('remove_items', { slug, group: 'g54', indexes: [0, 1, 2] })).to.match(
      /last member/,
    );
    expect([...changed()]).to.deep.equal([]);
  });

  it('go, and change places, and answer the outline', async () => {
    const { done, changed } = open();
    const before = openSite('demo').source('pricing.html');
    const moved = await done('move_items', { slug, group: 'g54', members: [0, 2] });
    expect(moved).to.match(/^Done\n\[g54\.0\*?\] s67 h3 Atlas\n[^]*\[g54\.2\*?\] s55 h3 Starter/);
    expect(changed().get('pricing.html')!.length).to.equal(before.length);
    await done('move_items', { slug, group: 'g54', members: [0, 2] });
    expect([...changed()]).to.deep.equal([]);
    const removed = await done('remove_items', { slug, group: 'g54', indexes: [1] });
    expect(removed.split('\nNote: ')[0]).not.to.contain('Studio');
    expect(removed).to.match(/^Done\n\[g54\.0\] s55 [^]*\[g54\.1\*\] s67 /);
  });

  it('stay by their numbers, and all others go', async () => {
    const { done, refusal, changed } = open();
    const remove = (args: object) => refusal('remove_items', { slug, group: 'g54', ...args });
    expect(await remove({ keep: [3] })).to.match(/3/);
    expect(await remove({ keep: [0, 1, 2] })).to.equal(
      'g54 has no other members: there is nothing to remove',
    );
    expect(await remove({})).to.match(/^Wrong arguments for remove_items/);
    expect(await remove({ keep: [0], indexes: [1] })).to.match(/^Wrong arguments for remove_items/);
    expect(changed().size).to.equal(0);
    const left = await done('remove_items', { slug, group: 'g54', keep: [2, 0] });
    expect(left).to.match(/^Done\n\[g54\.0\] s55 [^]*\[g54\.1\*\] s67 /);
    expect(left.split('\nNote: ')[0]).not.to.contain('Studio');
  });

  describe('in the navigation', () => {
    it('come on every page, with addresses of its own, and marked on their own page alone', async () => {
      const { done, changed } = open();
      const answer = await done('add_items', {
        slug: '/pricing',
        group: 'g32',
        after: 3,
        items: [['Care plans']],
        links: [['/services/care-plans']],
        everywhere: true,
      });
      expect(answer).to.match(
        /^Added n2 on 14 pages\n[^]*\[g32\.4\] n2 a\(\/services\/care-plans\) Care plans/,
      );
      const entry = /<li><a [^>]*>Care plans<\/a><\/li>(?=\s*<li><a [^>]*>Journal)/;
      for (const [path, content] of changed()) expect(content, path).to.match(entry);
      const on = (path: string) => entry.exec(changed().get(path)!)![0];
      expect(on('pricing.html')).to.equal('<li><a href="services/care-plans/">Care plans</a></li>');
      expect(on('locations/austin.html')).to.equal(
        '<li><a href="../services/care-plans/">Care plans</a></li>',
      );
      expect(on('services/care-plans/index.html'))
        .to.match(/href="\.\/"/)
        .and.to.match(/class="active" aria-current="page"/);
    });

    it('of the footer come there, on every page', async () => {
      const { done, changed } = open();
      const add = {
        slug,
        group: 'g173',
        after: 0,
        items: [['Talk to us']],
        links: [['/contact']],
        everywhere: true,
      };
      expect(await done('add_items', add)).to.match(/^Added n2 on 1[34] pages/);
      for (const [path, content] of changed())
        expect(content, path).to.match(
          /About us<\/a><\/li>\s*<li><a href="\/contact"[^>]*>Talk to us<\/a>/,
        );
    });

    it('go and change places on every page', async () => {
      const { done, changed } = open();
      expect(
        await done('remove_items', { slug, group: 'g32', indexes: [4], everywhere: true }),
      ).to.match(/^Done on 14 pages/);
      for (const [path, content] of changed())
        expect(navOf(content!), path).not.to.contain('Journal');
      expect(
        await done('move_items', { slug, group: 'g32', members: [0, 1], everywhere: true }),
      ).to.match(/^Done on 14 pages/);
      expect(changed().get('about.html')).to.match(
        />Pricing<\/a><\/li>\s*<li><a [^>]*>Services<\/a>/,
      );
    });

    it('come where a page nests its list in another way, and elsewhere not', async () => {
      const { done, changed } = open('business');
      const chrome = await done('read_page', { slug: '/about', part: 'chrome' });
      const [, group] = /\[(g\d+)\.0\] s\d+ a\(\/\) Home/.exec(chrome)!;
      const answer = await done('add_items', {
        slug: '/about',
        group,
        after: 1,
        items: [['Work']],
        links: [['/portfolio-item']],
        everywhere: true,
      });
      expect(answer).to.match(/^Added n\d+ on 9 pages/);
      for (const [path, content] of changed())
        expect(content, path).to.match(
          /About<\/a><\/li>\s*<li class="nav-item"><a class="nav-link" href="portfolio-item.html">Work<\/a><\/li>/,
        );
    });

    it('of other kinds are copied with their texts and links', async () => {
      const list = (extra = '') =>
        `<footer><ul><li><a href="tel:+1">Call</a></li><li><a href="mailto:a@a.example">Mail</a></li>${extra}</ul></footer>`;
      const page = (name: string) => `<main><h1>${name}</h1></main>${list()}`;
      const { done, changed } = openModelTools(
        memoryTree({ 'index.html': page('A'), 'b.html': page('B') }),
        pages,
      );
      const chrome = await done('read_page', { slug: '/', part: 'chrome' });
      const [, group] = /\[(g\d+)\.0\]/.exec(chrome)!;
      await done('add_items', {
        slug: '/',
        group,
        after: 1,
        items: [['Chat']],
        links: [['https://chat.example/']],
        everywhere: true,
      });
      expect(changed().get('b.html')).to.equal(
        `<main><h1>B</h1></main>${list('<li><a href="https://chat.example/">Chat</a></li>')}`,
      );
    });
  });
});
