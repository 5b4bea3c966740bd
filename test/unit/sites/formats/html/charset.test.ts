import { expect } from 'chai';
import fc from 'fast-check';
import { pageCalls } from '../../../../../src/sites/pages/pageCalls.ts';
import { casesOf } from '../../../../helpers/cases.ts';
import { unfitCharset } from '../../../../../src/sites/formats/html/checks/subjectTraces.ts';

const pageIn = (declared: string, text = 'Our caf&eacute;') =>
  `<!doctype html><html lang="en"><head>${declared}<title>Shop</title><script type="application/ld+json">{"@type":"Store","name":"Shop"}</script></head><body><h1>Shop</h1><p title="Shop">${text}</p></body></html>`;
const latin = '<meta http-equiv="Content-Type" content="text/html; charset=iso-8859-1">';
const path = 'a.html';

/** The page with one text in every place, and what its places say then. */
function written(source: string, text: string) {
  const ids = pageCalls.read({ path, source }).slots.map(({ id }) => id);
  const made = pageCalls.setTexts(
    { path, source },
    Object.fromEntries(ids.map((id) => [id, text])),
  );
  return { made, texts: pageCalls.read({ path, source: made }).slots.map((slot) => slot.text) };
}

describe('a text beyond the encoding that a page declares', () => {
  it('is written in ASCII, and read again as it was', () => {
    const text = fc
      .array(fc.constantFrom('ã', '–', '“', '€', '😀', 'Ж', 'a', 'b'), { minLength: 1 })
      .map((characters) => `a${characters.join('')}`);
    fc.assert(
      fc.property(
        text,
        fc.constantFrom(latin, '<meta charset="windows-1252">'),
        (one, declared) => {
          const { made, texts } = written(pageIn(declared), one);
          expect(made).to.match(/^[\0-\x7f]*$/);
          expect(new Set(texts)).to.deep.equal(new Set([one]));
        },
      ),
      { numRuns: casesOf(50) },
    );
  });

  it('stays as it is in UTF-8, and on a page that has such characters already', () => {
    for (const source of [pageIn('<meta charset="utf-8">'), pageIn(''), pageIn(latin, 'Café')])
      expect(written(source, 'São').made).to.contain('<h1>São</h1>');
  });

  it('is noted if an edit of the source brings it', () => {
    const [before, after] = [pageIn(latin), pageIn(latin).replace('Our', 'São')];
    const { staleDetails } = pageCalls.sideEffects({ path, source: after }, before);
    expect(staleDetails).to.deep.equal([unfitCharset('iso-8859-1')]);
  });
});
