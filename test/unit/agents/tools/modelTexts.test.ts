import { expect } from 'chai';
import fc from 'fast-check';
import { testPages as pages } from '../../../helpers/threads.ts';
import { calls } from '../../../../src/sites/pages/pagesCalls.ts';
import { openSite, type SiteName } from '../../../eval/sites.ts';
import type { Slot } from '../../../../src/sites/formats/page.ts';
import { asHtml } from '../../sites/formats/html/asHtml.ts';
import { memoryTree } from '../memoryTree.ts';
import { openModelTools } from './model/site.ts';
import { casesOf } from '../../../helpers/cases.ts';

const slug = '/pricing';

/** Without telephone numbers and addresses, whose links follow. */
const isProse = ({ role, text }: Slot) =>
  ['heading', 'paragraph', 'list-item'].includes(role) && !/[@+]|\d{3}/.test(text);

/** A page without the texts with these ids. */
function without(source: string, ids: Set<string>): string {
  const ranges = asHtml
    .places(source)
    .filter(({ slot }) => ids.has(slot.id))
    .flatMap((place) => place.ranges);
  return ranges
    .toSorted((a, b) => b.start - a.start)
    .reduce((rest, { start, end }) => rest.slice(0, start) + rest.slice(end), source);
}

describe('what a language model writes', () => {
  const open = (name: SiteName = 'demo') => openModelTools(openSite(name).tree, pages);

  describe('set_texts', () => {
    it('writes texts, and says what followed and what is long now', async () => {
      const { done, changed } = open();
      const answer = await done('set_texts', {
        slug,
        edits: [
          { id: 's55', text: 'Basic' },
          { id: 's5.content', text: 'New description' },
          { id: 's57', text: 'x'.repeat(120) },
          { id: 's48', text: 'Three prices. They do not move.' },
        ],
      });
      expect(answer).to.equal(
        '3 written; s48 said this already; og:description (s13.content), twitter:description (s19.content), ' +
          'offers[0].name (s22.6) followed; s57: 120 characters where 68 stood',
      );
      const after = changed().get('pricing.html')!;
      expect(after)
        .to.contain('<h3>Basic</h3>')
        .and.to.contain('"name": "Basic"')
        .and.to.contain('<th scope="col">Starter');
      expect(after.match(/New description/g)).to.have.length(3);
    });

    it('keeps links that a text has, and names the text whose parts are broken', async () => {
      const { done, refusal, changed } = open();
      await done('set_texts', {
        slug,
        edits: [{ id: 's128', text: 'Try <2>care</2> or <1>a brand</1>.' }],
      });
      expect(changed().get('pricing.html')).to.contain(
        'Try <a href="services/care-plans/">care</a> or <a href="services/brand-identity/">a brand</a>.',
      );
      const broken = {
        slug,
        edits: [
          { id: 's56', text: '$1' },
          { id: 's128', text: 'Only <1>one</1>' },
        ],
      };
      expect(await refusal('set_texts', broken)).to.match(/^s128: .*parts 1 to 2 once/);
      expect(changed().get('pricing.html')).to.contain('$4,800</p>');
    });

    it('writes nothing where an id is unknown, and names those that come near', async () => {
      const { done, refusal, changed } = open();
      const edits = [
        { id: 's56', text: '$1' },
        { id: 's60', text: 'x' },
      ];
      expect(await refusal('set_texts', { slug, edits })).to.match(
        /Nothing was written.* no text s60; near are .*s61 h3/,
      );
      expect([...changed()]).to.deep.equal([]);
      await done('remove_items', { slug, group: 'g54', indexes: [0] });
      expect(await refusal('set_texts', { slug, edits: [edits[0]] })).to.match(
        /this task changed the page: read_page/,
      );
      expect(await refusal('set_texts', { slug, edits: [edits[1], edits[1]] })).to.match(
        /s60 is given twice/,
      );
      const many = Array.from({ length: 5_000 }, (_, i) => ({ id: `s${i}`, text: 'x' }));
      expect(await refusal('set_texts', { slug, edits: many })).to.match(
        /200 items.*Expected: \{ slug, edits, everywhere\? \}/,
      );
      expect(
        (await refusal('set_texts', { slug, edits: many.map(() => ({})) })).length,
      ).to.be.lessThan(1_200);
    });

    it('is true to what was read, also after calls of the same turn changed the page', async () => {
      const { done, changed } = open();
      await done('add_items', {
        slug,
        group: 'g54',
        after: 0,
        items: [['New', '$1', 'Text', 'Choose New']],
      });
      await done('set_texts', { slug, edits: [{ id: 's68', text: '$19,000' }] });
      await done('set_link', { slug, id: 's71', target: '/about' });
      expect(changed().get('pricing.html'))
        .to.match(/<h3>Atlas<\/h3>\s+<p class="amount">\$19,000<\/p>/)
        .and.to.match(/href="about">Choose Atlas/);
    });

    it('writes the chrome of the site on every page that has it', async () => {
      const { done, changed } = open();
      const answer = await done('set_texts', {
        slug,
        edits: [{ id: 's191', text: '© 2027 Northwind' }],
        everywhere: true,
      });
      expect(answer).to.equal('1 written; on 14 pages');
      for (const [path, content] of changed())
        expect(content, path).to.contain('<small>© 2027 Northwind</small>');
      expect(changed().size).to.equal(14);
      const chrome = await done('read_page', { slug: '/about', part: 'chrome' });
      expect(chrome).to.contain('© 2027 Northwind');
    });

    it('leaves pages alone that say something else there', async () => {
      const page = (text: string) =>
        `<body><nav><a href="/">Home</a></nav><h1>${text}</h1><footer><p>One</p><p>${text}</p></footer>`;
      const tree = memoryTree({
        'index.html': page('A'),
        'b.html': page('B'),
        'c.html': page('A'),
      });
      const { done, changed } = openModelTools(tree, pages);
      const outline = await done('read_page', { slug: '/' });
      const id = /(s\d+) h1 A/.exec(outline)![1]!;
      expect(
        await done('set_texts', { slug: '/', edits: [{ id, text: 'Z' }], everywhere: true }),
      ).to.equal('1 written; on 2 pages; not on /b');
      expect(changed().get('c.html')).to.equal(page('A').replace('<h1>A', '<h1>Z'));
      expect(changed().has('b.html')).to.equal(false);
    });

    for (const name of ['demo', 'business', 'blog'] as const)
      it(`changes no byte outside of what was asked for: ${name}`, async () => {
        const { pages: paths, source } = openSite(name);
        const text = fc.stringMatching(/^[A-Za-z <>&"'é]{0,30}[a-z]$/);
        const edited = fc.array(fc.tuple(fc.nat(), text), { minLength: 1, maxLength: 3 });
        await fc.assert(
          fc.asyncProperty(fc.constantFrom(...paths), edited, async (path, given) => {
            const before = source(path);
            const texts = asHtml
              .places(before)
              .filter(({ slot }) => slot.parts.length === 0 && isProse(slot));
            const chosen = new Map(
              given.map(([n, text]) => [texts[n % texts.length]!.slot.id, text]),
            );
            const edits = [...chosen].map(([id, text]) => ({ id, text }));
            const { done, changed } = open(name);
            const answer = await done('set_texts', {
              slug: calls.read({ path, source: before }).slug,
              edits,
            });
            const after = changed().get(path) ?? before;
            const own = new Set([
              ...chosen.keys(),
              ...[...answer.matchAll(/\((s[\d.a-z]+)\)/g)].map(([, id]) => id!),
            ]);
            expect(without(after, own)).to.equal(without(before, own));
            for (const { slot } of asHtml.places(after))
              if (chosen.has(slot.id))
                expect(slot.text.trim()).to.equal(chosen.get(slot.id)!.trim().replace(/ +/g, ' '));
          }),
          { numRuns: casesOf(5) },
        );
      });
  });

  describe('set_link', () => {
    it('leads to pages, files, places, mail and telephones, each written in the style of the page', async () => {
      const { done, changed } = open();
      expect(await done('set_link', { slug, id: 's59', target: '/about' })).to.equal(
        'Leads to /about',
      );
      expect(
        await done('set_link', { slug, id: 's65.href', target: '/assets/images/logo.svg' }),
      ).to.match(/^Leads to/);
      await done('set_link', { slug, id: 's71', target: '#questions' });
      await done('set_link', { slug, id: 's129', target: 'mailto:a@b.example' });
      expect(await done('set_link', { slug, id: 's153', target: '/contact' })).to.equal(
        'It leads to /contact already',
      );
      const after = changed().get('pricing.html')!;
      expect(after)
        .to.contain('href="about">Choose Starter')
        .and.to.contain('href="assets/images/logo.svg">Choose Studio');
      expect(after)
        .to.contain('href="#questions">Choose Atlas')
        .and.to.contain('href="mailto:a@b.example">Brand');
    });

    it('changes a link of the chrome on every page, with addresses of their own', async () => {
      const { done, changed } = open();
      expect(
        await done('set_link', { slug, id: 's39', target: '/contact', everywhere: true }),
      ).to.match(/^Leads to \/contact on 1[34] pages/);
      expect(changed().get('pricing.html')).to.contain('<li><a href="contact">About</a>');
      expect(changed().get('locations/austin.html')).to.contain(
        '<li><a href="../contact">About</a>',
      );
    });

    it('refuses what runs or is not there, and says what is', async () => {
      const { refusal, changed } = open();
      const bad = [
        'javascript:alert(1)',
        'JaVaScRiPt:alert(1)',
        'data:text/html,x',
        'vbscript:x',
        '//evil.example',
        'file:///etc/passwd',
        ' javascript:x',
        'java\tscript:x',
        '\\\\evil.example',
        'https://a@b.example/',
      ];
      for (const target of bad)
        expect(await refusal('set_link', { slug, id: 's59', target }), target).to.match(
          /a link leads to the path of a page/,
        );
      expect(await refusal('set_link', { slug, id: 's59', target: '/contct' })).to.match(
        /closest are \/contact/,
      );
      expect(await refusal('set_link', { slug, id: 's57', target: '/about' })).to.match(
        /"s57" is no link; near are/,
      );
      expect(await refusal('set_link', { slug, id: 's128', target: '/about' })).to.match(
        /in it are the links s129, s130/,
      );
      expect([...changed()]).to.deep.equal([]);
    });
  });

  describe('set_image', () => {
    it('shows another picture of the site', async () => {
      const { done, changed } = open();
      expect(
        await done('set_image', {
          slug: '/locations/austin',
          id: 's29',
          file: '/favicon.svg',
          alt: 'A "star"',
        }),
      ).to.equal('Shows /favicon.svg');
      expect(changed().get('locations/austin.html')).to.contain(
        '<img src="../favicon.svg" alt="A &quot;star&quot;"',
      );
      expect(changed().size).to.equal(1);
    });

    it('shows it in every size of the picture', async () => {
      const body =
        '<picture><source srcset="a.webp"><img src="a.jpg" srcset="a.jpg 1x, b.jpg 2x" alt="A"></picture>';
      const { done, changed } = openModelTools(
        memoryTree({ 'p/index.html': body, 'p/n.png': '' }),
        pages,
      );
      const outline = await done('read_page', { slug: '/p' });
      expect(outline).to.equal('s5.alt img(/p/a.jpg)(missing) A');
      await done('set_image', { slug: '/p', id: 's5.alt', file: 'p/n.png', alt: 'A' });
      expect(changed().get('p/index.html')).to.equal(
        '<picture><source srcset="n.png"><img src="n.png" srcset="n.png" alt="A"></picture>',
      );
    });

    it('refuses files that are not there, or are no pictures', async () => {
      const { refusal } = open();
      const set = (file: string, id = 's29') => refusal('set_image', { slug, id, file, alt: 'A' });
      expect(await set('/assets/images/logo.png')).to.match(
        /no file "assets\/images\/logo.png"; the closest pictures are \/assets\/images\/logo.svg/,
      );
      expect(await set('https://evil.example/a.png')).to.match(/has no file/);
      expect(await set('../../etc/passwd')).to.match(/has no file/);
      expect(await set('/assets/site.css')).to.match(/is no picture/);
      expect(await set('/favicon.svg', 's55')).to.match(/"s55" is no image; near are/);
    });
  });
});
