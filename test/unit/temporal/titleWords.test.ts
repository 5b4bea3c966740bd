import { expect } from 'chai';
import { titleSearchWords } from '../../../src/temporal/tasks/titleWords.ts';

describe('titleWords(title)', () => {
  for (const [title, words] of [
    ['Ten  Cities, ten', ['ten', 'cities']],
    ['São Paulo', ['sao', 'paulo']],
    ['10 pages from /locations/austin!', ['10', 'pages', 'from', 'locations', 'austin']],
    ['京都・ページ', ['京都', 'ヘーシ']],
    ["Robert'); drop table", ['robert', 'drop', 'table']],
    ['!\u0301 \ud800', []],
  ] as const)
    it(`of ${JSON.stringify(title)} are ${JSON.stringify(words)}`, () => {
      expect(titleSearchWords(title)).to.deep.equal(words);
    });

  it('are short, whatever the title', () => {
    expect(
      titleSearchWords(Array.from({ length: 100 }, (_, i) => `w${i}`).join(' ')),
    ).to.have.length(20);
    expect(titleSearchWords('\u{20000}'.repeat(200)).join()).to.equal('\u{20000}'.repeat(30));
  });
});
