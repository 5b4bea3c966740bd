import { expect } from 'chai';
import { testPages as pages } from '../../../../helpers/threads.ts';
import { memoryTree } from '../../memoryTree.ts';
import { demo, openModelTools } from './site.ts';

const slug = '/pricing';
const note = (price: string, currency: string) =>
  `/pricing: the structured data still states "${price}" in "${currency}"`;
const card = 'amount">$9,600';
const cell = '<td class="price"><strong>$9,600';
const inEuro = (html: string): [string, string] => [html, html.replace('$', '€')];

describe('the currency of a price in structured data', () => {
  const open = () => {
    const { done, workspace } = openModelTools(demo, pages);
    const write = (...edits: [old: string, now: string][]) =>
      done('edit_html', { slug, edits: edits.map(([old, now]) => ({ old, new: now })) });
    return { write, workspace };
  };

  it('is noted where the page shows the price in another one, until it is written', async () => {
    const { write, workspace } = open();
    const inUsd = async () =>
      (await workspace.warnings()).filter((text) => text.includes('" in "'));
    await write(inEuro(card));
    expect(await inUsd(), 'the table has it in dollars').to.deep.equal([]);
    await write(inEuro(cell));
    expect(await inUsd()).to.deep.equal([note('9600', 'USD')]);
    const data = '"price": "9600", "priceCurrency": ';
    await write([`${data}"USD"`, `${data}"EUR"`]);
    expect(await inUsd()).to.deep.equal([]);
  });

  it('is noted where the price is written, and its currency is not', async () => {
    const { write, workspace } = open();
    const now = (html: string): [string, string] => [
      html,
      html.replace('$9,600', '€9,900').replace('"9600"', '"9900"'),
    ];
    await write(now(card), now(cell), now('"price": "9600"'));
    expect(await workspace.warnings()).to.include(note('9900', 'USD'));
  });

  it('stays where a price has none, and is no invented one', async () => {
    const tree = memoryTree({
      'index.html': `<!doctype html><html><head><title>A</title>
<script type="application/ld+json">{"@type":"Product","name":"Kit","offers":{"@type":"Offer","price":"10"}}</script>
</head><body><h1>A</h1><p>$10</p></body></html>`,
    });
    const { done, workspace } = openModelTools(tree, pages);
    await done('edit_html', { slug: '/', edits: [{ old: '<p>$10', new: '<p>€10' }] });
    expect(`${await workspace.warnings()}`).not.to.contain('" in "');
  });
});
