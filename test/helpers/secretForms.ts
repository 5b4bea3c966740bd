const each = (text: string, form: (code: number, character: string) => string) =>
  [...text].map((character) => form(character.charCodeAt(0), character)).join('');
const hexOf = (code: number) => code.toString(16).padStart(2, '0');
const base64 = (text: string) => Buffer.from(text).toString('base64');
const base64url = (text: string) => Buffer.from(text).toString('base64url');
const utf16 = (text: string) => Buffer.from(text, 'utf16le');
const hex = (text: string) => Buffer.from(text).toString('hex');
const percent = (text: string) => encodeURIComponent(text);
const json = (text: string) => JSON.stringify(text).slice(1, -1);
const names: Record<string, string> = {
  '&': 'amp',
  '<': 'lt',
  '>': 'gt',
  '"': 'quot',
  "'": 'apos',
};
const html = (text: string) => text.replace(/[&<>"']/g, (character) => `&${names[character]};`);

/** Ways in which programs write a text. */
export const encodings: Record<string, (text: string) => string> = {
  plain: (text) => text,
  'in lower case': (text) => text.toLowerCase(),
  base64,
  'base64 for URLs': base64url,
  'base64 behind one byte': (text) => base64(`:${text}!`),
  'base64 behind two bytes': (text) => base64(`a:${text}!`),
  'base64 of percent-encoded': (text) => base64(percent(text)),
  percent,
  'percent in lower case': (text) => percent(text).replace(/%../g, (code) => code.toLowerCase()),
  'percent of every character': (text) => each(text, (code) => `%${hexOf(code)}`),
  'percent twice': (text) => percent(percent(text)),
  'percent of base64': (text) => percent(base64(text)),
  encodeURI,
  hex,
  'upper-case hex': (text) => Buffer.from(text).toString('hex').toUpperCase(),
  json,
  'json twice': (text) => json(json(text)),
  'json with escaped slashes': (text) => json(text).replaceAll('/', '\\/'),
  'json with numbers': (text) => each(text, (code) => `\\u00${hexOf(code)}`),
  html,
  'html in decimal': (text) => each(text, (code) => `&#${code};`),
  'html in hexadecimal': (text) => each(text, (code) => `&#x${hexOf(code)};`),
  'html of percent': (text) => html(percent(text)),
  'backslash and hex': (text) => each(text, (code) => `\\x${hexOf(code)}`),
  'backslash and octal': (text) => each(text, (code) => `\\${code.toString(8).padStart(3, '0')}`),
  'quoted printable': (text) =>
    each(text, (code, c) => (/[a-z0-9]/i.test(c) ? c : `=${hexOf(code).toUpperCase()}`)),
};

/** Ways that are seldom, or two at once. */
export const rareEncodings: Record<string, (text: string) => string> = {
  'base64 twice': (text) => base64(base64(text)),
  'base64 of a header': (text) => base64(`Basic ${base64(text)}`),
  'base64 of hex': (text) => base64(hex(text)),
  'base64 of UTF-16': (text) => utf16(text).toString('base64'),
  'hex twice': (text) => hex(hex(text)),
  'hex of base64': (text) => hex(base64(text)),
  'hex of UTF-16': (text) => utf16(text).toString('hex'),
  'html with zeros': (text) => each(text, (code) => `&#000000000${code};`),
  'backslash and eight digits': (text) => each(text, (code) => `\\U000000${hexOf(code)}`),
};

/** All forms of a token, alone and with its user. */
export function formsOf(token: string, username: string): string[] {
  const texts = [token, `${username}:${token}`];
  return [
    ...new Set(texts.flatMap((text) => Object.values(encodings).map((encode) => encode(text)))),
  ];
}

/** Characters of a remote's words that are shown: 400, of which some are ours. */
const SHOWN = 250;

/** What a remote says that repeats a token in every form: all of a sentence would be shown. */
export function sentencesWith(token: string, username: string): string[] {
  const repeated = ['', `${username}:`].flatMap((before) =>
    Object.entries(encodings).map(([name, encode]) => `${name} ${encode(before + token)}`),
  );
  const sentences: string[] = [];
  for (const text of repeated) {
    const last = sentences.at(-1);
    if (last === undefined || last.length + text.length > SHOWN) sentences.push(text);
    else sentences[sentences.length - 1] = `${last} ${text}`;
  }
  return sentences;
}
