import { expect } from 'chai';
import { titleWords } from '../../../src/temporal/tasks/titleWords.ts';

const secret = Buffer.from('secret');
const words = (title: string, organizationId = 'o') => titleWords(secret, organizationId, title);

describe('titleWords(secret, organizationId, title)', () => {
  for (const [one, other] of [
    ['Ten Cities', 'ten cities'],
    ['São  Paulo', 'sao paulo'],
    ['10 pages from /locations/austin', '10, pages; from locations — austin!'],
    ['京都 ページ', '京都・ページ'],
    ["Robert'); drop table", 'robert drop table'],
  ] as const)
    it(`knows ${JSON.stringify(one)} by ${JSON.stringify(other)}`, () => {
      expect(words(one)).to.include.members(words(other)).and.have.length.above(1);
    });

  it('tells words and organizations apart, and holds nothing of the text', () => {
    expect(words('austin')).not.to.deep.equal(words('austen'));
    expect(words('austin')).not.to.deep.equal(words('austin', 'p'));
    expect(words('secret plan austin').join()).to.match(/^[0-9a-f]{12}(,[0-9a-f]{12}){2}$/);
  });

  it('is short, whatever the title', () => {
    expect(words('')).to.deep.equal([]);
    expect(words('!\u0301 \ud800')).to.deep.equal([]);
    expect(words(Array.from({ length: 100 }, (_, i) => `w${i}`).join(' '))).to.have.length(20);
  });
});
