import { expect } from 'chai';
import fc from 'fast-check';
import { asHtml } from './asHtml.ts';
import { soup } from './soup.ts';
import { outside, replaceWords, skeleton } from './compare.ts';
import { casesOf } from '../../../../helpers/cases.ts';

describe('HTML: tag soup', () => {
  it('returns every page byte for byte if every slot keeps its text', () => {
    fc.assert(
      fc.property(soup, (source) => {
        const texts = Object.fromEntries(asHtml.slots(source).map(({ id, text }) => [id, text]));
        expect(asHtml.apply(source, texts)).to.equal(source);
      }),
      { numRuns: casesOf(500) },
    );
  });

  it('replaces every text, but no elements and no other bytes', () => {
    const words = 'A </p></table><b> &amp; "quoted" end';
    fc.assert(
      fc.property(soup, (source) => {
        const given = Object.fromEntries(
          asHtml.slots(source).map(({ id, text }) => [id, replaceWords(text, words)]),
        );
        const result = asHtml.apply(source, given);
        expect(
          Object.fromEntries(asHtml.slots(result).map(({ id, text }) => [id, text])),
        ).to.deep.equal(given);
        // a comment after </html> stands in the document or in the body by the text before it
        expect(skeleton(result, { comments: false })).to.deep.equal(
          skeleton(source, { comments: false }),
        );
        expect(outside(result).join('')).to.equal(outside(source).join(''));
      }),
      { numRuns: casesOf(500) },
    );
  });
});
