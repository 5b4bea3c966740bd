import { expect } from 'chai';
import { testPages as pages } from '../../../../helpers/threads.ts';
import { memoryTree } from '../../memoryTree.ts';
import { demo, openModelTools } from './site.ts';

const home = `<!doctype html>
<html lang="en">
<head><title>Acme</title></head>
<body>
<nav><a href="/">Home</a></nav>
<main>
<section class="hero" id="top-of-all"><h1>Acme</h1></section>
<section class="card" id="prices"><h2>Prices</h2><p>From $10. <a href="#prices">Here</a></p></section>
</main>
<footer class="grid">Acme</footer>
</body>
</html>
`;
const team = home.replace(
  /<section class="card"[^]*<\/section>/,
  `<section class="split" id="prices" aria-labelledby="people">
<h2 id="people">People</h2><p><a href="#people">Us</a> <a href="#top-of-all">Up</a> <a href="about.html">About</a></p>
<img src="../ann.jpg" alt="Ann"></section>`,
);
const files = {
  'index.html': home,
  'about.html': home.replace('<title>Acme', '<title>About'),
  'us/team.html': team.replace('"about.html"', '"../about.html"'),
  'ann.jpg': '',
  'terms.pdf': '',
  'site.css': '.team-card, .wide:hover { color: red } .md\\:half { width: 50% }',
};

const good: Record<string, string> = {
  'a section': '<section class="card"><h2>Team</h2><p>Ann &amp; Bob</p></section>',
  'a heading and a text beside each other': '<h2>Team</h2>\n<p>Ann</p>',
  "classes of a style sheet's": '<div class="team-card wide md:half"><h2>Team</h2></div>',
  'links to pages, files, the web, mailboxes and telephones':
    '<section><h2>Links</h2><p><a href="/about">a</a> <a href="about.html#prices">b</a> <a href="/terms.pdf">c</a> <a href="https://x.example/?a=1&amp;b=2" rel="noopener" target="_blank">d</a> <a href="mailto:hi@acme.example">e</a> <a href="tel:+15125550142">f</a> <a href="#prices">g</a> <a href="#team-list">h</a></p><ul id="team-list"><li>i</li></ul></section>',
  'an image of the site':
    '<figure><img src="/ann.jpg" alt="Ann" width="640" height="420" loading="lazy"><figcaption>Ann</figcaption></figure>',
  'a table':
    '<section><h2>Hours</h2><table class="grid"><caption>Hours</caption><thead><tr><th scope="col">Day</th></tr></thead><tbody><tr><td colspan="1">Monday</td></tr></tbody></table></section>',
  'lists, quotes and times':
    '<section><h2>More</h2><ol start="3"><li>a</li></ol><dl><dt>b</dt><dd>c</dd></dl><blockquote cite="https://x.example/"><p>d<br>e</p></blockquote><time datetime="2026-01-01">f</time><hr></section>',
  'a label of another element':
    '<section aria-labelledby="our-team"><h2 id="our-team">Team</h2></section>',
  'questions that open':
    '<section><h2>FAQ</h2><details open><summary>Why?</summary><p>So.</p></details></section>',
  'another language':
    '<section lang="de" dir="ltr"><h2>Über uns</h2><p>Grüße 👩‍💻 &lt;b&gt;</p></section>',
};

