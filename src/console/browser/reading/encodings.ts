/** Encodings of text files that browsers can read, by the label that `TextDecoder` takes. */
export interface Encoding {
  label: string;
  name: string;
  /** Languages whose programs wrote it before there was UTF-8. */
  languages: string;
  /**
   * Letters outside of ASCII that its languages use, in lower case; for other scripts, the script.
   */
  usual: string | RegExp;
  /** How likely a file has it that says nothing else. */
  prior: number;
}

const western = 'àáâãäåæçèéêëìíîïñòóôõöøùúûüßœ';
const central = 'ąáâăäćčçďđéęëěíîĺľłńňóôöőŕřśšşťţúůüűýźżž';
const cyrillic = /\p{Script=Cyrillic}/u;
const westernLanguages = 'en nb nn no da sv de nl fr es pt it fi is ca';
const centralLanguages = 'pl cs sk hu hr sl ro sq bs';
const cyrillicLanguages = 'ru uk be bg sr mk';

/** Those without a byte order of their own, in the order in which they are offered. */
export const oneByOne: Encoding[] = [
  {
    label: 'windows-1252',
    name: 'Western European',
    languages: westernLanguages,
    usual: western,
    prior: 12,
  },
  { label: 'macintosh', name: 'Western European', languages: '', usual: western, prior: 0 },
  {
    label: 'windows-1250',
    name: 'Central European',
    languages: centralLanguages,
    usual: central,
    prior: 4,
  },
  { label: 'iso-8859-2', name: 'Central European', languages: '', usual: central, prior: 0 },
  {
    label: 'windows-1257',
    name: 'Baltic',
    languages: 'lt lv et',
    usual: 'āčēģīķļņšūžąęėįųõäöü',
    prior: 1,
  },
  { label: 'windows-1254', name: 'Turkish', languages: 'tr az', usual: 'çğıîâöşüûi̇', prior: 2 },
  {
    label: 'windows-1251',
    name: 'Cyrillic',
    languages: cyrillicLanguages,
    usual: cyrillic,
    prior: 4,
  },
  { label: 'koi8-r', name: 'Cyrillic', languages: '', usual: cyrillic, prior: 1 },
  { label: 'ibm866', name: 'Cyrillic', languages: '', usual: cyrillic, prior: 0 },
  { label: 'windows-1253', name: 'Greek', languages: 'el', usual: /\p{Script=Greek}/u, prior: 2 },
  {
    label: 'windows-1255',
    name: 'Hebrew',
    languages: 'he iw',
    usual: /\p{Script=Hebrew}/u,
    prior: 2,
  },
  {
    label: 'windows-1256',
    name: 'Arabic',
    languages: 'ar fa ur',
    usual: /\p{Script=Arabic}/u,
    prior: 2,
  },
  { label: 'windows-874', name: 'Thai', languages: 'th', usual: /\p{Script=Thai}/u, prior: 2 },
];

const kana = /[\p{Script=Han}\u3040-\u30ff\u3000-\u303f\uff01-\uff5e]/u;
const hanzi = /[\p{Script=Han}\u3000-\u303f\uff01-\uff5e]/u;

/** Those with one or more bytes for a character. */
export const severalBytes: Encoding[] = [
  { label: 'shift_jis', name: 'Japanese', languages: 'ja', usual: kana, prior: 4 },
  { label: 'euc-jp', name: 'Japanese', languages: '', usual: kana, prior: 0 },
  {
    label: 'gb18030',
    name: 'Chinese, simplified',
    languages: 'zh-cn zh-sg zh-hans zh',
    usual: hanzi,
    prior: 3,
  },
  {
    label: 'big5',
    name: 'Chinese, traditional',
    languages: 'zh-tw zh-hk zh-hant',
    usual: hanzi,
    prior: 2,
  },
  {
    label: 'euc-kr',
    name: 'Korean',
    languages: 'ko',
    usual: /[\p{Script=Hangul}\u3000-\u303f]/u,
    prior: 2,
  },
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

/** An encoding's name as people know it. */
export const nameOfEncoding = (label: string) =>
  names[label] ?? label.replace('windows', 'Windows');

/** What a person may choose from: label, and name with the languages. */
export const encodingChoices: [label: string, name: string][] = [
  ...['utf-8', 'utf-16le', 'utf-16be'].map((label): [string, string] => [
    label,
    nameOfEncoding(label),
  ]),
  ...[...oneByOne, ...severalBytes].map(({ label, name }): [string, string] => [
    label,
    `${nameOfEncoding(label)} (${name})`,
  ]),
];
