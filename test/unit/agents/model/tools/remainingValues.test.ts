import { expect } from 'chai';
import { remainingValueSentence } from '../../../../../src/agents/shared/tools/addReplacedValueNotes.ts';
import { createPageNote } from '../../../../../src/contract/task.ts';
import { testPages as pages } from '../../../../helpers/threads.ts';
import { memoryTree } from '../../memoryTree.ts';
import { openModelTools } from './site.ts';

const site = (body: string, head = '') =>
  memoryTree({
    'index.html': `<!doctype html><html lang="en"><head><title>Acme</title>${head}</head><body><main><h1>Acme</h1>${body}</main></body></html>`,
  });
const remainingNote = (text: string, value: string) =>
  createPageNote('/', 'part', remainingValueSentence({ role: 'paragraph', text }, value), {
    value,
  });
/** Writes texts by the words that they begin with, and tells the notes. */
function open(tree: ReturnType<typeof site>) {
  const { workspace, done } = openModelTools(tree, pages);
  const sourceOf = async () => workspace.changes()[0]?.content ?? (await tree.read('index.html'));
  const write = async (texts: Record<string, string>) => {
    const source = await sourceOf();
    const edits = Object.entries(texts).map(([words, text]) => {
      const at = new RegExp(`[>"](${words.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}[^<"]*)[<"]`).exec(
        source,
      )!;
      const [whole, old] = [at[0], at[1]!];
      const before = source.slice(Math.max(0, at.index - 30), at.index);
      return { old: before + whole, new: before + whole.replace(old, () => text) };
    });
    await done('edit_html', { slug: '/', edits });
    return workspace.notes();
  };
  return { write };
}

describe('edit_html, about a value that was overwritten', () => {
  for (const [what, first, now, other] of [
    ['a price', '$4,800', '$5,200', 'All of it from $4,800 a year'],
    ['a price in another notation', '$4,800', '$5,200', 'USD 4800'],
    ['a price of a longer text', 'Just $4,800 for all', 'Ask us', 'Price: $4,800.00'],
    ['a telephone number', 'Call +1 303 555 0100', 'Call +1 303 555 0199', '(303) 555-0100'],
    ['an e-mail address', 'Write to a@b.example', 'Write to c@b.example', 'Mail: A@b.example'],
    ['opening hours', 'Mon–Fri 9 am – 5 pm', 'Mon–Fri 9 am – 6 pm', 'Open Mon–Fri 9 am – 5 pm'],
  ] as const)
    it(`names the text that still shows ${what}, until it no longer does`, async () => {
      const { write } = open(site(`<p>${first}</p><h2>More</h2><p>${other}</p>`));
      const [note, ...more] = await write({ [first]: now });
      expect(more).to.deep.equal([]);
      expect(note).to.deep.include(remainingNote(other, note!.value!));
      expect(other).to.contain(note!.value);
      expect(await write({ [other]: 'As above' })).to.deep.equal([]);
    });

  for (const [what, first, now, other] of [
    ['a number that is no price', '3', '4', '3 people'],
    ['a price in another currency', '$4,800', '$5,200', '€4,800'],
    ['a longer price', '$80', '$90', '$800'],
    ['a price that its text still shows', '$80', 'Was $80, now $70', 'Only $80'],
    ['hours of another day', 'Friday 9:00–17:00', 'Friday 9:00–15:00', 'Monday 9:00–17:00'],
    ['another number', 'Call +1 303 555 0100', 'Call +1 303 555 0199', '(303) 555-0101'],
    [
      'a price that a longer text leaves out',
      'Three packages at fixed prices: Solo $10, Duo $20, and Trio $30.',
      'Three packages at fixed prices, and nothing else to pay for.',
      'Solo: $10',
    ],
  ] as const)
    it(`does not mention ${what}`, async () => {
      const { write } = open(site(`<p>${first}</p><h2>More</h2><p>${other}</p>`));
      expect(await write({ [first]: now })).to.deep.equal([]);
    });

  it('does not mention the same price of other members of a group', async () => {
    const card = (name: string, price: string) =>
      `<article><h3>${name}</h3><p>${price}</p><p>For ${name}s.</p></article>`;
    const cards = `<div>${card('Solo', '$10')}${card('Duo', '$10')}${card('Trio', '$30')}</div>`;
    const { write } = open(site(`${cards}<p>Solo starts at $10</p>`));
    expect(await write({ $10: '$12' })).to.deep.equal([
      { ...remainingNote('Solo starts at $10', '$10'), slot: 's19' },
    ]);
  });

  it('removes its note if the text gets its value again', async () => {
    const { write } = open(site('<p>$80</p><h2>More</h2><p>Only $80</p>'));
    expect(await write({ $80: '$90' })).to.have.length(1);
    expect(await write({ $90: '$80' })).to.deep.equal([]);
  });
});
