import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { differentFactsReason } from '../../../../../src/agents/shared/page/replacementFacts.ts';
import {
  describeUnusedValues,
  moreValuesPart,
  unusedValuesSentence,
} from '../../../../../src/agents/shared/page/pageWarnings.ts';
import { makePage } from '../../rules/page/makePage.ts';

const austin = {
  path: 'locations/austin.html',
  source: readFileSync('src/demo/site/locations/austin.html', 'utf8'),
};
const unusedOf = (context: string) =>
  makePage(austin, { context })
    .notes.filter(({ kind }) => kind === 'unused')
    .map(({ text }) => text);
const none = (...texts: string[]) => (texts.length === 0 ? [] : [unusedValuesSentence(texts)]);

describe('writeRulesPage names every unused value of a context', () => {
  for (const [context, ...texts] of [
    ['{"city":"Ottawa","prices":{"Starter":"C$6,200"}}'],
    ['{"city":"Ottawa","packages":{"Starter":"C$6,200","Gold":"C$9,000"}}', '"C$9,000" (packages)'],
    ['city: Ottawa\nprices:\n  Starter: C$6,200\n  Gold: C$9,000', '"C$9,000" (prices)'],
    ['{"city":"Ottawa","prices":{"Gold":{"price":"C$6,200"}}}', '"C$6,200" (prices)'],
    ['{"city":"Ottawa","team":{"size":5,"lead":"Ana Roy"}}', '"5", "Ana Roy" (team)'],
    [
      'City: Ottawa\nNeighbours:\n- The old mill, empty since May',
      '"The old mill, empty since May" (neighbours)',
    ],
    ['City: Ottawa\nTestimonials:\n- "Great, on time" - Jane Doe, CEO'],
    ['City: Ottawa\nHeadline: Now we care\nMotto: Care, now.', '"Care, now." (motto)'],
    ['City: Ottawa\nMotto: Small is fast', '"Small is fast" (motto)'],
    ['City: Ottawa, Ontario', '"Ontario" (city)'],
    [
      'City: Ottawa\n\n## Parking\n\n| Place | Cars |\n|--|--|\n| Yard | twelve |',
      '"Yard", "twelve" (Parking)',
    ],
    [
      'City: Ottawa\n\n## Parking\n\nThere is none.\n\n### Bikes\n- In the yard',
      '"There is none.", "Bikes", "In the yard" (Parking)',
    ],
    [
      'City: Ottawa\nAddress: 100 Elm Street, Suite 800, Ottawa\nDeposit: $4,100\nMonthly care: $2,800',
      '"$4,100" (deposit)',
      '"$2,800" (monthly care)',
    ],
    ['City: Ottawa\nPhone: +351 211 30 45 00\nTeam size: 30', '"30" (team size)'],
    ['City: Ottawa\nPhone: +351 211 30 45 00\nTagline: Our 30 people\nTeam size: 30'],
    [
      '{"city":"Ottawa","process":["Talk","Write","Build"],"parking":"free","team":"small"}',
      '"Talk", "Write", "Build" (process)',
      '"free" (parking)',
      '"small" (team)',
    ],
    [
      '{"city":"Ottawa","hours":{"Sunday":"9:00 am - 5:30 pm"}}',
      '"9:00 am - 5:30 pm" (hours sunday)',
    ],
    [
      '{"location":{"city":"Ottawa","phone":"+1 (312) 555-0110","fax":"+1 (312) 555-0111"}}',
      '"+1 (312) 555-0111" (fax)',
    ],
    ['City: Ottawa\nlang: fr\nSprache: fr'],
    [
      'city: Dublin\ncountry: Ireland\naddress:\n  street: 12 Fleet Street\n  city: Dublin\n  postcode: D02 X285',
    ],
    ['City: Ottawa\nPrice: C$5', describeUnusedValues(['C$5'], 'price', differentFactsReason(4))],
  ] as const)
    it(context.replaceAll('\n', '↵'), () =>
      expect(unusedOf(context)).to.deep.equal(none(...texts)),
    );

  it('names no value that the page states in another form', () => {
    const data = {
      city: 'Ottawa',
      slug: '/locations/ottawa',
      headline: 'Web design in Ottawa',
      phone: '+1 613 555 0101',
      email: 'ottawa@northwind.example',
      rating: '4.8/5',
      reviews: 31,
      geo: { lat: 45.42, lng: -75.69 },
      company: 'Northwind Studio',
      faq: [{ question: 'Do you speak French?', answer: 'Oui, all of us.' }],
    };
    expect(unusedOf(JSON.stringify(data))).to.deep.equal([]);
    expect(
      unusedOf('# Web design in Ottawa\n\nWe **build** sites. [Call us](/contact) now, or write.'),
    ).to.deep.equal([]);
  });

  it('limits the number of its notes', () => {
    const many = Object.fromEntries(
      Array.from({ length: 300 }, (_, i) => [`key${i}`, `Value number${i}`]),
    );
    const notes = unusedOf(JSON.stringify({ city: 'Ottawa', ...many, list: { b: many } }));
    expect(notes).to.have.length(1);
    expect(notes[0]!.endsWith(`; ${moreValuesPart(595)}`)).to.equal(true);
  });
});
