import { expect } from 'chai';
import { findJunk } from '../../../../../src/agents/shared/text/findJunk.ts';
import { removeMarkup } from '../../../../../src/agents/shared/text/removeMarkup.ts';

const keys = new Set(['city', 'phone', 'first name', 'name', 'by']);
const codeOf = (text: string) => findJunk(text, (name) => keys.has(name));

describe('findJunk', () => {
  for (const text of [
    '#REF!',
    '#N/A',
    '#BEZUG!',
    '#¡REF!',
    '#ССЫЛКА!',
    '####',
    'Err:502',
    'Web design in #REF!',
    'Call (#N/A)',
  ])
    it(`finds an error value of a spreadsheet: ${text}`, () =>
      expect(codeOf(text)).to.equal('spreadsheet-error'));

  for (const text of [
    '{{city}}',
    'Web design in {{city}}',
    '«City»',
    '<<City>>',
    '[City]',
    '[Street_Name]',
    '{city}',
    '%CITY%',
    '%%city%%',
    '${city}',
    '<%= city %>',
    '*|FNAME|*',
    '[[city]]',
    'Shops in [City]',
  ])
    it(`finds an unfilled field: ${text}`, () => expect(codeOf(text)).to.equal('merge-field'));

  for (const text of [
    'n/a',
    'Web design in n/a',
    'Opening hours: N/A.',
    'n. a.',
    'TBD',
    'xxx',
    'null',
    'undefined',
    'Invalid Date',
    'lorem ipsum dolor sit amet',
    'Web design in undefined',
    '[object Object]',
    '???',
  ])
    it(`finds a placeholder: ${text}`, () => expect(codeOf(text)).to.equal('placeholder'));

  for (const text of [
    'C#',
    '#1 in Oslo',
    '5 < 6',
    'a < b > c',
    'Q&A',
    'AT&T',
    'What N/A means',
    'None',
    'Nan Goldin',
    '«Fantastisk!»',
    'Vi elsker «byen»',
    '[sic]',
    'See [City](/city)',
    '50% off and 10% more',
    'Todo incluido',
    '-',
    'I <3 Oslo',
    '',
  ])
    it(`does not report a text: ${text}`, () => expect(codeOf(text)).to.equal(null));
});

describe('removeMarkup', () => {
  for (const [given, text] of [
    ['<b>Web design</b> in Oslo', 'Web design in Oslo'],
    ['Fish &amp; chips', 'Fish & chips'],
    ['Fish&nbsp;&#38;&nbsp;chips &eacute;', 'Fish & chips é'],
    ['One<br>two<br/>three', 'One two three'],
    ['<p>One.</p><p>Two.</p>', 'One.\n\nTwo.'],
    ['<ul><li>One</li><li>Two</li></ul>', 'One, Two'],
    ['<a href="https://x.example/?a=1&amp;b=2">Here</a>', 'Here'],
    ['&lt;b&gt;Bold&lt;/b&gt;', 'Bold'],
    ['A<script>alert(1)</script>B<!-- c -->', 'AB'],
    ['A<script>alert(1)', 'A'],
    ['<img src=x onerror=alert(1)>', ''],
    ['<scr<b>ipt>x</scr</b>ipt>', ''],
  ] as const)
    it(`returns the text of ${given}`, () => expect(removeMarkup(given)).to.equal(text));

  for (const text of [
    'C#',
    '5 < 6',
    'a < b > c',
    'Q&A',
    'I <3 you',
    'x<y and y>z',
    'Ola <ola@acme.example>',
    'List<String>',
    '<city>',
    'a&b;c',
  ])
    it(`leaves ${text} unchanged`, () => expect(removeMarkup(text)).to.equal(text));
});
