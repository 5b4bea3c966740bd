import { digitsOf } from '../../text/text.ts';
import type { Outsider } from '../formats/faults.ts';
import { readUrl } from '../pages/urlHosts.ts';
import { cssAddresses } from '../styles/cssAddresses.ts';
import { contactsIn } from './contactsIn.ts';
import { hostsInText, mailboxesInText } from './namesInText.ts';
import { type Address, originOf } from './originOf.ts';

/** Outsiders by their first keys. */
export type Outsiders = ReadonlyMap<string, Outsider>;

export const outsidersBy = (found: Outsider[]): Outsiders =>
  new Map(found.toReversed().map((one) => [one.keys[0]!, one]));

/** The outsiders in `after` that share no key with those in `before`. */
export const gainedOutsiders = (before: Outsiders, after: Outsiders): Outsider[] =>
  [...after.values()].filter(({ keys }) => !keys.some((key) => before.has(key)));

const ways = {
  link: 'a link to',
  load: 'a file from',
  embed: 'a request to',
  base: 'a request to',
  mention: 'a mention of',
} as const;

/** The outsiders that an address leads to: mailboxes and telephone numbers, else the host. */
export function inReference({ url, kind }: Address): Outsider[] {
  const { mailboxes, numbers } = contactsIn(url);
  const contacts = [...mailboxes.flatMap(mailOf), ...numbers.flatMap(numberOf)];
  if (contacts.length > 0) return contacts;
  const origin = originOf({ url, kind });
  return origin && /^(?:https?:)?\/\//i.test(origin)
    ? [outsider('host', origin.replace(/^\/\//, ''), ways[kind])]
    : [];
}

export const outsider = (
  kind: Outsider['kind'],
  value: string,
  what: string,
  keys = [`${kind} ${value}`],
): Outsider => ({ kind, value, what, keys });

const mailOf = (value: string): Outsider[] => [
  outsider('host', value.slice(value.lastIndexOf('@') + 1), 'an e-mail address at'),
  outsider('email', value, ways.link),
];

const numberOf = (value: string): Outsider[] =>
  value === '' ? [] : [outsider('telephone', value, ways.link)];

/**
 * The hosts and e-mail addresses in a text. Their second key makes them known if the site links to
 * them.
 */
export function inText(text: string): Outsider[] {
  const named = (kind: Outsider['kind']) => (value: string) =>
    outsider(kind, value, 'a text with', [`text ${value}`, `${kind} ${value}`]);
  return [...hostsInText(text).map(named('host')), ...mailboxesInText(text).map(named('email'))];
}

/** Whether a property names a vocabulary, which programs neither load nor show. */
const isVocabulary = (key: string) => key === '@context' || key === '@type';

/**
 * The property that a value belongs to. JSON-LD's `@value`, `@list` and `@graph` count as the
 * property around them.
 */
const nameOf = (key: string, around: string) => (key.startsWith('@') ? around : key);

/** The outsiders in a JSON text. A value that is an address counts as a link. */
export function inData(json: string): Outsider[] {
  const found: Outsider[] = [];
  const waiting: [key: string, value: unknown][] = [['', parsed(json)]];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const [key, value] = next;
    if (typeof value === 'string' || typeof value === 'number')
      found.push(...inValue(key, String(value)));
    else if (Array.isArray(value))
      for (const inner of value as unknown[]) waiting.push([key, inner]);
    else if (typeof value === 'object' && value !== null)
      for (const [name, inner] of Object.entries(value))
        if (!isVocabulary(name)) waiting.push([nameOf(name, key), inner]);
  }
  return found;
}

/** Parses JSON. Invalid JSON counts as a plain text. */
function parsed(json: string): unknown {
  try {
    return JSON.parse(json.replace(/^\uFEFF/, '')) as unknown;
  } catch {
    return json;
  }
}

export const DATA = 'data with';

function inValue(key: string, value: string): Outsider[] {
  const led = inReference({ url: readUrl(value), kind: 'link' });
  const named = led.length > 0 ? led : inNamedValue(key, value);
  return named.map((one) => ({ ...one, what: DATA }));
}

function inNamedValue(key: string, value: string): Outsider[] {
  if (/(?:^|[:/#])(?:telephone|faxNumber)$/i.test(key)) return numberOf(digitsOf(value));
  const mailboxes = /(?:^|[:/#])email$/i.test(key) ? mailboxesInText(value).flatMap(mailOf) : [];
  return mailboxes.length > 0 ? mailboxes : inText(value);
}

/** The hosts that style rules load from or mention. */
export const inStyles = (css: string): Outsider[] =>
  cssAddresses(css).flatMap(({ url, kind }) =>
    inReference({ url: readUrl(url), kind: kind === 'text' ? 'mention' : 'load' }),
  );
