import { expect } from 'chai';
import { junkIn } from '../../../../src/agents/text/junk.ts';
import { withoutMarkup } from '../../../../src/agents/text/markup.ts';

const keys = new Set(['city', 'phone', 'first name', 'name', 'by']);
const codeOf = (text: string) => junkIn(text, (name) => keys.has(name))?.code ?? null;

describe('junkIn', () => {
  for (const text of [
    '#REF!',
    '#N/A',
    '#NAME?',
    '#VALUE!',
    '#DIV/0!',
    '#NUM!',
    '#NULL!',
    '#SPILL!',
    '#CALC!',
    '#BEZUG!',
    '#NV',
    '#WERT!',
    '#VERDI!',
    '#I/T',
    '#¡REF!',
    '#ССЫЛКА!',
    '#ERROR!',
    '####',
    'Err:502',
    ' #REF! ',
    'Web design in #REF!',
    'Call (#N/A)',
  ])
    it(`finds an error of a spreadsheet: ${text}`, () =>
      expect(codeOf(text)).to.equal('spreadsheet-error'));

  for (const text of [
    '{{city}}',
    '{{ Contact.City }}',
    'Web design in {{city}}',
    '«City»',
    '«First_Name»',
    '<<City>>',
    '[City]',
    '[PHONE]',
    '[Street_Name]',
    '{city}',
    '%CITY%',
    '%city%',
    '%%city%%',
    '${city}',
    '<%= city %>',
    '{% city %}',
    '*|FNAME|*',
    '[[city]]',
    'Shops in [City]',
    'Hello [your name]',
  ])
    it(`finds a field that nothing was put into: ${text}`, () =>
      expect(codeOf(text)).to.equal('merge-field'));

  for (const text of [
    'n/a',
    'N/A',
    'n. a.',
    'TBD',
    'tbc',
    'k. A.',
    'xxx',
    'XXXX',
    'null',
    'NULL',
    'undefined',
    'NaN',
    'Invalid Date',
    'TODO',
    'Lorem ipsum',
    'lorem ipsum dolor sit amet',
    'Web design in undefined',
    '[object Object]',
    '???',
  ])
    it(`finds a placeholder: ${text}`, () => expect(codeOf(text)).to.equal('placeholder'));

  for (const text of [
    'C#',
    'F# and C#',
    '#1 in Oslo',
    '#SALE!',
    '# 5',
    '5 < 6',
    'a < b > c',
    'Q&A',
    'AT&T',
    'Tel Aviv',
    'What N/A means',
    'Null',
    'None',
    'Nan Goldin',
    'Xenia',
    'XX',
    'TBA',
    '«Fantastisk!»',
    '«Alt»',
    'Vi elsker «byen»',
    '[sic]',
    '[1]',
    'See [City](/city)',
    '50% off and 10% more',
    '100%',
    '{a}',
    '$5',
    'Todo incluido',
    'undefined behaviour',
    'no lorem ipsum',
    '-',
    '—',
    '…',
    'I <3 Oslo',
    '',
  ])
    it(`leaves a text: ${text}`, () => expect(codeOf(text)).to.equal(null));
});

describe('withoutMarkup', () => {
  for (const [given, text] of [
    ['<b>Web design</b> in Oslo', 'Web design in Oslo'],
    ['Fish &amp; chips', 'Fish & chips'],
    ['Fish&nbsp;&#38;&nbsp;chips &eacute;', 'Fish & chips é'],
    ['One<br>two<br/>three', 'One two three'],
    ['<p>One.</p><p>Two.</p>', 'One.\n\nTwo.'],
    ['<ul><li>One</li><li>Two</li></ul>', 'One, Two'],
    ['<a href="https://x.example/?a=1&amp;b=2">Here</a>', 'Here'],
    ['&lt;b&gt;Bold&lt;/b&gt;', 'Bold'],
    ['&amp;lt;b&amp;gt;Bold', 'Bold'],
    ['A<script>alert(1)</script>B<!-- c -->', 'AB'],
    ['A<script>alert(1)', 'A'],
    ['<STRONG CLASS=x>A</STRONG>', 'A'],
    ['<img src=x onerror=alert(1)>', ''],
    ['<scr<b>ipt>x</scr</b>ipt>', ''],
  ] as const)
    it(`gives the text of ${given}`, () => expect(withoutMarkup(given)).to.equal(text));

  for (const text of [
    'C#',
    '5 < 6',
    'a < b > c',
    'Q&A',
    'AT&T; more',
    'R&D',
    'I <3 you',
    'x<y and y>z',
    'Ola <ola@acme.example>',
    'List<String>',
    '<city>',
    'a&b;c',
  ])
    it(`leaves ${text}`, () => expect(withoutMarkup(text)).to.equal(text));
});
