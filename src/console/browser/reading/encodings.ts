/** An encoding of text files that browsers can read. */
export type Encoding = [
  /** Label for `TextDecoder`. */
  label: string,
  name: string,
  /**
   * Languages whose programs wrote this encoding before UTF-8: lower-case BCP 47 tags, separated by
   * spaces.
   */
  languages: string,
  /**
   * Letters outside ASCII that these languages use, in lower case; a pattern for scripts other than
   * Latin.
   */
  usual: string | RegExp,
  /** Added to the score: how likely the encoding is for a file that gives no other evidence. */
  prior: number,
];

const western = 'àáâãäåæçèéêëìíîïñòóôõöøùúûüßœ';
const central = 'ąáâăäćčçďđéęëěíîĺľłńňóôöőŕřśšşťţúůüűýźżž';
const cyrillic = /\p{Script=Cyrillic}/u;
const baltic = 'āčēģīķļņšūžąęėįųõäöü';
const kana = /[\p{Script=Han}\u3040-\u30ff\u3000-\u303f\uff01-\uff5e]/u;
const hanzi = /[\p{Script=Han}\u3000-\u303f\uff01-\uff5e]/u;
const hangul = /[\p{Script=Hangul}\u3000-\u303f]/u;

/** Encodings without a byte order mark, in the order in which they are offered. */
export const withoutOrder: Encoding[] = [
  ['windows-1252', 'Western European', 'en nb nn no da sv de nl fr es pt it fi is ca', western, 12],
  ['macintosh', 'Western European', '', western, 0],
  ['windows-1250', 'Central European', 'pl cs sk hu hr sl ro sq bs', central, 4],
  ['iso-8859-2', 'Central European', '', central, 0],
  ['windows-1257', 'Baltic', 'lt lv et', baltic, 1],
  ['windows-1254', 'Turkish', 'tr az', 'çğıîâöşüûi̇', 2],
  ['windows-1251', 'Cyrillic', 'ru uk be bg sr mk', cyrillic, 4],
  ['koi8-r', 'Cyrillic', '', cyrillic, 1],
  ['ibm866', 'Cyrillic', '', cyrillic, 0],
  ['windows-1253', 'Greek', 'el', /\p{Script=Greek}/u, 2],
  ['windows-1255', 'Hebrew', 'he iw', /\p{Script=Hebrew}/u, 2],
  ['windows-1256', 'Arabic', 'ar fa ur', /\p{Script=Arabic}/u, 2],
  ['windows-874', 'Thai', 'th', /\p{Script=Thai}/u, 2],
  // Encodings with one or more bytes for a character.
  ['shift_jis', 'Japanese', 'ja', kana, 4],
  ['euc-jp', 'Japanese', '', kana, 0],
  ['gb18030', 'Chinese, simplified', 'zh-cn zh-sg zh-hans zh', hanzi, 3],
  ['big5', 'Chinese, traditional', 'zh-tw zh-hk zh-hant', hanzi, 2],
  ['euc-kr', 'Korean', 'ko', hangul, 2],
];

const names: Record<string, string> = {
  'utf-8': 'UTF-8',
  'utf-16le': 'UTF-16',
  'utf-16be': 'UTF-16, big-endian',
  macintosh: 'Mac OS Roman',
  'iso-8859-2': 'ISO 8859-2',
  'koi8-r': 'KOI8-R',
  ibm866: 'IBM 866',
  shift_jis: 'Shift_JIS',
  'euc-jp': 'EUC-JP',
  gb18030: 'GB 18030',
  big5: 'Big5',
  'euc-kr': 'EUC-KR',
};

/** An encoding's name for people. */
export const nameOfEncoding = (label: string) =>
  names[label] ?? label.replace('windows', 'Windows');

/** The encodings that a person may choose: label, and name with its languages. */
export const encodingChoices: [label: string, name: string][] = [
  ...['utf-8', 'utf-16le', 'utf-16be'].map((label): [string, string] => [
    label,
    nameOfEncoding(label),
  ]),
  ...withoutOrder.map(([label, name]): [string, string] => [
    label,
    `${nameOfEncoding(label)} (${name})`,
  ]),
];
