import fc from 'fast-check';

/** The host that the files of the tests name already. */
export const KNOWN = 'acme.test';

const hosts = [
  'evil.test',
  'EVIL.test',
  'evil.test:8443',
  'acme.test:8443',
  'acme.test.evil.test',
  'evil.test.',
  'xn--mnchen-3ya.test',
  'münchen.test',
  'ｅｖｉｌ.test',
  'evil。test',
  '%65vil.test',
  'e\u00advil.test',
  '2130706433',
  '0x7f.1',
  '[::1]',
  'acme.test',
];
const schemes = ['https:', 'http:', 'HTTPS:', 'Http:', 'wss:', 'ws:', 'ftp:', '', ''];
const slashes = ['//', '\\\\', '/\\', '\\/', '///', '\\/\\', '/', '\\', '', '//'];
const users = [
  '',
  '',
  '',
  'a@',
  'a:b@',
  'acme.test@',
  'acme.test\\@',
  'acme.test:443@',
  '@',
  'evil.test@',
  '%40@',
];
const ends = [
  '',
  '/',
  '/x',
  '?x',
  '#x',
  '\\x',
  '/@acme.test',
  '\\@acme.test/',
  '/../x',
  ':443/',
  ':/',
];

/**
 * Ways to write an address.
 * @param options.breaks what browsers pass over inside of one
 */
export const spellings = ({ breaks = ['\t', '\n', '\r'] }: { breaks?: string[] } = {}) =>
  fc
    .record({
      parts: fc.tuple(
        ...[schemes, slashes, users, hosts, ends].map((all) => fc.constantFrom(...all)),
      ),
      lead: fc.constantFrom('', '', ' ', '\u00a0'),
      noise: fc.array(fc.record({ at: fc.nat(40), text: fc.constantFrom('', ...breaks) }), {
        maxLength: 2,
      }),
    })
    .map(({ parts, lead, noise }) => {
      let text = parts.join('');
      for (const { at, text: gap } of noise) text = text.slice(0, at) + gap + text.slice(at);
      return lead + text;
    });

/**
 * Whether a browser on some page of the site, over http or https, takes an address to another host.
 */
export const leadsAway = (text: string): boolean =>
  ['https://acme.test/a/b', 'http://acme.test/a/b'].some((base) => {
    const url = URL.parse(text, base);
    return url !== null && url.host !== '' && url.host.replace(/:(?:80|443)$/, '') !== KNOWN;
  });

/** Addresses of the known host that everybody reads the same way. */
export const plain = fc.constantFrom(
  'https://acme.test/',
  'http://acme.test/x',
  '//acme.test/@a',
  'https://ACME.test',
  'https://acme.test/a?b=/c#d',
  '/x/y',
  'x',
  './x?y',
  '#z',
  'a b',
  'https://acme.test:443/x',
);
