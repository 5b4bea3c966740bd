import { expect } from 'chai';
import { shareOfOwnWords, phrasesOf } from '../../../src/text/ownShare.ts';

const template = phrasesOf('Web design in Austin that works for small firms');

describe('the share of a text that is its own', () => {
  const share = (text: string, ...others: string[]) =>
    shareOfOwnWords(text, [template, ...others.map(phrasesOf)]);

  it('is one word if only the city differs', () => {
    expect(share('Web design in Lisbon that works for small firms')).to.equal(1 / 9);
  });

  it('is zero for a copy, whatever its case, spaces and punctuation', () => {
    expect(share('WEB design, in Austin –\nthat works (for small firms)!')).to.equal(0);
  });

  it('is one for other words, for a text without words, and without other texts', () => {
    expect(share('Our studio by the Tejo opened last spring')).to.equal(1);
    expect(share('…')).to.equal(1);
    expect(shareOfOwnWords('Web design in Austin', [])).to.equal(1);
  });

  it('counts what siblings have', () => {
    const text = 'We moved into an old mill last year';
    expect(share(text, text)).to.equal(0);
    expect(share(`${text} with Ana`, text)).to.equal(2 / 10);
  });

  it('reads letters of any script', () => {
    expect(share('Веб дизайн в Москве')).to.equal(1);
    expect(shareOfOwnWords('Веб дизайн в Москве', [phrasesOf('веб дизайн в')])).to.equal(1 / 4);
  });
});
