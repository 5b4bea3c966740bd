import { expect } from 'chai';
import fc from 'fast-check';
import { writePage } from '../../../../../src/agents/rules/page/writePage.ts';
import { parseMarks, partNumbers, plainText } from '../../../../../src/agents/text/marks.ts';
import type { PageSource } from '../../../../../src/sites/formats/format.ts';
import { calls } from '../../../../../src/sites/pages/pagesCalls.ts';
import { corpus } from '../../../sites/corpus.ts';
import { asHtml } from '../../../sites/formats/html/asHtml.ts';
import { isWovenFrom, outside, skeleton } from '../../../sites/formats/html/compare.ts';
import { casesOf } from '../../../../helpers/cases.ts';

/** Makes the page that a context asks for, and the same page with no text changed. */
function make(template: PageSource, sisters: PageSource[], target: string, context: string) {
  const { slug, slots, groups, digest } = calls.readTemplate(template, sisters);
  const write = () => writePage({ slug, slots, groups }, { targetPageSlug: target, context });
  const written = write();
  expect(write(), 'same input, same output').to.deep.equal(written);
  const page = {
    template,
    target: { slug: target, path: `${target.slice(1)}.html` },
    sitePaths: [],
    digest,
    sisters,
  };
  const counts = written.groups ?? {};
  return {
    html: calls.create({ ...page, texts: written.texts, groups: counts }),
    untouched: calls.create({ ...page, texts: {}, groups: counts }),
    written,
  };
}

const doubles = (source: string) =>
  asHtml.ids(source).filter((id, i, all) => all.indexOf(id) !== i);

const isReordered = (text: string) =>
  partNumbers(parseMarks(text) ?? []).some((number, i, all) => i > 0 && number < all[i - 1]!);

/** What holds for every page that is made, whatever it is made of. */
function check(template: PageSource, { html, untouched, written }: ReturnType<typeof make>) {
  // a text that names its links in another order moves their tags
  if (!Object.values(written.texts).some(isReordered))
    expect(isWovenFrom(html, outside(untouched)), 'bytes outside of slots').to.equal(true);
  expect(skeleton(html), 'elements').to.deep.equal(skeleton(untouched));
  const known = doubles(template.source);
  expect(
    doubles(html).filter((id) => !known.includes(id)),
    'ids',
  ).to.deep.equal([]);
}

const text = fc.oneof(
  fc.constantFrom(
    'Bread',
    'Two words',
    'A whole sentence, with a comma.',
    'Why now?',
    '<b>x</b>',
    '"\'&<1>',
    '\\<1/>',
    'Ends here: now',
    '→',
    '',
  ),
  fc.string({ unit: 'grapheme', maxLength: 30 }),
);
const entry = fc.oneof(
  text,
  fc.record(
    {
      name: text,
      price: fc.constantFrom('€5', 'on request', '$1,200'),
      text,
      features: fc.array(text, { maxLength: 4 }),
      author: text,
      colour: text,
    },
    { requiredKeys: ['name'] },
  ),
);
const list = fc.array(entry, { maxLength: 14 });
const field = fc.record(
  { headline: text, title: text, description: text, lead: text, cta: text, phone: text },
  { requiredKeys: [] },
);

describe('writePage on any page and context', () => {
  const sites = corpus.flatMap(({ pages }) =>
    pages.map((page) => ({ page, sisters: pages.filter((other) => other !== page) })),
  );

  /** Headings of a page, which lists are then named after. */
  const headings = ({ source, path }: PageSource) =>
    calls
      .read({ source, path })
      .slots.filter(({ role, level }) => role === 'heading' && level !== 1)
      .map(({ text }) => plainText(text));

  it('changes texts and groups of two sites, and no byte, element or id beside them', () => {
    const wish = fc.record({
      site: fc.constantFrom(...sites),
      fields: field,
      lists: fc.array(list, { maxLength: 3 }),
      at: fc.nat(),
    });
    let resized = 0;
    fc.assert(
      fc.property(wish, ({ site: { page, sisters }, fields, lists, at }) => {
        const names = headings(page);
        const named = lists.map((list, i) => [names[(at + i) % names.length] ?? 'faq', list]);
        const context = JSON.stringify({ ...fields, ...Object.fromEntries(named) });
        const made = make(page, sisters, '/x/new', context);
        check(page, made);
        if (made.written.groups) resized++;
      }),
      { numRuns: casesOf(50) },
    );
    expect(resized).to.be.above(0);
  });

  it("names the new subject in title and headline, never the template's", () => {
    const city = fc.constantFrom(
      'Porto',
      'São Paulo',
      'Austintown',
      'New York',
      'Zürich',
      "L'Aquila",
      'X',
    );
    const templates = sites.filter(({ page }) => /locations\/(austin|denver)/.test(page.path));
    const given = fc.record({
      site: fc.constantFrom(...templates),
      city,
      fields: fc.record({ lead: text, cta: text }),
      services: list,
    });
    fc.assert(
      fc.property(given, ({ site: { page, sisters }, city, fields, services }) => {
        const context = JSON.stringify({ city, ...fields, 'what we make': services });
        const { html } = make(page, sisters, '/locations/somewhere', context);
        const { slots } = calls.read({ path: 'x.html', source: html });
        const naming = slots
          .filter(({ role, level }) => role === 'title' || level === 1)
          .map(({ text }) => plainText(text));
        expect(naming).to.have.lengthOf(2);
        for (const text of naming)
          expect(text)
            .to.contain(city)
            .and.not.match(/\b(Austin|Denver)\b/);
      }),
      { numRuns: casesOf(25) },
    );
  });
});

