import { expect } from 'chai';
import { callProblems } from '../../../../../src/agents/model/tools/modelTools.ts';
import { creationTexts } from '../../../../../src/agents/model/tools/pageTools.ts';
import { pageNotFound } from '../../../../../src/agents/shared/tools/pageNotFound.ts';
import { pageTexts } from '../../../../../src/agents/shared/tools/wholePages.ts';
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

describe('page tools of a language model', () => {
  it('create pages from others, and return their outlines', async () => {
    const { done, changed } = openModelTools(demo, pages);
    const answer = await done('create_page', { slug: '/team', from: '/about' });
    expect(answer.split('\n')[0]).to.equal(creationTexts.created('/team'));
    expect(answer).to.include('h1 Eleven people');
    expect(changed().get('team.html')).to.contain(
      '<link rel="canonical" href="https://www.northwind.example/team">',
    );
  });

  const onePage = (path: string) =>
    memoryTree({
      [path]:
        '<!doctype html>\n<html lang="en"><head><title>A</title></head>\n<body><h1>A</h1>\n<section><h2>The team</h2><p>All of work.</p></section></body></html>\n',
    });

  it('hide no text of two pages as shared by the whole site', async () => {
    const { done } = openModelTools(onePage('index.html'), pages);
    const before = await done('read_page', { slug: '/' });
    const created = await done('create_page', { slug: '/about', from: '/' });
    const again = await done('create_page', { slug: '/us', from: '/about' });
    for (const outline of [created, again])
      expect(outline).to.contain('h2 The team').and.contain('p All of work');
    expect(await done('read_page', { slug: '/' })).to.equal(before);
  });

  it('create pages in Markdown, with their own address, language and date', async () => {
    const source = '---\nlang: en\nslug: a\ndate: 2024-01-02\n---\n\n# Words\n';
    const { done, changed } = openModelTools(memoryTree({ 'content/a.md': source }), pages);
    const answer = await done('create_page', {
      slug: '/content/b',
      from: '/content/a',
      lang: 'de',
    });
    expect(answer.split('\n')[0]).to.equal(creationTexts.created('/content/b'));
    expect(changed().get('content/b.md')).to.equal(
      source.replace('en', 'de').replace('slug: a', 'slug: b').replace('2024-01-02', '2026-11-30'),
    );
  });

  it('create translations, and let both pages name each other', async () => {
    const { done, changed } = openModelTools(memoryTree({ 'a.html': page('en') }), pages);
    const answer = await done('create_page', { slug: '/de/a', from: '/a', lang: 'de' });
    expect(answer.split('\n')[0]).to.equal(
      creationTexts.created('/de/a') + creationTexts.translated('de', '/a'),
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

  it('keep existing translations, and add no second one for a language', async () => {
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

  it('reject impossible paths, missing sources and unknown languages', async () => {
    const { refusal, changed } = openModelTools(demo, pages);
    for (const slug of ['/../x', '/.git/x', '/about', '/a b', '/%2e%2e/x', '/'])
      expect(await refusal('create_page', { slug, from: '/about' }), slug).not.to.match(
        /^not refused/,
      );
    expect(await refusal('create_page', { slug: '/x', from: '/nope' })).to.equal(
      pageNotFound('/nope'),
    );
    const [wrongArguments] = callProblems.wrongArguments('create_page', '"lang"…', []).split('…');
    for (const lang of ['', 'x', 'de" onload="x', '../de', 'de_DE'])
      expect(await refusal('create_page', { slug: '/x', from: '/about', lang }), lang).to.include(
        wrongArguments,
      );
    expect(changed().size).to.equal(0);
  });

  it('delete and move pages, except the home page, and name broken links', async () => {
    const { done, refusal, changed } = openModelTools(demo, pages);
    expect(await refusal('delete_page', { slug: '/' })).to.equal(creationTexts.deletesHome());
    expect(await refusal('move_page', { slug: '/', to: '/x' })).to.equal(pageTexts.movesHome());
    const deleted = '/services/care-plans';
    expect(await done('delete_page', { slug: deleted })).to.include(
      pageTexts.deleted(deleted) + pageTexts.brokenLinks(['/']),
    );
    await done('move_page', { slug: '/about', to: '/company' });
    expect(changed().get('index.html')).to.contain('company');
  });
});
