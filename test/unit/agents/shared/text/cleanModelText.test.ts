import { expect } from 'chai';
import { cleanModelText } from '../../../../../src/agents/shared/text/cleanModelText.ts';

describe('cleanModelText(text)', () => {
  const cases: [string, string, string][] = [
    [
      'leaves sentences as they are',
      'Made /team.\nPrices stay < $10 & > 5; a<1.',
      'Made /team.\nPrices stay < $10 & > 5; a<1.',
    ],
    ['takes tags out', '<p>Made <b class="x">it</b> <!-- not --> short</p>', 'Made it  short'],
    ['takes out tags that come of taking tags out', 'a <<b>script>x<</b>/script> b', 'a x b'],
    ['takes out a tag that has no end', 'Done <img src=x onerror=alert(1)', 'Done'],
    ['takes marks of Markdown out', '## Done\n**Bold** and `code`', 'Done\nBold and code'],
    [
      'has no control and no invisible characters',
      'a\u0000b\u001b[31m\tc\u202ed\u200be\ufefff\r\n',
      'a b [31m cdef',
    ],
    ['keeps other scripts', 'Łódź, 東京 👍🏽', 'Łódź, 東京 👍🏽'],
  ];
  for (const [title, text, plain] of cases)
    it(title, () => expect(cleanModelText(text)).to.equal(plain));

  it('are cut at 2,000 characters, and never in the middle of a character', () => {
    expect([...cleanModelText('👍'.repeat(3_000))]).to.have.length(2_000);
    expect(cleanModelText('a'.repeat(9_000))).to.have.length(2_000);
    expect(cleanModelText(`${'a'.repeat(3_999)}👍`).isWellFormed()).to.equal(true);
    expect(cleanModelText(' \n ')).to.equal('');
  });
});