const bad: Record<string, [html: string, names: RegExp]> = {
  'a script': ['<script>alert(1)</script>', /<script>/],
  'a script in a section': [
    '<section><h2>a</h2><script src="/x.js"></script></section>',
    /<script>/,
  ],
  'a handler': ['<p onclick="x()">a</p>', /attribute "onclick"/],
  'a handler in capitals': ['<p ONMOUSEOVER=x()>a</p>', /attribute "onmouseover"/],
  'a handler behind a slash': [
    '<img/src="/ann.jpg"/alt=""/onerror=alert(1)>',
    /attribute "onerror"/,
  ],
  'an inline style': ['<p style="color:red">a</p>', /attribute "style"/],
  'a style element': ['<style>p{}</style>', /<style>/],
  'an unknown class': [
    '<div class="team-grid card"><h2>a</h2></div>',
    /class `team-grid` is not the site's; there are: grid, /,
  ],
  'a frame': ['<iframe src="/about"></iframe>', /<iframe>/],
  'a document in a frame': ['<iframe srcdoc="<script>x()</script>"></iframe>', /<iframe>/],
  'an object': ['<object data="/x.swf"></object>', /<object>/],
  'an embed': ['<embed src="/x.swf">', /<embed>/],
  'a form': ['<form action="/about"><input name="q"></form>', /<form>/],
  'a button that sends elsewhere': [
    '<button formaction="https://evil.example">a</button>',
    /<button>/,
  ],
  'a base': ['<base href="https://evil.example/">', /<base>/],
  'a refresh': ['<meta http-equiv="refresh" content="0;url=/">', /<meta>/],
  'a style sheet': ['<link rel="stylesheet" href="https://evil.example/x.css">', /<link>/],
  'a drawing': ['<svg onload="x()"></svg>', /<svg>/],
  'styles in a drawing': ['<svg><style><img src=x onerror=alert(1)></style></svg>', /<svg>/],
  'a formula': [
    '<math><mtext><table><mglyph><style><img src=x onerror=alert(1)></style></mglyph></table></mtext></math>',
    /<math>/,
  ],
  'markup that changes when it is read twice': [
    '<form><math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>',
    /<form>|closes no open element/,
  ],
  'a link of a drawing': [
    '<svg><a xlink:href="javascript:x()"><text>a</text></a></svg>',
    /xlink:href|<svg>/,
  ],
  'a template': ['<template><img src=x onerror=alert(1)></template>', /<template>/],
  'a script in a noscript': [
    '<noscript><p title="</noscript><img src=x onerror=alert(1)>"></noscript>',
    /<noscript>/,
  ],
  'a comment': ['<p>a</p><!-- b -->', /a comment/],
  'a comment that is left open': ['<p>a</p><!--', /a comment|parse error/],
  'a conditional comment': ['<!--[if IE]><script>x()</script><![endif]-->', /a comment/],
  'a section of character data': [
    '<p><![CDATA[<script>x()</script>]]></p>',
    /a comment|parse error/,
  ],
  'a doctype': ['<!doctype html><p>a</p>', /a doctype/],
  'a processing instruction': ['<?xml version="1.0"?><p>a</p>', /a comment|parse error/],
  'a javascript address': [
    '<a href="javascript:x()">a</a>',
    /only pages and files of the site, https, mailto and tel/,
  ],
  'one in entities': ['<a href="java&#x73;cript:x()">a</a>', /only pages and files/],
  'one with a tab': ['<a href="java\tscript:x()">a</a>', /spaces and backslashes|invisible/],
  'one behind a space': ['<a href=" javascript:x()">a</a>', /spaces and backslashes/],
  'one behind a control character': ['<a href="&#1;javascript:x()">a</a>', /invisible|parse error/],
  'a data address': ['<a href="data:text/html,<script>x()</script>">a</a>', /spaces|only pages/],
  'an image in its address': [
    '<img src="data:image/svg+xml,%3Csvg%3E" alt="a">',
    /only pages and files/,
  ],
  'an image of another host': [
    '<img src="https://evil.example/p.gif" alt="">',
    /only files of the site/,
  ],
  'a host without a scheme': ['<a href="//evil.example/">a</a>', /only pages and files/],
  'a host behind backslashes': ['<a href="\\\\evil.example">a</a>', /backslashes/],
  'a plain http address': ['<a href="http://x.example/">a</a>', /only pages and files/],
  'a file of the machine': ['<a href="file:///etc/passwd">a</a>', /only pages and files/],
  'a name before a host': [
    '<a href="https://acme.example@evil.example/">a</a>',
    /only pages and files/,
  ],
  'a page that is not there': ['<a href="/nope">a</a>', /has no such page or file/],
  'a place that is not there': ['<a href="#nope">a</a>', /no such place/],
  'a file above the site': ['<img src="../../../etc/passwd" alt="">', /has no such page or file/],
  'a ping': ['<a href="/about" ping="https://evil.example/">a</a>', /attribute "ping"/],
  'a srcset': [
    '<img src="/ann.jpg" alt="" srcset="https://evil.example/a 2x">',
    /attribute "srcset"/,
  ],
  'an id that the page has': ['<h2 id="prices">a</h2>', /id "prices", which the page has already/],
  'an id twice': ['<h2 id="a-b">a</h2><p id="a-b">b</p>', /the id "a-b" twice/],
  'an id that scripts know': ['<p id="location">a</p>', /the id "location"/],
  'an id that a document has': ['<p id="getElementById">a</p>', /the id "getElementById"/],
  'a name': ['<a name="x" href="/about">a</a>', /attribute "name"/],
  'an attribute that scripts read': [
    '<p data-bs-toggle="modal">a</p>',
    /attribute "data-bs-toggle"/,
  ],
  'an element that scripts make': ['<x-card is="x">a</x-card>', /<x-card>/],
  'an element that is left open': ['<section><h2>a</h2>', /<section> without an end tag/],
  'an end tag that closes the main part': [
    '<p>a</p></main><p>b</p>',
    /<\/main> that closes no open element/,
  ],
  'tags that cross': ['<b><i>a</b></i>', /closes no open element/],
  'an attribute that swallows what follows': [
    '<p title="a><script>x()</script>',
    /parse error|without an end tag|no element/,
  ],
  'a tag that swallows what follows': ['<p>a</p><a href=', /parse error/],
  'a text that swallows what follows': ['<textarea>', /<textarea>/],
  'a title that swallows what follows': ['<title>', /<title>/],
  'plain text to the end': ['<plaintext>', /<plaintext>/],
  'rows without a table': [
    '<tr><td>a</td></tr>',
    /does not allow|another order|end tag|start-tag|parse error/,
  ],
  'a table body that is left out': ['<table><tr><td>a</td></tr></table>', /another order/],
  'a paragraph in a paragraph': ['<p>a<p>b</p></p>', /another order|closes no open/],
  'a link in a link': [
    '<a href="/about">a<a href="/about">b</a></a>',
    /another order|closes no open/,
  ],
  'a second headline': ['<h1>a</h1>', /<h1>/],
  navigation: ['<nav><a href="/about">a</a></nav>', /<nav>/],
  'a NUL': ['<p>a\0b</p>', /NUL|parse error/],
  'text without an element': ['Buy now', /no element|text outside/],
  nothing: [' ', /no element/],
  'very deep markup': ['<div>'.repeat(60) + '</div>'.repeat(60), /nested deeper than 40/],
  'a placeholder': ['<p>{{ name }}</p>', /placeholder/],
  'an entity in a text': ['<p>a&#8238;b</p>', /invisible character in <p>/],
  'a name of a character in a text': [
    '<ul><li>a&ZeroWidthSpace;b</li></ul>',
    /invisible character in <li>/,
  ],
  'mail with a hidden copy': [
    '<a href="mailto:a@b.example?subject=x&amp;BCC=c@d.example">a</a>',
    /a subject and a body at most/,
  ],
  'mail with a copy in escapes': [
    '<a href="mailto:a@b.example?%63c=c@d.example">a</a>',
    /a subject and a body at most/,
  ],
  'an entity that ends a title': ['<p title="a&#8238;b">a</p>', /invisible character/],
  'a body': ['<body onload="x()"><p>a</p></body>', /closes no open|another order|<body>/],
};

