import { expect } from 'chai';
import { parseUrl } from '../../../src/contract/text/parseUrl.ts';

const base = 'https://forge.example/team/';
/** Different characters, for which Punycode takes the longest. */
const differentCharacters = (length: number) =>
  Array.from({ length }, (_, i) => String.fromCodePoint(0x4e00 + ((i * 7919) % 20_000))).join('');
const longHost = `${differentCharacters(65)}.example`;

describe('parseUrl(text, base)', () => {
  for (const text of [
    'https://a.example/b?c#d',
    ' HTTPS:\\\\A.example:443\\b ',
    'https://user:secret@a.example/',
    'https://bücher.example/',
    'https://%62.example/',
    'https://[::1]:8080/',
    'https://0x7f.1/',
    'ht\ntps://a\t.example/',
    `https://${'a'.repeat(63)}.${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(61)}:65535/`,
    `https://a.example/${differentCharacters(5_000)}`,
    `https://${'u'.repeat(300)}@a.example/`,
    '/runs/1',
    '?a=b',
    differentCharacters(100),
    `/${differentCharacters(100)}`,
    'mailto:a@b.example',
    'https://',
    'http://[bad/',
    '',
  ])
    it(`reads ${JSON.stringify(text.slice(0, 40))} like URL.parse`, () => {
      expect(parseUrl(text, base)?.href).to.equal(URL.parse(text, base)?.href);
      expect(parseUrl(text)?.href).to.equal(URL.parse(text)?.href);
    });

  for (const text of [
    `https://${longHost}/`,
    `https:${longHost}`,
    `\\/${longHost}/a`,
    `/\t/${longHost}`,
    `h\nttps:\n/\n/${longHost}`,
    `https://user@${longHost}:443/`,
    `https://${'%62'.repeat(25)}.example/`,
    `https://${'a'.repeat(300)}.example/`,
  ])
    it(`refuses the host of ${JSON.stringify(text.slice(0, 40))}, which is too long`, () => {
      expect(URL.parse(text, base)).to.not.equal(null);
      expect(parseUrl(text, base)).to.equal(null);
    });

  it('takes no longer for the worst host than for a long path (wall time)', () => {
    const timeOf = (work: () => unknown) => {
      const start = performance.now();
      for (let i = 0; i < 20; i++) work();
      return performance.now() - start;
    };
    const characters = differentCharacters(5_000);
    const measure = () => [
      timeOf(() => parseUrl(`https://${characters}.example/`)),
      timeOf(() => parseUrl(`https://a.example/${characters}`)),
    ];
    const tries = Array.from({ length: 5 }, measure);
    expect(tries.some(([worst, plain]) => worst! < 4 * plain!)).to.equal(true);
  });
});
