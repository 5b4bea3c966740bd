import { expect } from 'chai';
import { testPages as pages } from '../../../../helpers/threads.ts';
import { memoryTree } from '../../memoryTree.ts';
import { carryOut } from './carryOut.ts';

const STOPPED = 'We plan sites.';
const OPEN = 'Sites';

/** A page whose headline is a text. */
const page = (headline: string, brand = 'Acme') =>
  `<title>${headline}</title><nav><a href="/">${brand}</a> <a href="/b">Go now.</a> <a href="/b">Prices</a></nav>` +
  `<h1>${headline}</h1><p>Made by ${brand}</p>`;

describe('the full stop behind a text without quotes', () => {
  const headline = async (old: string, prompt: string) => {
    const { changed } = await carryOut(memoryTree({ 'a.html': page(old) }), pages, prompt);
    return /<h1>(.*)<\/h1>/.exec(changed.get('a.html')!)![1];
  };
  const rows: [old: string, said: string, now: string][] = [
    [STOPPED, 'We build sites.', 'We build sites.'],
    [OPEN, 'We build sites.', 'We build sites'],
    [STOPPED, 'We build sites', 'We build sites'],
    ['“We plan sites.”', 'We build sites.', 'We build sites.'],
    ['(We plan sites.)', 'We build sites.', 'We build sites.'],
    ['We plan!', 'We build sites.', 'We build sites'],
    ['We plan?', 'We build sites.', 'We build sites'],
    ['We plan…', 'We build sites.', 'We build sites'],
    ['We plan...', 'We build sites.', 'We build sites'],
    [STOPPED, 'We build sites!', 'We build sites!'],
    [STOPPED, 'Do we build sites?', 'Do we build sites?'],
    [STOPPED, 'We build sites…', 'We build sites…'],
    [STOPPED, 'We build sites...', 'We build sites...'],
    [OPEN, 'We build sites...', 'We build sites...'],
    [OPEN, 'A part of Acme Inc.', 'A part of Acme Inc.'],
    [STOPPED, 'A part of Acme Inc.', 'A part of Acme Inc.'],
    [OPEN, 'Open from 9 a.m.', 'Open from 9 a.m.'],
    [OPEN, 'Made in the U.S.', 'Made in the U.S.'],
    ['Wir planen Seiten.', 'Wir bauen schöne Seiten.', 'Wir bauen schöne Seiten.'],
    [OPEN, 'Wir bauen Seiten, Läden usw.', 'Wir bauen Seiten, Läden usw.'],
    [OPEN, 'Gärtner Grün e.V.', 'Gärtner Grün e.V.'],
    [STOPPED, '"We build sites".', 'We build sites'],
    [OPEN, '"We build sites."', 'We build sites.'],
  ];
  for (const [old, said, now] of rows)
    it(`makes "${now}" of: ${said} (before: ${old})`, async () => {
      expect(await headline(old, `Change the headline of /a to ${said}`)).to.equal(now);
    });

  it('is judged for each instruction of a list, and each kind of text', async () => {
    const files = { 'index.html': page(''), 'a.html': page(STOPPED), 'b.html': page(OPEN) };
    const { changed } = await carryOut(
      memoryTree(files),
      pages,
      '- Change the headline of /a to We build sites.\n- Change the headline of /b to We build sites.\n' +
        '- Change the title of /a to We build\n- Change the headline of /b to Bees.\n' +
        '- Change "Go now." in the navigation to Begin here.\n' +
        '- Change "Prices" in the navigation to Costs.\n- We are now called Beta.',
    );
    const [a, b] = [changed.get('a.html')!, changed.get('b.html')!];
    expect(a).to.contain('<h1>We build sites.</h1>').and.contain('<title>We build</title>');
    expect(b).to.contain('<h1>Bees</h1>').and.contain('Made by Beta<');
    for (const one of [a, b])
      expect(one).to.contain('>Begin here.<').and.contain('>Costs<').and.contain('>Beta<');
  });

  it('stays with a name that had one', async () => {
    const tree = memoryTree({ 'index.html': page(OPEN, 'Acme Inc.') });
    const { changed } = await carryOut(tree, pages, 'We are now called Beta Ltd.');
    expect(changed.get('index.html')).to.contain('<p>Made by Beta Ltd.</p>');
  });
});
