import { parseDocument } from 'yaml';
import { splitPhrases, wordSet } from '../../../text/wordLists.ts';
import { foldWords } from '../text/foldText.ts';
import {
  newSection,
  splitParagraphs,
  cleanValue,
  type ContextField,
  type ContextParts,
  type ContextSection,
} from './contextData.ts';
import { entryKeys, factKeys } from './contextKeys.ts';
import { mergeFields } from './keyValueLines.ts';
import { joinEntryLines } from './citedQuotes.ts';

type ParsedObject = Record<string, unknown>;

const MAX_DEPTH = 6;
/**
 * Keys without a meaning of their own. An object or a section with such a name only groups other
 * keys.
 */
export const GROUPING_KEYS = new Set(
  splitPhrases(`
    hero | seo | meta | head | page | contact | contact details | kontakt | business | company |
    firma | location | standort | facts | key facts | fakten | details | info | item | data |
    content | fields | properties`),
);
const SECTION_LIST_KEYS = wordSet('sections blocks content body');
/** Keys of objects whose parts are facts: `address.street`. */
const FACT_OBJECT_KEYS = new Set(
  splitPhrases('address | geo | coordinates | hours | opening hours | price | rating'),
);
const ADDRESS_KEYS = new Set(factKeys.address);
function tryParseJson(text: string): unknown {
  if (!/^[{[]/.test(text)) return null;
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Parses a JSON object, or an array with one object as its only element. null for other texts. */
export function parseContextJson(text: string): ParsedObject | null {
  const value = tryParseJson(text);
  return asParsedObject(Array.isArray(value) && value.length === 1 ? value[0] : value);
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
const countMatches = (text: string, pattern: RegExp) => text.match(pattern)?.length ?? 0;
const exceedsYamlLimits = (text: string) =>
  countMatches(text, /[[{]/g) > MOST_BRACKETS ||
  countMatches(text, /["'&*!?]/g) > MOST_MARKS ||
  countMatches(text, /:$|:\s/gm) > MOST_KEYS ||
  countMatches(text, /^---/gm) > MOST_DOCUMENTS ||
  /^[ \t-]*\?(?=\s)/m.test(text) ||
  text.split('\n').some((line) => countMatches(line, /:(?=\s)/g) > MOST_KEYS_IN_LINE);

/**
 * Whether a text may be a YAML mapping: its first line is a key or a brace. All other texts skip
 * the parser.
 */
function mayBeYamlMapping(text: string): boolean {
  const firstLine = text
    .split('\n')
    .find((line) => line.trim() !== '' && !/^(?:\s*#|---)/.test(line));
  return firstLine !== undefined && /^(?:\s*\{|.{1,200}?:(?:\s|$))/.test(firstLine);
}

/**
 * Parses a YAML mapping. null for other texts. Every scalar becomes text, never a date, number or
 * custom tag.
 */
export function parseContextYaml(text: string): ParsedObject | null {
  if (exceedsYamlLimits(text) || !mayBeYamlMapping(text)) return null;
  try {
    const document = parseDocument(text, {
      schema: 'failsafe',
      logLevel: 'silent',
      prettyErrors: false,
    });
    if (document.errors.length > 0) return null;
    return asParsedObject(document.toJS({ maxAliasCount: 20 }));
  } catch {
    return null;
  }
}

const asParsedObject = (value: unknown): ParsedObject | null =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  Object.keys(value).length > 0
    ? (value as ParsedObject)
    : null;

/**
 * Folds a key like `ContextField.key`: `streetAddress` and `street_address` become `street
 * address`.
 */
export const foldKey = (key: string) =>
  foldWords(key.replace(/(?<=[\p{Ll}\p{N}])(?=\p{Lu})/gu, ' '));

/**
 * Reads the fields and sections of a parsed object:
 * `{ city: 'Austin', faq: [{ q: 'Why?', a: 'Because.' }] }` has the field `city`, and the section
 * `faq` with one entry.
 */
export function readObjectParts(data: ParsedObject, depth = 0): ContextParts {
  const parts: ContextParts = { fields: [], sections: [], paragraphs: [] };
  if (depth > MAX_DEPTH) return parts;
  for (const [name, value] of Object.entries(data)) addProperty(parts, foldKey(name), value, depth);
  return { ...parts, fields: mergeFields(parts.fields) };
}

function addProperty(parts: ContextParts, key: string, value: unknown, depth: number) {
  const object = asParsedObject(value);
  if (ADDRESS_KEYS.has(key)) return parts.fields.push(...readAddressFields(key, value));
  const entries = readObjectEntries(value, depth + 1);
  const texts = scalarTexts(value);
  if (Array.isArray(value) && value.length === 0)
    parts.sections.push(newSection(key, { isEmptyList: true }));
  else if (entries.length > 0 && SECTION_LIST_KEYS.has(key)) parts.sections.push(...entries);
  else if (entries.length > 0) parts.sections.push(newSection(key, { sections: entries }));
  else if (object && FACT_OBJECT_KEYS.has(key)) parts.fields.push(...readFactFields(key, object));
  else if (object && GROUPING_KEYS.has(key)) {
    const innerParts = readObjectParts(object, depth + 1);
    parts.fields.push(...innerParts.fields);
    parts.sections.push(...innerParts.sections);
  } else if (object && isQuotationObject(key, object))
    parts.sections.push(newSection(key, { sections: [readObjectSection('', object, depth + 1)] }));
  else if (object) parts.sections.push(readObjectSection(key, object, depth + 1));
  else if (texts.length > 0 && !Array.isArray(value)) parts.fields.push({ key, values: texts });
  else if (texts.length > 0)
    parts.fields.push({
      key,
      values: entryLines(value),
      ...(texts.length === 1 && { isList: true }),
    });
}

const QUOTATION_NAME =
  /^(?:testimonials?|quotes?|reviews?|zitate?|kundenstimmen?|referenz(?:en)?)$/;
/** Whether an object is a quotation, `{ quote, author }`: it becomes a list with one entry. */
function isQuotationObject(name: string, object: ParsedObject): boolean {
  const keys = Object.keys(object).map(foldKey);
  const hasKeyIn = (...keySets: Set<string>[]) =>
    keys.some((key) => keySets.some((keySet) => keySet.has(key)));
  return QUOTATION_NAME.test(name)
    ? hasKeyIn(entryKeys.quote, entryKeys.text) && hasKeyIn(entryKeys.author, entryKeys.heading)
    : hasKeyIn(entryKeys.quote) && hasKeyIn(entryKeys.author);
}

/** Joins an address's parts, or its lines, with commas. */
function readAddressFields(key: string, value: unknown): ContextField[] {
  const object = asParsedObject(value);
  if (object) return readFactFields('address', object);
  const texts = asArray(value).filter((text) => typeof text === 'string');
  const line = scalarTexts(texts.flatMap((text) => text.split('\n'))).join(', ');
  return line === '' ? [] : [{ key, values: [line] }];
}

/** The entries of a list of objects. An element that is a text is an entry's name. */
function readObjectEntries(value: unknown, depth: number): ContextSection[] {
  if (!Array.isArray(value) || !value.some((entry) => asParsedObject(entry))) return [];
  return value.flatMap((entry) => {
    const object = asParsedObject(entry);
    return object
      ? [readObjectSection('', object, depth)]
      : scalarTexts(entry).map((text) => newSection(text, { heading: text }));
  });
}

const readFactFields = (key: string, object: ParsedObject): ContextField[] =>
  Object.entries(object).flatMap(([name, value]) => {
    const values = scalarTexts(value);
    return values.length > 0 ? [{ key: `${key} ${foldKey(name)}`, values }] : [];
  });

function readObjectSection(key: string, object: ParsedObject, depth: number): ContextSection {
  const section = newSection(key);
  const headingKeys = new Set(Object.keys(object).map(foldKey)).isDisjointFrom(entryKeys.heading)
    ? entryKeys.named
    : entryKeys.heading;
  for (const [name, rawValue] of depth > MAX_DEPTH ? [] : Object.entries(object)) {
    const foldedName = foldKey(name);
    const authorObject = entryKeys.author.has(foldedName) && asParsedObject(rawValue);
    const value = authorObject ? scalarTexts(Object.values(authorObject)).join(', ') : rawValue;
    const entries = readObjectEntries(value, depth + 1);
    if (entries.length > 0) section.sections.push(...entries);
    else if (headingKeys.has(foldedName) && section.heading === null)
      section.heading = scalarTexts(value)[0] ?? null;
    else if (entryKeys.text.has(foldedName))
      section.paragraphs.push(...scalarTexts(value).flatMap(splitParagraphs));
    else if (entryKeys.items.has(foldedName) || Array.isArray(value))
      section.items.push(...entryLines(value));
    else if (asParsedObject(value))
      (section.fields ??= []).push(...readNamedFields(foldedName, asParsedObject(value)!));
    else if (scalarTexts(value).length > 0)
      (section.fields ??= []).push({ key: foldedName, values: scalarTexts(value) });
  }
  return { ...section, name: key || (section.heading ?? '') };
}

/** The values of a named object as fields: `Starter: { price: '$5', period: 'month' }`. */
const readNamedFields = (key: string, object: ParsedObject): ContextField[] =>
  Object.values(object).flatMap((value) =>
    scalarTexts(value).map((text) => ({ key, values: [text] })),
  );

/** The texts of a list, each put on one line. */
const entryLines = (value: unknown): string[] =>
  scalarTexts(
    asArray(value).map((text) => (typeof text === 'string' ? joinEntryLines(text) : text)),
  );

/**
 * The texts of a scalar or a list of scalars. Blank lines within a text remain, for
 * `splitParagraphs`.
 */
const scalarTexts = (value: unknown): string[] =>
  asArray(value)
    .filter((entry) => typeof entry === 'string' || typeof entry === 'number')
    .map((entry) => cleanValue(String(entry)))
    .filter((text) => text !== '');

const asArray = (value: unknown): unknown[] => (Array.isArray(value) ? value : [value]);
