import { expect } from 'chai';
import { readFileSync, readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { writeRulesPage } from '../../../../../src/agents/rules/page/writeRulesPage.ts';
import { plainText } from '../../../../../src/agents/shared/text/parseMarks.ts';
import { pageCalls } from '../../../../../src/sites/pages/pageCalls.ts';

const site = resolve(import.meta.dirname, '../../../../../src/demo/site');
const sitePaths = readdirSync(site, { recursive: true }) as string[];
const sourceOf = (path: string) => ({ path, source: readFileSync(resolve(site, path), 'utf8') });
const template = sourceOf('locations/austin.html');
const siblings = ['index.html', 'about.html', 'pricing.html', 'locations/denver.html']
  .filter((path) => sitePaths.includes(path))
  .map(sourceOf);
const read = pageCalls.readTemplate(template, siblings);

/** The page that a customer's context makes of the demo site's Austin page. */
function make(context: string, slug: string) {
  const slots = read.slots.filter(({ locked }) => !locked);
  const written = writeRulesPage({ ...read, slots }, { targetPageSlug: slug, context });
  const target = { slug, path: `${slug.slice(1)}.html` };
  const html = pageCalls.create({
    ...written,
    template,
    target,
    sitePaths,
    digest: read.digest,
    siblings,
  });
  const after = {
    before: template,
    after: html,
    path: target.path,
    sitePaths: [...sitePaths, target.path],
    mayAddLinks: false,
  };
  expect(pageCalls.check(after).violations).to.deep.equal([]);
  const json = /<script type="application\/ld\+json">([\s\S]*?)<\/script>/.exec(html)![1]!;
  const texts = pageCalls
    .read({ path: target.path, source: html })
    .slots.map(({ text }) => plainText(text));
  return {
    html,
    texts,
    data: JSON.parse(json) as Record<string, unknown>,
    warnings: written.notes.map(({ text }) => text),
  };
}

interface ExpectedPage {
  headline: string;
  /** Texts that the page shows. */
  shows: string[];
  /** Its address in structured data: street, town, region, postal code, country. */
  address: string;
  telephone: string;
  link: string;
  /** Starts of `html`, dates and other markup. */
  markup?: string[];
  /** Kinds of facts that the context replaces: no warning names them. */
  settled?: string[];
}

const contexts: Record<string, ExpectedPage> = {
  'ottawa.csv': {
    headline: 'Web design in Ottawa, in English and French',
    shows: [
      '150 Elgin Street, Ottawa, ON K2P 1L4',
      'Ottawa studio, open since 2019',
      'March 1, 2027',
    ],
    address: '150 Elgin Street|Ottawa|ON|K2P 1L4|CA',
    telephone: '+1 613 555 0101',
    link: '+16135550101',
    markup: [
      '<time datetime="2027-03-01">',
      '<title>Web design in Ottawa, in English and French | Northwind Studio</title>',
    ],
    settled: ['date', 'telephone', 'address', 'e-mail'],
  },
  'koeln.csv': {
    headline: 'Webdesign in Köln',
    shows: [
      'Ehrenstraße 12, 50672 Köln',
      '0221 123456',
      'Wir planen, schreiben und bauen Websites für unabhängige Betriebe in Köln. "Schnell" heißt bei uns: unter einer Sekunde.',
    ],
    address: 'Ehrenstraße 12, 50672 Köln|Köln|||DE',
    telephone: '+49-221-123456',
    link: '+49221123456',
    markup: ['<html lang="de">'],
    settled: ['telephone', 'address', 'e-mail'],
  },
  'toronto.json': {
    headline: 'Websites for Toronto’s independents',
    shows: [
      '100 King Street West, Suite 5700, Toronto, ON M5H 1K4',
      '(416) 555-0123',
      'C$6,200',
      '5 weeks',
      'February 1, 2027',
      'They understood our shop before we did.',
      'Priya Nair owner, Nair Textiles',
      'Do you work in French too?',
    ],
    address: '100 King Street West, Suite 5700|Toronto|ON|M5H 1K4|CA',
    telephone: '+1-416-555-0123',
    link: '+14165550123',
    markup: ['<time datetime="2027-02-01">'],
    settled: ['telephone', 'address', 'e-mail'],
  },
  'lisbon.json': {
    headline: 'Web design in Lisbon',
    shows: [
      'Rua Augusta 110, 1100-053 Lisboa, Portugal',
      '21 555 0100',
      'Rated 4.8 out of 5 by 41 clients',
      'The calmest launch we ever had.',
      'Inês Duarte owner, Padaria do Chiado',
      'Rui Matos',
    ],
    address: 'Rua Augusta 110, 1100-053 Lisboa, Portugal|Lisbon|||PT',
    telephone: '+351-21-555-0100',
    link: '+351215550100',
    settled: ['telephone', 'address', 'rating', 'reviews', 'coordinates'],
  },
  'boston.lines': {
    headline: 'Web design in Boston',
    shows: [
      '200 State Street, Suite 5, Boston, MA 02109',
      '(617) 555-0134',
      'Boston studio, open since 2018',
      '$5,200',
      'We doubled our bookings in a season.',
      'Ellen Park owner, Park & Sail',
    ],
    address: '200 State Street, Suite 5, Boston, MA 02109|Boston|||US',
    telephone: '+1-617-555-0134',
    link: '+16175550134',
    markup: ['<time datetime="2027-04-05">'],
    settled: ['telephone', 'address', 'date', 'rating', 'reviews', 'e-mail'],
  },
  'muenchen.lines': {
    headline: 'Webdesign in München',
    shows: [
      'Klenzestraße 40, 80469 München',
      '089 123 45 67',
      'Gespräch vereinbaren',
      'Webdesign in München | Northwind Studio',
    ],
    address: 'Klenzestraße 40|München||80469|DE',
    telephone: '+49-89-123-45-67',
    link: '+49891234567',
    markup: [
      '<html lang="de">',
      'content="Schnelle, klare Websites für unabhängige Betriebe in München, zum festen Preis."',
    ],
    settled: ['telephone', 'address', 'e-mail'],
  },
  'portland.markdown': {
    headline: 'Web design in Portland',
    shows: [
      '1220 SW Morrison Street, Portland, OR 97205',
      'They write like people talk.',
      'Nora Lind Lind Ceramics',
      'Sam Ito partner, Ito Law',
      'We come by on foot or by bike.',
    ],
    address: '1220 SW Morrison Street, Portland, OR 97205|Portland|||US',
    telephone: '+1-503-555-0188',
    link: '+15035550188',
    settled: ['telephone', 'address'],
  },
  'london.markdown': {
    headline: 'Web design in London',
    shows: [
      '14 Great Queen Street, London WC2B 5DW, UK',
      '020 7946 0018',
      '£8,200',
      'Worth every pound.',
      'Asha Rao founder, Rao Teas',
      'Ben Cole Cole Cycles',
    ],
    address: '14 Great Queen Street, London WC2B 5DW, UK|London|||GB',
    telephone: '+44-20-7946-0018',
    link: '+442079460018',
    settled: ['telephone', 'address'],
  },
  'denver-south.prose': {
    headline: 'Web design in Denver South',
    shows: ['1475 South Pearl Street, Denver, CO 80210', '+1 303 555 0177'],
    address: '1475 South Pearl Street, Denver, CO 80210|Denver South|||US',
    telephone: '+1 303 555 0177',
    link: '+13035550177',
    settled: ['telephone', 'address'],
  },
  'porto.yaml': {
    headline: 'Web design in Porto',
    shows: [
      'Rua das Flores 123, 4050-262 Porto',
      '3 May 2027',
      '8 weeks',
      'A pleasure from the first call.',
      'Marta Reis owner, Casa Reis',
    ],
    address: 'Rua das Flores 123|Porto||4050-262|PT',
    telephone: '+351 22 000 0000',
    link: '+351220000000',
    markup: ['<html lang="en-GB">', '<time datetime="2027-05-03">'],
    settled: ['telephone', 'address'],
  },
};

describe("contexts as people write them, for the demo site's Austin page", () => {
  const files = readdirSync(resolve(import.meta.dirname, 'contexts'));

  it('are ten', () =>
    expect(files.map((file) => file.replace('.txt', ''))).to.have.members(Object.keys(contexts)));

  for (const [name, expected] of Object.entries(contexts))
    it(`${name} creates a page that says the same to people and to machines`, () => {
      const context = readFileSync(resolve(import.meta.dirname, `contexts/${name}.txt`), 'utf8');
      const slug = `/locations/${name.split('.')[0]}`;
      const { html, texts, data, warnings } = make(context, slug);
      expect(make(context, slug).html).to.equal(html);
      expect(texts).to.include.members([expected.headline, ...expected.shows]);
      const { streetAddress, addressLocality, addressRegion, postalCode, addressCountry } = data[
        'address'
      ] as Record<string, string>;
      expect(
        [streetAddress, addressLocality, addressRegion, postalCode, addressCountry].join('|'),
      ).to.equal(expected.address);
      expect(data['telephone']).to.equal(expected.telephone);
      expect(html).to.contain(`href="tel:${expected.link}"`).and.not.contain('tel:+15125550142');
      for (const markup of expected.markup ?? []) expect(html).to.contain(markup);
      expect(
        texts.filter((text) => /^[,;]|Austin, TX|Juniper|512[ )-]+555/.test(text)),
      ).to.deep.equal([]);
      for (const kind of expected.settled ?? [])
        expect(
          warnings.filter(
            (text) =>
              new RegExp(`: the (?:[\\w’']+ )?${kind}`).test(text) || text.includes('link behind'),
          ),
          kind,
        ).to.deep.equal([]);
    });
});
