import { parseDocument } from 'yaml';
import { phrases, wordSet } from '../../text/wordLists.ts';
import { foldWords } from '../text/fold.ts';
import {
  newSection,
  paragraphsOf,
  tidy,
  type Field,
  type Parts,
  type Section,
} from './contextData.ts';
import { entryKeys, factKeys } from './contextKeys.ts';
import { joined } from './keyValueLines.ts';
import { joinLines } from './citedQuotes.ts';

type Data = Record<string, unknown>;

const DEEPEST = 6;
/** Keys without meaning of their own: their object, or their section, only groups other keys. */
export const WRAPPERS = new Set(
  phrases(`
    hero | seo | meta | head | page | contact | contact details | kontakt | business | company |
    firma | location | standort | facts | key facts | fakten | details | info | item | data |
    content | fields | properties`),
);
const SECTIONS = wordSet('sections blocks content body');
/** Keys of objects whose parts are facts: `address.street`. */
const FACTS = new Set(
  phrases('address | geo | coordinates | hours | opening hours | price | rating'),
);
const ADDRESSES = new Set(factKeys.address);
function readJson(text: string): unknown {
  if (!/^[{[]/.test(text)) return null;
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Parses a JSON object, or an array with one object as its only element. null for other texts. */
export function parseJson(text: string): Data | null {
  const value = readJson(text);
  return asData(Array.isArray(value) && value.length === 1 ? value[0] : value);
}

/**
 * Limits of a text for the YAML parser. Deeply nested brackets or keys, very many quotes or other
 * marks, and several documents take it seconds. 500 keys written as `? ` took 27 s.
 */
const MOST_BRACKETS = 500;
const MOST_MARKS = 5_000;
const MOST_KEYS = 3_000;
const MOST_KEYS_IN_LINE = 50;
const MOST_DOCUMENTS = 2;
const count = (text: string, pattern: RegExp) => text.match(pattern)?.length ?? 0;
const isTooMuch = (text: string) =>
  count(text, /[[{]/g) > MOST_BRACKETS ||
  count(text, /["'&*!?]/g) > MOST_MARKS ||
  count(text, /:$|:\s/gm) > MOST_KEYS ||
  count(text, /^---/gm) > MOST_DOCUMENTS ||
  /^[ \t-]*\?(?=\s)/m.test(text) ||
  text.split('\n').some((line) => count(line, /:(?=\s)/g) > MOST_KEYS_IN_LINE);

/**
 * Whether a text may be a YAML mapping: its first line is a key or a brace. All other texts skip
 * the parser.
 */
function mayBeMapping(text: string): boolean {
  const first = text.split('\n').find((line) => line.trim() !== '' && !/^(?:\s*#|---)/.test(line));
  return first !== undefined && /^(?:\s*\{|.{1,200}?:(?:\s|$))/.test(first);
}

/**
 * Parses a YAML mapping. null for other texts. Every scalar becomes text, never a date, number or
 * custom tag.
 */
export function parseYaml(text: string): Data | null {
  if (isTooMuch(text) || !mayBeMapping(text)) return null;
  try {
    const document = parseDocument(text, {
      schema: 'failsafe',
      logLevel: 'silent',
      prettyErrors: false,
    });
    if (document.errors.length > 0) return null;
    return asData(document.toJS({ maxAliasCount: 20 }));
  } catch {
    return null;
  }
}

const asData = (value: unknown): Data | null =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  Object.keys(value).length > 0
    ? (value as Data)
    : null;

/** Folds a key like `Field.key`: `streetAddress` and `street_address` become `street address`. */
export const keyOf = (key: string) => foldWords(key.replace(/(?<=[\p{Ll}\p{N}])(?=\p{Lu})/gu, ' '));

/** Fields and sections of a parsed object. */
export function fromObject(data: Data, depth = 0): Parts {
  const parts: Parts = { fields: [], sections: [], paragraphs: [] };
  if (depth > DEEPEST) return parts;
  for (const [name, value] of Object.entries(data)) add(parts, keyOf(name), value, depth);
  return { ...parts, fields: joined(parts.fields) };
}

function add(parts: Parts, key: string, value: unknown, depth: number) {
  const object = asData(value);
  if (ADDRESSES.has(key)) return parts.fields.push(...addressOf(key, value));
  const entries = entriesOf(value, depth + 1);
  const texts = textsOf(value);
  if (Array.isArray(value) && value.length === 0)
    parts.sections.push(newSection(key, { isEmptyList: true }));
  else if (entries.length > 0 && SECTIONS.has(key)) parts.sections.push(...entries);
  else if (entries.length > 0) parts.sections.push(newSection(key, { sections: entries }));
  else if (object && FACTS.has(key)) parts.fields.push(...factsOf(key, object));
  else if (object && WRAPPERS.has(key)) {
    const inner = fromObject(object, depth + 1);
    parts.fields.push(...inner.fields);
    parts.sections.push(...inner.sections);
  } else if (object && isSaid(key, object))
    parts.sections.push(newSection(key, { sections: [sectionOf('', object, depth + 1)] }));
  else if (object) parts.sections.push(sectionOf(key, object, depth + 1));
  else if (texts.length > 0 && !Array.isArray(value)) parts.fields.push({ key, values: texts });
  else if (texts.length > 0)
    parts.fields.push({
      key,
      values: entryLines(value),
      ...(texts.length === 1 && { isList: true }),
    });
}

const SAYINGS = /^(?:testimonials?|quotes?|reviews?|zitate?|kundenstimmen?|referenz(?:en)?)$/;
/** Whether an object is a quotation, `{ quote, author }`: it becomes a list with one entry. */
function isSaid(name: string, object: Data): boolean {
  const keys = Object.keys(object).map(keyOf);
  const has = (...sets: Set<string>[]) => keys.some((key) => sets.some((set) => set.has(key)));
  return SAYINGS.test(name)
    ? has(entryKeys.quote, entryKeys.text) && has(entryKeys.author, entryKeys.heading)
    : has(entryKeys.quote) && has(entryKeys.author);
}

/** Joins an address's parts, or its lines, with commas. */
function addressOf(key: string, value: unknown): Field[] {
  const object = asData(value);
  if (object) return factsOf('address', object);
  const texts = listOf(value).filter((text) => typeof text === 'string');
  const line = textsOf(texts.flatMap((text) => text.split('\n'))).join(', ');
  return line === '' ? [] : [{ key, values: [line] }];
}

/** The entries of a list of objects. An element that is a text is an entry's name. */
function entriesOf(value: unknown, depth: number): Section[] {
  if (!Array.isArray(value) || !value.some((entry) => asData(entry))) return [];
  return value.flatMap((entry) => {
    const object = asData(entry);
    return object
      ? [sectionOf('', object, depth)]
      : textsOf(entry).map((text) => newSection(text, { heading: text }));
  });
}

const factsOf = (key: string, object: Data): Field[] =>
  Object.entries(object).flatMap(([name, value]) => {
    const values = textsOf(value);
    return values.length > 0 ? [{ key: `${key} ${keyOf(name)}`, values }] : [];
  });

function sectionOf(key: string, object: Data, depth: number): Section {
  const result = newSection(key);
  const isHeading = new Set(Object.keys(object).map(keyOf)).isDisjointFrom(entryKeys.heading)
    ? entryKeys.named
    : entryKeys.heading;
  for (const [name, given] of depth > DEEPEST ? [] : Object.entries(object)) {
    const own = keyOf(name);
    const person = entryKeys.author.has(own) && asData(given);
    const value = person ? textsOf(Object.values(person)).join(', ') : given;
    const entries = entriesOf(value, depth + 1);
    if (entries.length > 0) result.sections.push(...entries);
    else if (isHeading.has(own) && result.heading === null)
      result.heading = textsOf(value)[0] ?? null;
    else if (entryKeys.text.has(own))
      result.paragraphs.push(...textsOf(value).flatMap(paragraphsOf));
    else if (entryKeys.items.has(own) || Array.isArray(value))
      result.items.push(...entryLines(value));
    else if (asData(value)) (result.fields ??= []).push(...ofName(own, asData(value)!));
    else if (textsOf(value).length > 0)
      (result.fields ??= []).push({ key: own, values: textsOf(value) });
  }
  return { ...result, name: key || (result.heading ?? '') };
}

/** The values of a named object as fields: `Starter: { price: '$5', period: 'month' }`. */
const ofName = (key: string, object: Data): Field[] =>
  Object.values(object).flatMap((value) => textsOf(value).map((text) => ({ key, values: [text] })));

/** The texts of a list, each put on one line. */
const entryLines = (value: unknown): string[] =>
  textsOf(listOf(value).map((text) => (typeof text === 'string' ? joinLines(text) : text)));

/**
 * The texts of a scalar or a list of scalars. Blank lines within a text remain, for `paragraphsOf`.
 */
const textsOf = (value: unknown): string[] =>
  listOf(value)
    .filter((entry) => typeof entry === 'string' || typeof entry === 'number')
    .map((entry) => tidy(String(entry)))
    .filter((text) => text !== '');

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [value]);
