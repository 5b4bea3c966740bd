import { childText, type Element } from '../formats/html/document.ts';
import { cssAddresses } from '../styles/cssAddresses.ts';
import { jsonOf } from '../formats/html/slots/plainSlotPlaces.ts';
import { digitsOf } from '../../text/text.ts';
import { contactsIn } from './contacts.ts';
import { holdsWords } from '../formats/html/checks/mentions.ts';
import { hostsInText, mailboxesInText } from './named.ts';
import { readUrl } from '../pages/hosts.ts';
import { originOf, type Reference, referencesIn } from '../formats/html/checks/references.ts';

/** Somebody outside of the site whom one of its files leads to, asks or names. */
export interface Outsider {
  kind: 'host' | 'email' | 'telephone';
  /** A host with its port, an e-mail address in lower case, or the digits of a number. */
  value: string;
  /** In words: `a link to`. */
  what: string;
  /**
   * The first one is its own; the site knows it by any of them. A link makes a text known that names the same host, but
   * not the reverse: an agent may have read of it there.
   */
  keys: string[];
}

/** By their first keys. */
export type Outsiders = ReadonlyMap<string, Outsider>;

export const outsidersBy = (found: Outsider[]): Outsiders =>
  new Map(found.toReversed().map((outsider) => [outsider.keys[0]!, outsider]));

/** Those of a file that its former version did not have under any of their names. */
export const gainedOutsiders = (before: Outsiders, after: Outsiders): Outsider[] =>
  [...after.values()].filter(({ keys }) => !keys.some((key) => before.has(key)));

/** Everybody outside whom a page's elements lead to, ask or name. */
export const outsidersIn = (elements: Element[]): Outsiders =>
  outsidersBy(elements.flatMap((element) => [...referencesIn(element).flatMap(inReference), ...inWords(element)]));

const ways = {
  link: 'a link to',
  load: 'a file from',
  embed: 'a request to',
  base: 'a request to',
  mention: 'a mention of',
} as const;

/** Whom an address leads to. */
export function inReference({ url, kind }: Pick<Reference, 'url' | 'kind'>): Outsider[] {
  const { mailboxes, numbers } = contactsIn(url);
  const contacts = [...mailboxes.flatMap(mailOf), ...numbers.flatMap(numberOf)];
  if (contacts.length > 0) return contacts;
  const origin = originOf({ url, kind });
  return origin && /^(?:https?:)?\/\//i.test(origin) ? [hostOf(origin.replace(/^\/\//, ''), ways[kind])] : [];
}

const hostOf = (value: string, what: string): Outsider => ({ kind: 'host', value, what, keys: [`host ${value}`] });

const mailOf = (value: string): Outsider[] => [
  hostOf(value.slice(value.lastIndexOf('@') + 1), 'an e-mail address at'),
  { kind: 'email', value, what: 'a link to', keys: [`email ${value}`] },
];

const numberOf = (value: string): Outsider[] =>
  value === '' ? [] : [{ kind: 'telephone', value, what: 'a link to', keys: [`telephone ${value}`] }];

/** Texts for readers, and structured data. */
function inWords(element: Element): Outsider[] {
  const { tagName, attrs } = element;
  const json = jsonOf(element);
  if (json) return inData(json.text);
  const words = attrs.filter(({ name }) => holdsWords(element, name)).map(({ value }) => value);
  const text = tagName === 'script' || tagName === 'style' ? '' : childText(element);
  return [...words, text].flatMap(inText);
}

/** Whom a text names: one that the site already leads to is known to it. */
export function inText(text: string): Outsider[] {
  const what = 'a text with';
  const hosts = hostsInText(text).map((value): Outsider => {
    return { kind: 'host', value, what, keys: [`text ${value}`, `host ${value}`] };
  });
  const mailboxes = mailboxesInText(text).map((value): Outsider => {
    return { kind: 'email', value, what, keys: [`text ${value}`, `email ${value}`] };
  });
  return [...hosts, ...mailboxes];
}

/** Names of vocabularies, which nobody loads or shows. */
const isVocabulary = (key: string) => key === '@context' || key === '@type';

/** Keywords of JSON-LD say how a value is written, not what it is: `@value`, `@list`, `@graph`. */
const nameOf = (key: string, around: string) => (key.startsWith('@') ? around : key);

/** Whom a JSON text names: a value that is an address leads there. */
export function inData(json: string): Outsider[] {
  const found: Outsider[] = [];
  const waiting: [key: string, value: unknown][] = [['', parsed(json)]];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const [key, value] = next;
    if (typeof value === 'string' || typeof value === 'number') found.push(...inValue(key, String(value)));
    else if (Array.isArray(value)) for (const inner of value as unknown[]) waiting.push([key, inner]);
    else if (typeof value === 'object' && value !== null)
      for (const [name, inner] of Object.entries(value))
        if (!isVocabulary(name)) waiting.push([nameOf(name, key), inner]);
  }
  return found;
}

/** One that is no JSON is a text. */
function parsed(json: string): unknown {
  try {
    return JSON.parse(json.replace(/^\uFEFF/, '')) as unknown;
  } catch {
    return json;
  }
}

const DATA = 'data with';

function inValue(key: string, value: string): Outsider[] {
  const led = inReference({ url: readUrl(value), kind: 'link' });
  const named = led.length > 0 ? led : inNamedValue(key, value);
  return named.map((outsider) => ({ ...outsider, what: DATA }));
}

function inNamedValue(key: string, value: string): Outsider[] {
  if (/(?:^|[:/#])(?:telephone|faxNumber)$/i.test(key)) return numberOf(digitsOf(value));
  const mailboxes = /(?:^|[:/#])email$/i.test(key) ? mailboxesInText(value).flatMap(mailOf) : [];
  return mailboxes.length > 0 ? mailboxes : inText(value);
}

/** Whom the rules of a style sheet ask. */
export const inStyles = (css: string): Outsider[] =>
  cssAddresses(css).flatMap(({ url, kind }) =>
    inReference({ url: readUrl(url), kind: kind === 'text' ? 'mention' : 'load' }),
  );