describe('insert_section', () => {
  for (const [what, html] of Object.entries(good))
    it(`takes ${what}, and keeps every byte around it`, async () => {
      const { done, changed } = openModelTools(memoryTree(files), pages);
      const answer = await done('insert_section', { slug: '/', after: 's10', html });
      expect(answer)
        .to.match(
          /^Inserted \S+.* in \S+, behind .*; its texts:\n(?:\[\S+\] )*n\d+(?:\.alt)? (?:h[1-6]|p|li|dt|a\(|btn\(|img\(|\w+)/,
        )
        .and.not.match(/ (?:paragraph|heading\d|list-item) /);
      const now = changed().get('index.html')!;
      expect(now.split(html)).to.have.length(2);
      const [before, after] = now.split(html) as [string, string];
      const kept = [commonStart(before, home), commonStart(reversed(after), reversed(home))];
      expect(kept[0]! + kept[1]!).to.be.at.least(home.length);
    });

  for (const [what, [html, names]] of Object.entries(bad))
    it(`refuses ${what}, and names it`, async () => {
      const { refusal, changed } = openModelTools(memoryTree(files), pages);
      expect(await refusal('insert_section', { slug: '/', after: 's10', html })).to.match(names);
      expect(changed().size).to.equal(0);
    });

  it('names each thing that it refuses', async () => {
    const { refusal } = openModelTools(memoryTree(files), pages);
    const html =
      '<div class="nope" style="x"><p onclick="y">a</p><a href="javascript:z">b</a></div>';
    expect(await refusal('insert_section', { slug: '/', after: 's10', html }))
      .to.contain('"style"')
      .and.to.contain('"onclick"')
      .and.to.contain('`nope`')
      .and.to.contain('"javascript:z"');
  });

  it('copies a section of another page: its addresses lead where they led, its ids are its own', async () => {
    const { done, changed } = openModelTools(memoryTree(files), pages);
    await done('insert_section', {
      slug: '/',
      after: 's10',
      from: { slug: '/us/team', section: 's10' },
    });
    const copy = `<section class="split" id="prices-2" aria-labelledby="people">
<h2 id="people">People</h2><p><a href="#people">Us</a> <a href="/us/team#top-of-all">Up</a> <a href="about.html">About</a></p>
<img src="ann.jpg" alt="Ann"></section>`;
    expect(changed().get('index.html')).to.equal(
      home.replace('</section>\n</main>', `</section>\n${copy}\n</main>`),
    );
  });

  it('copies a section of the page itself, with new ids', async () => {
    const { done, changed } = openModelTools(memoryTree(files), pages);
    await done('insert_section', { slug: '/', after: 's8', from: { slug: '/', section: 's10' } });
    const section =
      '<section class="card" id="prices"><h2>Prices</h2><p>From $10. <a href="#prices">Here</a></p></section>';
    const copy = section.replaceAll('prices', 'prices-2');
    expect(changed().get('index.html')).to.equal(
      home.replace(`\n${section}`, `\n${copy}\n${section}`),
    );
  });

  it('keeps the ids of what was there, and gives new ones', async () => {
    const { done, workspace } = openModelTools(memoryTree(files), pages);
    await done('insert_section', { slug: '/', after: 's8', html: good['a section'] });
    const answer = await done('insert_section', { slug: '/', after: 's10', html: good['a table'] });
    expect(answer)
      .to.match(/s\d+ h2 Prices/)
      .and.to.match(/n\d+ h2 Team/)
      .and.to.match(/n\d+ h2 Hours/);
    expect(workspace.changes()).to.have.length(1);
  });

  it('does so on a real site, with a section of another page', async () => {
    const { done, changed } = openModelTools(demo, pages);
    const people = await idOf(done, '/about', 'People you will');
    const slug = '/services/web-design';
    const after = await idOf(done, slug, '');
    await done('insert_section', { slug, after, from: { slug: '/about', section: people } });
    const now = changed().get('services/web-design/index.html')!;
    expect(now).to.contain('<dt>Maren Holt</dt>');
    const old = await demo.read('services/web-design/index.html');
    const at = now.indexOf('<section class="section" aria-labelledby="people">');
    expect(now.length - old.length).to.be.above(600);
    expect(old.startsWith(now.slice(0, at).trimEnd())).to.equal(true);
  });

  it('refuses what is not there, and both ways at once', async () => {
    const { refusal } = openModelTools(memoryTree(files), pages);
    const html = good['a section'];
    expect(await refusal('insert_section', { slug: '/', after: 's99', html })).to.match(
      /no section or table "s99"; there are s\d+ ".+"/,
    );
    expect(await refusal('insert_section', { slug: '/x', after: 's10', html })).to.match(
      /Page not found/,
    );
    expect(await refusal('insert_section', { slug: '/', after: 's10' })).to.match(
      /Wrong arguments/,
    );
    expect(
      await refusal('insert_section', {
        slug: '/',
        after: 's10',
        html,
        from: { slug: '/', section: 's10' },
      }),
    ).to.match(/Wrong arguments/);
    expect(
      await refusal('insert_section', {
        slug: '/',
        after: 's10',
        from: { slug: '/', section: 's1' },
      }),
    ).to.match(/no section or table "s1"/);
    expect(
      await refusal('insert_section', { slug: '/', after: 's10', html: 'a'.repeat(20_001) }),
    ).to.match(/Wrong arg/);
  });
});

const reversed = (text: string) => [...text].reverse().join('');

/** How many characters two texts begin with alike. */
function commonStart(a: string, b: string): number {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length++;
  return length;
}

/** The id of a heading of a page, by its first words. */
async function idOf(
  done: (name: string, args: object) => Promise<string>,
  slug: string,
  name: string,
) {
  const outline = await done('read_page', { slug });
  return new RegExp(`(\\S+) h[12] ${name}`).exec(outline)?.[1] ?? expect.fail(outline);
}
