import { digitsOf } from '../../text/text.ts';
import type { ExternalReference } from '../formats/pageFindings.ts';
import { readUrl } from '../pages/urls/urlHosts.ts';
import { findCssUrls } from '../styles/cssAddresses.ts';
import { findContacts } from './linkContacts.ts';
import { hostsInText, mailboxesInText } from './namesInText.ts';
import { type ReferencedUrl, referencedOrigin } from './referencedOrigin.ts';

/*
 * External references: hosts, e-mail addresses and telephone numbers outside the site that a file
 * mentions, links to or loads from. Each has keys, by which it is compared with those of other
 * files: `https://partner.example/a` → kind `host`, value `partner.example`, key
 * `host partner.example`.
 */

/** External references by their first keys. */
export type ReferenceIndex = ReadonlyMap<string, ExternalReference>;

export const indexReferences = (references: ExternalReference[]): ReferenceIndex =>
  new Map(references.toReversed().map((reference) => [reference.keys[0]!, reference]));

/** The external references of the new index that share no key with those of the old one. */
export const addedReferences = (
  oldIndex: ReferenceIndex,
  newIndex: ReferenceIndex,
): ExternalReference[] =>
  [...newIndex.values()].filter(({ keys }) => !keys.some((key) => oldIndex.has(key)));

const referenceWords = {
  link: 'a link to',
  load: 'a file from',
  embed: 'a request to',
  base: 'a request to',
  mention: 'a mention of',
} as const;

/**
 * The external references that a URL leads to: its e-mail addresses and telephone numbers, or else
 * its host.
 */
export function referencesOfUrl({ url, kind }: ReferencedUrl): ExternalReference[] {
  const { mailboxes, numbers } = findContacts(url);
  const contacts = [...mailboxes.flatMap(mailReferences), ...numbers.flatMap(phoneReferences)];
  if (contacts.length > 0) return contacts;
  const origin = referencedOrigin({ url, kind });
  return origin && /^(?:https?:)?\/\//i.test(origin)
    ? [createReference('host', origin.replace(/^\/\//, ''), referenceWords[kind])]
    : [];
}

/** @param what how a file uses the reference, for messages: `a link to` */
export const createReference = (
  kind: ExternalReference['kind'],
  value: string,
  what: string,
  keys = [`${kind} ${value}`],
): ExternalReference => ({ kind, value, what, keys });

const mailReferences = (value: string): ExternalReference[] => [
  createReference('host', value.slice(value.lastIndexOf('@') + 1), 'an e-mail address at'),
  createReference('email', value, referenceWords.link),
];

const phoneReferences = (value: string): ExternalReference[] =>
  value === '' ? [] : [createReference('telephone', value, referenceWords.link)];

/**
 * The hosts and e-mail addresses in a text. By their second key, they are not new if the site links
 * to them.
 */
export function referencesInText(text: string): ExternalReference[] {
  const createTextReference = (kind: ExternalReference['kind']) => (value: string) =>
    createReference(kind, value, 'a text with', [`text ${value}`, `${kind} ${value}`]);
  return [
    ...hostsInText(text).map(createTextReference('host')),
    ...mailboxesInText(text).map(createTextReference('email')),
  ];
}

/** Whether a property names a vocabulary, which programs neither load nor show. */
const isVocabulary = (key: string) => key === '@context' || key === '@type';

/**
 * The property that a value belongs to. JSON-LD's `@value`, `@list` and `@graph` count as the
 * property around them.
 */
const propertyName = (key: string, parentName: string) => (key.startsWith('@') ? parentName : key);

/** The external references in a JSON text. A value that is a URL counts as a link. */
export function referencesInJson(json: string): ExternalReference[] {
  const references: ExternalReference[] = [];
  const pendingValues: [key: string, value: unknown][] = [['', parseJsonOrText(json)]];
  for (let pending = pendingValues.pop(); pending; pending = pendingValues.pop()) {
    const [key, value] = pending;
    if (typeof value === 'string' || typeof value === 'number')
      references.push(...referencesInValue(key, String(value)));
    else if (Array.isArray(value))
      for (const innerValue of value as unknown[]) pendingValues.push([key, innerValue]);
    else if (typeof value === 'object' && value !== null)
      for (const [name, innerValue] of Object.entries(value))
        if (!isVocabulary(name)) pendingValues.push([propertyName(name, key), innerValue]);
  }
  return references;
}

/** Parses JSON. Invalid JSON counts as a plain text. */
function parseJsonOrText(json: string): unknown {
  try {
    return JSON.parse(json.replace(/^\uFEFF/, '')) as unknown;
  } catch {
    return json;
  }
}

export const DATA_MENTION = 'data with';

function referencesInValue(key: string, value: string): ExternalReference[] {
  const linkedReferences = referencesOfUrl({ url: readUrl(value), kind: 'link' });
  const valueReferences =
    linkedReferences.length > 0 ? linkedReferences : referencesInNamedValue(key, value);
  return valueReferences.map((reference) => ({ ...reference, what: DATA_MENTION }));
}

function referencesInNamedValue(key: string, value: string): ExternalReference[] {
  if (/(?:^|[:/#])(?:telephone|faxNumber)$/i.test(key)) return phoneReferences(digitsOf(value));
  const mailboxes = /(?:^|[:/#])email$/i.test(key)
    ? mailboxesInText(value).flatMap(mailReferences)
    : [];
  return mailboxes.length > 0 ? mailboxes : referencesInText(value);
}

/** The hosts that style rules load from or mention. */
export const referencesInStyles = (css: string): ExternalReference[] =>
  findCssUrls(css).flatMap(({ url, kind }) =>
    referencesOfUrl({ url: readUrl(url), kind: kind === 'text' ? 'mention' : 'load' }),
  );
