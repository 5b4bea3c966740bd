import { expect } from 'chai';
import { testPages as pages } from '../../../../helpers/threads.ts';
import { memoryTree } from '../../memoryTree.ts';
import { demo, openModelTools } from './site.ts';

const slug = '/pricing';
const offer = (html: string, name: string) =>
  new RegExp(`"name": "${name}",\\s+"price": "([^"]*)",\\s+"priceCurrency": "([^"]*)"`)
    .exec(html)!
    .slice(1);
const note = (price: string, currency: string) =>
  `/pricing: the structured data still states "${price}" in "${currency}"`;

describe('the currency of a price in structured data', () => {
  for (const [text, price, currency] of [
    ['€9,900', '9900', 'EUR'],
    ['9900 EUR', '9900', 'EUR'],
    ['9.900,50 €', '9900.50', 'EUR'],
    ['£9,900', '9900', 'GBP'],
    ['CHF 9900', '9900', 'CHF'],
    ['$9,900', '9900', 'USD'],
    ['CA$9,900', '9900', 'CAD'],
    ['9900 kr', '9900', 'USD'], // it may be one of four
    ['9900', '9900', 'USD'],
  ] as const)
    it(`is written with the price: ${text}`, async () => {
      const { done, changed } = openModelTools(demo, pages);
      await done('set_texts', { slug, edits: [{ id: 's22.12', text }] });
      const html = changed().get('pricing.html')!;
      expect(offer(html, 'Studio')).to.deep.equal([price, currency]);
      expect(offer(html, 'Starter')).to.deep.equal(['4800', 'USD']);
    });

  it('is noted where the page shows the price in another one, until it is written', async () => {
    const { done, workspace } = openModelTools(demo, pages);
    const write = (id: string, text: string) => done('set_texts', { slug, edits: [{ id, text }] });
    const inUsd = async () =>
      (await workspace.warnings()).filter((text) => text.includes('" in "'));
    await write('s62', '€9,600');
    expect(await inUsd(), 'the table has it in dollars').to.deep.equal([]);
    await write('s125', '€9,600');
    expect(await inUsd()).to.deep.equal([note('9600', 'USD')]);
    await write('s22.12', '9600 EUR');
    expect(await inUsd()).to.deep.equal([]);
    await write('s62', '€9,900');
    await write('s125', '€9,900');
    await write('s22.12', '9900');
    expect(await inUsd()).to.deep.equal([]);
  });

  it('is noted where the price follows, and its currency is not written with it', async () => {
    const { done, workspace } = openModelTools(demo, pages);
    await done('set_texts', {
      slug,
      edits: [
        { id: 's62', text: '€9,900' },
        { id: 's125', text: '€9,900' },
        { id: 's22.12', text: '9900' },
      ],
    });
    expect(await workspace.warnings()).to.include(note('9900', 'USD'));
  });

  it('stays where a price has none, and is no invented one', async () => {
    const tree = memoryTree({
      'index.html': `<!doctype html><html><head><title>A</title>
<script type="application/ld+json">{"@type":"Product","name":"Kit","offers":{"@type":"Offer","price":"10"}}</script>
</head><body><h1>A</h1><p>$10</p></body></html>`,
    });
    const { done, changed, workspace } = openModelTools(tree, pages);
    const [, id] = /(\S+) offers\.price/.exec(await done('read_page', { slug: '/' }))!;
    await done('set_texts', { slug: '/', edits: [{ id, text: '€10' }] });
    expect(changed().size).to.equal(0);
    expect(await workspace.warnings()).to.deep.equal([]);
  });
});
