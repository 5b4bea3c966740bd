/** What is repeated to make a hostile text. */
export const marks = [
  'a',
  'é',
  'e\u0301',
  '👩‍💻',
  ',',
  ' ',
  '\n',
  '\r\n',
  '<',
  '</',
  '<a',
  '<a ',
  '<a>',
  '<!--',
  '<![CDATA[',
  '\\',
  '&',
  '&#',
  '#',
  '*',
  '- ',
  '[',
  '[a](',
  '(',
  '{',
  '{"a":',
  '|',
  '`',
  '"',
  "'",
  '-',
  '/',
  '../',
  '?',
  '.',
  ':',
  '%41',
  '{{',
  'a-',
  'a@',
  'http://',
  'url(',
];

/** The same, of words that prompts, contexts and git's messages have. */
export const words = [
  'and ',
  'please ',
  'the title ',
  'on /a ',
  '1. ',
  '4.9 ',
  '$1 ',
  'Mon 9',
  '12 A ',
  'a: b\n',
  '# a\n',
  '---\n',
  'repository ',
  'fatal: ',
  '<loc ',
  '<a:b>',
];

/** For which Punycode takes the longest. */
const differentCharacters = (length: number) =>
  Array.from({ length }, (_, i) => String.fromCodePoint(0x4e00 + ((i * 7919) % 20_000))).join('');

/**
 * What is repeated to make the texts that take Unicode algorithms and regular expressions the
 * longest, by what it tries. `letters` is what the others are compared with.
 */
export const worstUnits = {
  letters: 'a',
  'alternating marks': '\u0301\u0323',
  'letters with marks': 'a\u0301\u0323\u0301',
  'one grapheme cluster': '👩\u200d',
  'half surrogate pairs': '\ud800',
  'letters that become eighteen': '\ufdfa',
  spaces: ' ',
  slashes: '/',
  dots: '.',
  hyphens: '-',
  digits: '0',
  quotes: '"',
  'tags that do not end': '<a ',
  'titles that do not end': '<title ',
  'parts of e-mail addresses': 'a@',
  placeholders: ':a/',
  'hosts of different characters': `https://${differentCharacters(5_000)}.example/ `,
};
export type WorstUnit = keyof typeof worstUnits;

/** A text of so many UTF-16 code units. Its end differs, so that expressions fail there. */
export const worstText = (unit: WorstUnit, length: number): string =>
  `${worstUnits[unit].repeat(Math.ceil(length / worstUnits[unit].length)).slice(0, length - 1)}!`;

const filled = (bytes: number, open: string, entry: (index: number) => string, close: string) => {
  let text = open;
  for (let i = 0; text.length < bytes - 60; i++) text += entry(i);
  return text + close;
};

/** JSON documents of so many bytes that take a parser, or who reads the values, the longest. */
export const worstDocuments: Record<string, (bytes: number) => string> = {
  'one text': (bytes) => `{"a":"${'a'.repeat(bytes - 8)}"}`,
  'lists in each other': (bytes) => '['.repeat(bytes / 2) + ']'.repeat(bytes / 2),
  'objects in each other': (bytes) => `${'{"a":'.repeat(bytes / 6)}1${'}'.repeat(bytes / 6)}`,
  'lists that do not end': (bytes) => '['.repeat(bytes),
  'different objects': (bytes) => filled(bytes, '[', (i) => `{"k${i}":1},`, '{}]'),
  'escaped marks': (bytes) => `["${'\\u0301\\u0323'.repeat((bytes - 4) / 12)}"]`,
  spaces: (bytes) => ' '.repeat(bytes),
};
