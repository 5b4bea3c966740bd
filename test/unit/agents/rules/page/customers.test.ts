import { readFileSync, readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect } from 'chai';
import { differentFactsReason } from '../../../../../src/agents/shared/page/replacementFacts.ts';
import {
  describeUnusedValues,
  unusedValuesSentence,
} from '../../../../../src/agents/shared/page/pageWarnings.ts';
import { plainText } from '../../../../../src/agents/shared/text/parseMarks.ts';
import { pageCalls } from '../../../../../src/sites/pages/pageCalls.ts';
import { makePage } from './makePage.ts';

const site = resolve(import.meta.dirname, '../../../../../src/demo/site');
const sitePaths = readdirSync(site, { recursive: true }) as string[];
const sourceOf = (path: string) => ({ path, source: readFileSync(resolve(site, path), 'utf8') });
const template = sourceOf('locations/austin.html');
const siblings = ['index.html', 'about.html', 'pricing.html', 'locations/denver.html'].map(
  sourceOf,
);

/** What no context of these gives: the pages keep it, and a note names it. */
const ALWAYS = ['date', 'price', 'contact'];

/** For each context what the page shows, and the kinds of facts that are still the template's. */
const judged: Record<string, { shows: string[]; kept: string[]; unused?: string[] }> = {
  'brighton.prose': {
    shows: ['7 Trafalgar Street, Brighton BN1 4EQ', '01273 555019', '+44-1273-555019', 'GB'],
    kept: ['quote', 'rating', 'contact'],
  },
  'chicago.csv': {
    shows: [
      '233 South Wacker Drive, Suite 400, Chicago, IL 60606',
      '312-555-0160',
      'Rated 4.7 out of 5 by 86 clients',
    ],
    kept: ['quote', 'rating', 'contact'],
    unused: [describeUnusedValues(['$5,400'], 'price', differentFactsReason(4))],
  },
  'dublin.md': {
    shows: [
      '24 Capel Street, Dublin 1, D01 X2P4, Ireland',
      'Aoife Byrne Byrne Books',
      'Do you work outside of Dublin?',
      'Yes, all over Leinster.',
      'About six weeks.',
    ],
    kept: ['rating'],
    unused: [
      describeUnusedValues(
        ['Mon-Fri 9:00-17:30'],
        'opening hours',
        differentFactsReason('several'),
      ),
    ],
  },
  'galway.lines': {
    shows: [
      "Websites for Galway's makers",
      'Plain words, fast pages.',
      'Great work',
      'Mary Flynn Flynn Pottery',
    ],
    kept: ['rating', 'contact'],
    unused: ['"none yet" (map)'],
  },
  'hamburg.json': {
    shows: [
      'Große Elbstraße 9, 22767 Hamburg',
      '+49 40 123456',
      '4.400 €',
      '8.900 €',
      'Jana Petersen Petersen Tee',
    ],
    kept: ['rating', 'contact'],
    unused: ['"einmalig" (preise)'],
  },
  'miami.json': {
    shows: [
      '480 Ocean Drive, Miami, FL 33139',
      '+1 305 555 0177',
      'Book a call',
      'Fast sites for hotels and cafés on the beach.',
    ],
    kept: ['quote', 'rating', 'contact'],
    unused: [
      [
        describeUnusedValues(['+1 305 555 0178'], 'whatsapp'),
        describeUnusedValues(['2023'], 'founded', differentFactsReason(2)),
        describeUnusedValues(['4 people'], 'team'),
      ].join('; '),
    ],
  },
  'nashville.md': {
    shows: [
      '615.555.0142',
      '+1-615-555-0142',
      'May 4, 2027',
      'Nashville studio, open since 2021',
      'Coffee',
      'We meet at yours.',
      'Venues and bands',
      '$7,500',
    ],
    kept: ['quote', 'rating', 'contact'],
    unused: ['"900 Rosa L Parks Blvd, TN 37208" (where)'],
  },
  'seattle.json': {
    shows: [
      '(206) 555-0119',
      'Rated 5 out of 5 by 12 clients',
      '$5,000',
      '$9,900',
      'Do you come to us?',
    ],
    kept: ['quote'],
    unused: ['"8:30 am – 5:00 pm" (hours monday to thursday); "8:30 am – 1:00 pm" (hours friday)'],
  },
  'vienna.lines': {
    shows: ['Lindengasse 12, 1070 Wien, Österreich', '01 234 56 78', '+43-1-234-56-78'],
    kept: ['quote'],
    unused: [
      describeUnusedValues(
        ['Mo–Do 9:00–17:00 Uhr, Fr 9:00–13:00 Uhr, Sa und So geschlossen'],
        'offnungszeiten',
        differentFactsReason('several'),
      ),
    ],
  },
  'zurich.yaml': {
    shows: ['Langstrasse 20, 8004 Zürich', '+41 44 555 01 23', "CHF 5'900", "CHF 11'800"],
    kept: ['quote', 'rating', 'contact'],
    unused: [
      describeUnusedValues(
        ['Mon-Thu 8-18, Fri 8-16, weekends closed'],
        'hours',
        differentFactsReason('several'),
      ),
    ],
  },
};

describe('contexts of ten customers, reviewed in a browser beside the template', () => {
  const read = (name: string) =>
    readFileSync(resolve(import.meta.dirname, `customers/${name}.txt`), 'utf8');

  it('are ten', () => {
    const files = readdirSync(resolve(import.meta.dirname, 'customers'));
    expect(files.map((file) => file.replace('.txt', ''))).to.have.members(Object.keys(judged));
  });

  for (const [name, { shows, kept, unused = [] }] of Object.entries(judged))
    it(`${name} creates a page on which nothing is false without a note`, () => {
      const slug = `/locations/${name.split('.')[0]}`;
      const { html, notes, faults } = makePage(template, {
        slug,
        context: read(name),
        siblings,
        sitePaths,
      });
      expect(faults).to.deep.equal([]);
      const texts = pageCalls
        .read({ path: `${slug.slice(1)}.html`, source: html })
        .slots.map(({ text }) => plainText(text));
      expect(texts).to.include.members(shows);
      const hasAddress = !notes.some(({ text }) => text.includes('Juniper'));
      expect(
        texts.filter(
          (text) =>
            (hasAddress ? /Austin|Juniper/ : /Austin(?!, TX|$)/).test(text) && !text.includes('@'),
        ),
      ).to.deep.equal([]);
      expect(texts.filter((text) => /^[,;.]|[.,],|undefined|\bnull\b/.test(text))).to.deep.equal(
        [],
      );
      const dates = notes.some(({ kind }) => kind === 'date') ? [] : ['date'];
      const kinds = notes
        .map(({ kind }) => kind)
        .filter((kind) => kind !== 'unused' && kind !== 'part');
      expect(new Set([...kinds, ...dates])).to.deep.equal(new Set([...ALWAYS, ...kept]));
      const said = notes.filter(({ kind }) => kind === 'unused').map(({ text }) => text);
      expect(said).to.deep.equal(unused.map((text) => unusedValuesSentence([text])));
    });
});