describe('writePage on generated pages', () => {
  const words = fc.constantFrom(
    'Bread',
    'Two words',
    'A sentence.',
    'Why?',
    'x &amp; y',
    '<b>Bold</b> words',
    '$5',
    '3 May 2025',
  );
  const block = fc.constantFrom(
    (_: number, a: string, b: string) => `<li>${a} ${b}</li>`,
    (n: number, a: string, b: string) =>
      `<div class="card${n === 1 ? ' active' : ''}" id="card${n}"><h3>${a}</h3><p>${b} ${n}</p></div>`,
    (n: number, a: string, b: string) =>
      `<details${n === 0 ? ' open' : ''}><summary id=q${n}>${a}</summary><p aria-labelledby=q${n}>${b} ${n}</p></details>`,
    (n: number, a: string, b: string) =>
      `<a class="tile" href="#t${n}"><h4 id="t${n}">${a}</h4><p>${b} ${n}</p></a>`,
    (_: number, a: string, b: string) =>
      `<figure class="quote"><blockquote><p>${a}</p></blockquote><figcaption>${b}</figcaption></figure>`,
    (n: number, a: string, b: string) =>
      `<article class="post"><h3>${a}</h3><ul><li>${b}</li><li>${b} ${n}</li></ul></article>`,
  );
  const section = fc
    .record({
      block,
      members: fc.array(fc.tuple(words, words), { minLength: 2, maxLength: 5 }),
      space: fc.constantFrom('', '\n', '\n  <!-- c -->\n'),
    })
    .map(({ block, members, space }) => members.map(([a, b], n) => block(n, a, b)).join(space));
  const page = fc.array(section, { minLength: 1, maxLength: 4 }).map((sections) => {
    const own = sections.map((content, i) =>
      content.replace(/(id="?|#|labelledby=)([a-z]+)(?=\d)/g, `$1$2${i}x`),
    );
    const parts = own.map(
      (content, i) =>
        `<section><h2>Part number ${i}</h2><div>${content.startsWith('<li') ? `<ul>${content}</ul>` : content}</div><p>End.</p></section>`,
    );
    return `<!doctype html><html><head><title>T</title></head><body><main><h1>H</h1>${parts.join('\n')}</main></body></html>`;
  });

  it("gives each group as many members as its list, with the entries' texts in order, and changes nothing else", () => {
    const entries = fc.array(fc.constantFrom('Uno', 'Due parole', 'Tre', 'x<y&z', 'Cinque&sei'), {
      minLength: 1,
      maxLength: 12,
    });
    fc.assert(
      fc.property(page, entries, fc.nat(), (source, names, n) => {
        const template = { path: 'a.html', source };
        const before = calls.groups(template);
        const parts = source.match(/<h2>/g)!.length;
        const section = `Part number ${n % parts}`;
        const made = make(
          template,
          [],
          '/b',
          JSON.stringify({ [section]: names.map((name) => ({ name })) }),
        );
        check(template, made);
        const after = calls.groups({ path: 'b.html', source: made.html });
        const texts = new Map(
          calls.read({ path: 'b.html', source: made.html }).slots.map(({ id, text }) => [id, text]),
        );
        const at = (groups: typeof before) => groups.find((group) => group.section === section);
        expect(at(before), source).not.to.equal(undefined);
        const shown = [...texts.values()]
          .map(plainText)
          .filter((text) => names.some((name) => name === text));
        expect(shown).to.deep.equal(names);
        if (names.length > 1) expect(at(after)?.members).to.have.lengthOf(names.length);
      }),
      { numRuns: casesOf(100) },
    );
  });
});
