import { expect } from 'chai';
import fc from 'fast-check';
import {
  hasAddress,
  NAME_LENGTH,
  findNameViolation,
  cleanPersonName,
} from '../../../src/contract/text/nameRule.ts';

const character = (code: number) => String.fromCodePoint(code);
const range = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, i) => character(first + i));

/** Unicode: Bidi_Control, zero widths, fillers, tags and selectors that nothing shows. */
const hidden = [
  ...range(0x200b, 0x200f),
  ...range(0x202a, 0x202e),
  ...range(0x2060, 0x206f),
  ...range(0xfff9, 0xfffb),
  ...range(0xe0001, 0xe007f),
  '\u00ad',
  '\u034f',
  '\u061c',
  '\u115f',
  '\u1160',
  '\u17b4',
  '\u180e',
  '\u3164',
  '\ufeff',
  '\uffa0',
  '\ufe0f',
];

describe('findNameViolation(name)', () => {
  it('accepts names of all scripts, with the joiners that they need', () => {
    const names = [
      'Ada Lovelace',
      "O'Neill & Söhne e. V.",
      '株式会社　東京',
      'علی\u200cرضا',
      'ශ්\u200dරී ලංකා',
      'Café \u{1f469}\u200d\u{1f4bb}',
      'Sweets ❤\ufe0f',
      'A/B: tests',
      'x'.repeat(NAME_LENGTH),
    ];
    for (const name of names)
      expect(findNameViolation(name, { isMailed: true }), name).to.equal(null);
  });

  it('rejects invisible and direction characters in every position', () => {
    for (const one of hidden)
      for (const name of [`${one}Acme`, `Ac${one}me`, `Acme${one}`, `Acme ${one} Ltd`])
        expect(findNameViolation(name), JSON.stringify(name)).to.equal('hidden');
    for (const one of hidden)
      expect(findNameViolation(one), JSON.stringify(one)).to.be.oneOf(['hidden', 'blank']);
  });

  it('rejects line ends, control characters, unpaired surrogates, blanks and long names', () => {
    for (const one of ['\n', '\r', '\t', '\0', '\x1b', '\x7f', '\x85', '\u2028', '\u2029'])
      expect(findNameViolation(`Ac${one}me`), JSON.stringify(one)).to.equal('line');
    for (const blank of [
      '',
      ' ',
      '\u00a0',
      '\u3000',
      '\u2800',
      '\u2800 \u2800',
      '\u0301',
      '\ue000',
    ])
      expect(findNameViolation(blank)).to.equal('blank');
    for (const half of ['a\ud800', '\udc00b']) expect(findNameViolation(half)).to.equal('half');
    expect(findNameViolation('x'.repeat(NAME_LENGTH + 1))).to.equal('long');
    expect(findNameViolation('x'.repeat(10_000_000))).to.equal('long');
  });

  it('rejects URLs in names that appear in e-mails, and in no others', () => {
    const addresses = [
      'evil.test',
      'www.evil.test',
      'https://evil',
      '//evil.test',
      'xn--80ak6aa92e.com',
      'пример.рф',
      'evil。test',
      'ｅｖｉｌ.ｔｅｓｔ',
      'evil․test',
      '\u{1f4a9}.la',
      'a@evil.test',
      'x＠evil',
      '203.0.113.7',
      'javascript:x',
      '(evil.test)',
      'Your bank:evil.test',
      'a_b.test',
    ];
    for (const address of addresses) {
      expect(hasAddress(address), address).to.equal(true);
      expect(findNameViolation(address, { isMailed: true }), address).to.equal('address');
      expect(findNameViolation(address), address).to.equal(null);
    }
  });

  it('finds every host name, whatever is around it', () => {
    const label = fc.stringMatching(/^[a-z0-9](?:[a-z0-9-]{0,8}[a-z0-9])?$/);
    const tld = fc.stringMatching(/^[a-z]{2,12}$/);
    const around = fc.string({ unit: 'grapheme', maxLength: 20 });
    fc.assert(
      fc.property(around, label, tld, around, (before, name, end, after) => {
        expect(hasAddress(`${before} ${name}.${end} ${after}`)).to.equal(true);
      }),
    );
  });
});

describe('cleanPersonName(given, email)', () => {
  it('returns a name that the sign-up accepts, whatever was given', () => {
    const any = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 300 }),
      fc.constantFrom(
        '\u202e',
        'evil.test',
        ' ',
        `${'\u200b'.repeat(20_000)}x`,
        'x'.repeat(100_000),
      ),
      fc.anything(),
    );
    fc.assert(
      fc.property(any, fc.string({ unit: 'binary' }), (given, email) => {
        expect(findNameViolation(cleanPersonName(given, email), { isMailed: true })).to.equal(null);
      }),
    );
  });

  it('keeps the given name in one line', () => {
    expect(cleanPersonName('Ada\r\nLovelace\u202e ', 'x@example.com')).to.equal('Ada Lovelace');
    expect(cleanPersonName(undefined, 'ada.lovelace@example.com')).to.equal('ada lovelace');
    expect(cleanPersonName('\u200b', '\u202e@example.com')).to.equal('Unnamed');
  });
});
