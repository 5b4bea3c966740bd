import { expect } from 'chai';
import fc from 'fast-check';
import { writeRulesPage } from '../../../../../src/agents/rules/page/writeRulesPage.ts';
import {
  parseMarks,
  listPartNumbers,
  plainText,
} from '../../../../../src/agents/shared/text/parseMarks.ts';
import type { PageSource } from '../../../../../src/sites/formats/format.ts';
import { pageCalls } from '../../../../../src/sites/pages/pageCalls.ts';
import { corpus } from '../../../sites/corpus.ts';
import { asHtml } from '../../../sites/formats/html/asHtml.ts';
import { isWovenFrom, outside, skeleton } from '../../../sites/formats/html/compare.ts';
import { casesOf } from '../../../../helpers/cases.ts';

/** Makes the page that a context asks for, and the same page with no text changed. */
function make(template: PageSource, siblings: PageSource[], target: string, context: string) {
  const { slug, slots, groups, digest } = pageCalls.readTemplate(template, siblings);
  const write = () => writeRulesPage({ slug, slots, groups }, { targetPageSlug: target, context });
  const written = write();
  expect(write(), 'same input, same output').to.deep.equal(written);
  const page = {
    template,
    target: { slug: target, path: `${target.slice(1)}.html` },
    sitePaths: [],
    digest,
    siblings,
  };
  const counts = written.groups ?? {};
  return {
    html: pageCalls.create({ ...page, texts: written.texts, groups: counts }),
    untouched: pageCalls.create({ ...page, texts: {}, groups: counts }),
    written,
  };
}

const doubles = (source: string) =>
  asHtml.ids(source).filter((id, i, all) => all.indexOf(id) !== i);

const isReordered = (text: string) =>
  listPartNumbers(parseMarks(text) ?? []).some((number, i, all) => i > 0 && number < all[i - 1]!);

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

describe('writeRulesPage on any page and context', () => {
  const sites = corpus.flatMap(({ pages }) =>
    pages.map((page) => ({ page, siblings: pages.filter((other) => other !== page) })),
  );

  /** Headings of a page, which lists are then named after. */
  const headings = ({ source, path }: PageSource) =>
    pageCalls
      .read({ source, path })
      .slots.filter(({ role, level }) => role === 'heading' && level !== 1)
      .map(({ text }) => plainText(text));

  it('changes texts and groups of two sites, and no other byte, element or ID', () => {
    const wish = fc.record({
      site: fc.constantFrom(...sites),
      fields: field,
      lists: fc.array(list, { maxLength: 3 }),
      at: fc.nat(),
    });
    let resized = 0;
    fc.assert(
      fc.property(wish, ({ site: { page, siblings }, fields, lists, at }) => {
        const names = headings(page);
        const named = lists.map((list, i) => [names[(at + i) % names.length] ?? 'faq', list]);
        const context = JSON.stringify({ ...fields, ...Object.fromEntries(named) });
        const made = make(page, siblings, '/x/new', context);
        check(page, made);
        if (made.written.groups) resized++;
      }),
      { numRuns: casesOf(50) },
    );
    expect(resized).to.be.above(0);
  });

  it("names the new topic in title and headline, never the template's", () => {
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
      fc.property(given, ({ site: { page, siblings }, city, fields, services }) => {
        const context = JSON.stringify({ city, ...fields, 'what we make': services });
        const { html } = make(page, siblings, '/locations/somewhere', context);
        const { slots } = pageCalls.read({ path: 'x.html', source: html });
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
