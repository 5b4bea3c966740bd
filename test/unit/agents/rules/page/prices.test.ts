import { expect } from 'chai';
import { unusedValuesSentence } from '../../../../../src/agents/shared/page/pageWarnings.ts';
import { makePage, pageWith } from './makePage.ts';

const made = (content: string, context: string, data?: object) => {
  const { html, notes, faults } = makePage(pageWith(content, data), { context });
  expect(faults).to.deep.equal([]);
  return { html: html.replaceAll('&nbsp;', '\u00a0'), notes: notes.map(({ text }) => text) };
};

const written = [
  'NOK 45 000',
  'NOK 45\u00a0000',
  'NOK 45\u202f000',
  'kr 45 000',
  '45 000 kr',
  '45.000,- kr',
  '45 000,- kr',
  'kr 45.000,-',
  "CHF 1'200",
  'CHF 1’200.–',
  '1 200,50 €',
  '€1.200,50',
  '₹1,20,000',
  'Rs. 1,20,000',
  '$1,200.50',
  'US$ 99',
  'R$ 1.200,00',
  '1.200 zł',
  '45 000 SEK',
  '¥120,000',
  '25 000 Ft',
  'AED 1,200',
  'C$6,200',
  '£45k',
];

describe('writeRulesPage: prices', () => {
  for (const price of written) {
    it(`${price} replaces a price completely and as it is written`, () => {
      for (const old of ['$4,800', 'NOK 39 000', '₹90,000', '39.000,- kr', '1 150,50 €']) {
        const { html, notes } = made(`<p>From ${old} a site.</p>`, `City: Oslo\nPrice: ${price}`);
        expect(html, old).to.contain(`<p>From ${price} a site.</p>`);
        expect(notes, old).to.deep.equal([]);
      }
    });

    it(`${price} is replaced completely`, () => {
      const { html, notes } = made(`<p>From ${price} a site.</p>`, 'City: Oslo\nPrice: £77');
      expect(html).to.contain('<p>From £77 a site.</p>');
      expect(notes).to.deep.equal([]);
    });
  }

  const plans = (starter: string, pro: string) =>
    `<h2>Plans</h2><div class="cards"><div class="card"><h3>Starter</h3><p>${starter}</p></div><div class="card"><h3>Pro plan</h3><p>${pro} a month</p></div></div>`;

  for (const context of [
    'starter price: 49\npro price: NOK 45 000',
    'Starter Price: 49\nPro plan price: NOK 45 000',
    'Price starter: 49\nPrice of pro: NOK 45 000',
    '- **Starter price:** 49\n- **Pro monthly price:** NOK 45 000',
    'Starter-Preis: 49\nPreis Pro: NOK 45 000',
    '{"prices":{"Starter":49,"Pro":"NOK 45 000"}}',
    '{"starterPrice":49,"pro_price":"NOK 45 000"}',
    'city,starter price,pro price\nOttawa,49,NOK 45 000',
  ])
    it(`are used for the plan that a key names: ${context.replaceAll('\n', '↵')}`, () => {
      const { html, notes } = made(plans('$29', '$99'), context);
      expect(html).to.contain(plans('$49', 'NOK 45 000'));
      expect(notes.filter((note) => !note.includes('headline'))).to.deep.equal([]);
    });

  it('keep the currency of the template if none is given', () => {
    for (const [old, given, now] of [
      ['$29', '49', '$49'],
      ['29 €', '49', '49 €'],
      ['NOK 39 000', '45 000', 'NOK 45 000'],
      ['39.000,- kr', '45.000', '45.000,- kr'],
      ['$90–$110', '120', '$120'],
      ['₹90,000', '1,20,000', '₹1,20,000'],
    ])
      expect(made(`<p>From ${old} a site.</p>`, `City: Oslo\nPrice: ${given}`).html).to.contain(
        `<p>From ${now} a site.</p>`,
      );
  });

  it('are numbers in structured data', () => {
    const data = { '@type': 'Product', offers: { price: '4800' } };
    const { html } = made('<p>From $4,800.</p>', 'City: Oslo\nPrice: NOK 45 000,50', data);
    expect(html).to.contain('"price":"45000.50"').and.contain('<p>From NOK 45 000,50.</p>');
  });

  it('are not read from a year, a quantity, or an unknown plan', () => {
    const texts =
      '<p>Since 2014 we made 45 000 sites and 12 shops for 300 people. TOP 10 in 2024.</p>';
    expect(made(texts, 'City: Oslo\nPrice: NOK 5').html).to.contain(texts);
    const { html, notes } = made(plans('$29', '$99'), 'City: Oslo\nGold price: 49');
    expect(html).to.contain(plans('$29', '$99'));
    expect(notes).to.include(unusedValuesSentence(['"49" (gold price)']));
  });
});
