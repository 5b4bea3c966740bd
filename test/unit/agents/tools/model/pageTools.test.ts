import { expect } from 'chai';
import { testPages as pages } from '../../../../helpers/threads.ts';
import { memoryTree } from '../../memoryTree.ts';
import { demo, openModelTools } from './site.ts';

const page = (lang: string, head = '') => `<!doctype html>
<html lang="${lang}">
<head>
<title>A</title>
<meta property="og:locale" content="en_US">
<link rel="canonical" href="https://acme.example/a">
${head}</head>
<body><h1>A</h1></body>
</html>
`;

describe('pages, for a language model', () => {
  it('are made from others, and their outline is answered', async () => {
    const { done, changed } = openModelTools(demo, pages);
    const answer = await done('create_page', { slug: '/team', from: '/about' });
    expect(answer).to.match(/^Created \/team\n[^]*h1 Eleven people/);
    expect(changed().get('team.html')).to.contain(
      '<link rel="canonical" href="https://www.northwind.example/team">',
    );
  });

  it('are made with some sections only, with what is around them, byte for byte', async () => {
    const { done, changed } = openModelTools(demo, pages);
    const outline = await done('read_page', { slug: '/about' });
    const people = /(\S+) h2 People/.exec(outline)![1]!;
    await done('create_page', { slug: '/team', from: '/about', sections: [people] });
    const team = changed().get('team.html')!;
    expect(team)
      .to.contain('<dt>Maren Holt</dt>')
      .and.to.contain('<h1>Eleven')
      .and.to.contain('class="site-footer"');
    expect(team).not.to.contain('What we believe');
    expect(team).not.to.contain('What we will not do');
    const about = await demo.read('about.html');
    const section = /      <section class="section" aria-labelledby="people">[^]*?<\/section>/.exec(
      about,
    )![0];
    expect(team).to.contain(section);
    expect(changed().has('about.html')).to.equal(false);
  });

  const parts = (...names: string[]) =>
    names
      .map((name) => `<section id="${name}"><h2>The ${name}</h2><p>All of ${name}.</p></section>`)
      .join('\n');
  const menu =
    '<nav><a href="#menu-top">Top</a><a href="#work">Work</a><a href="#team">Team</a><a href="#caf%C3%A9">Café</a></nav>';
  const onePage = (path: string) =>
    memoryTree({
      [path]: `<!doctype html>\n<html lang="en"><head><title>A</title></head>\n<body id="menu-top">${menu}<h1>A</h1>\n${parts('work', 'team', 'café')}\n</body></html>\n`,
    });

  for (const [path, from, home] of [
    ['index.html', '/', '/'],
    ['de/index.html', '/de', '/de/'],
  ] as const)
    it(`are made of ${from} with links to the parts of it that they do not have`, async () => {
      const { done, changed } = openModelTools(onePage(path), pages);
      const team = /(\S+) h2 The team/.exec(await done('read_page', { slug: from }))![1]!;
      const answer = await done('create_page', { slug: '/about', from, sections: [team] });
      expect(answer).to.contain(
        `Created /about; 2 links to what was left out now lead to ${from}\n`,
      );
      const hrefs = [...[...changed().values()][0]!.matchAll(/href="([^"]*)"/g)].map(
        ([, href]) => href,
      );
      expect(hrefs).to.deep.equal(['#menu-top', `${home}#work`, '#team', `${home}#caf%C3%A9`]);
    });

  it('hide nothing of each other as what the whole site has', async () => {
    const { done } = openModelTools(onePage('index.html'), pages);
    const before = await done('read_page', { slug: '/' });
    const created = await done('create_page', { slug: '/about', from: '/' });
    const again = await done('create_page', { slug: '/us', from: '/about' });
    for (const outline of [created, again])
      expect(outline).to.contain('h2 The team').and.contain('p All of work');
    expect(await done('read_page', { slug: '/' })).to.equal(before);
  });

  it('are made in another language: both pages name each other', async () => {
    const { done, changed } = openModelTools(memoryTree({ 'a.html': page('en') }), pages);
    expect(await done('create_page', { slug: '/de/a', from: '/a', lang: 'de' })).to.match(
      /^Created \/de\/a in de; it and \/a name each other by hreflang\n/,
    );
    const links = (
      own: string,
      first: string,
      other: string,
    ) => `<link rel="canonical" href="https://acme.example${own}">
<link rel="alternate" hreflang="${first}" href="https://acme.example${own}">
<link rel="alternate" hreflang="${other}" href="https://acme.example${own === '/a' ? '/de/a' : '/a'}">
`;
    expect(changed().get('a.html')).to.contain(links('/a', 'en', 'de'));
    expect(changed().get('de/a.html'))
      .to.contain(links('/de/a', 'de', 'en'))
      .and.to.contain('<html lang="de">')
      .and.to.contain('content="de_DE"');
  });

  it('keep the pairs that they have, and get no second one', async () => {
    const own = '<link rel="alternate" hreflang="en" href="https://acme.example/a">\n';
    const { done, changed } = openModelTools(memoryTree({ 'a.html': page('en', own) }), pages);
    await done('create_page', { slug: '/de/a', from: '/a', lang: 'de' });
    expect(changed().get('a.html')!.split('hreflang="en"')).to.have.length(2);
    expect(
      changed()
        .get('de/a.html')!
        .match(/hreflang="[a-z]+"/g),
    ).to.have.members(['hreflang="de"', 'hreflang="en"']);
    await done('create_page', { slug: '/b', from: '/a', lang: 'en' });
    expect(
      changed()
        .get('b.html')!
        .match(/hreflang="[a-z]+"/g),
    ).to.deep.equal(['hreflang="en"']);
  });

  it('are not made at places that no page can have, from what is not there, or in no language', async () => {
    const { refusal, changed } = openModelTools(demo, pages);
    for (const slug of ['/../x', '/.git/x', '/about', '/a b', '/%2e%2e/x', '/'])
      expect(await refusal('create_page', { slug, from: '/about' }), slug).not.to.match(
        /^not refused/,
      );
    expect(await refusal('create_page', { slug: '/x', from: '/nope' })).to.match(/Page not found/);
    expect(await refusal('create_page', { slug: '/x', from: '/about', sections: ['s1'] })).to.match(
      /no section/,
    );
    for (const lang of ['', 'x', 'de" onload="x', '../de', 'de_DE'])
      expect(await refusal('create_page', { slug: '/x', from: '/about', lang }), lang).to.match(
        /Wrong arguments/,
      );
    expect(changed().size).to.equal(0);
  });

  it('can be deleted and moved, but never the home page; links that break are named', async () => {
    const { done, refusal, changed } = openModelTools(demo, pages);
    expect(await refusal('delete_page', { slug: '/' })).to.match(/home page "\/" can't be deleted/);
    expect(await refusal('move_page', { slug: '/', to: '/x' })).to.match(
      /home page "\/" can't be moved/,
    );
    expect(await done('delete_page', { slug: '/services/care-plans' })).to.match(
      /still linked from /,
    );
    await done('move_page', { slug: '/about', to: '/company' });
    expect(changed().get('index.html')).to.contain('company');
  });

  it('lose and move sections: the answer has what is left, in its order', async () => {
    const { done } = openModelTools(demo, pages);
    const outline = await done('read_page', { slug: '/about' });
    const id = (name: string) => new RegExp(`(\\S+) h2 ${name}`).exec(outline)![1]!;
    const slug = '/about';
    expect(
      await done('move_section', {
        slug,
        section: id('What we will'),
        before: id('What we believe'),
      }),
    ).to.match(/^Sections of \/about:\ns\d+ h2 What we will not do\ns\d+ h2 What we believe/);
    const left = await done('remove_section', { slug, section: id('What we believe') });
    expect(left).to.match(/^Sections of \/about:\ns\d+ h2 What we will not do\ns\d+ h2 People/);
  });
});
