import type MagicString from 'magic-string';
import {
  attributeName,
  attributeOf,
  isText,
  metaName,
  type PageElement,
  type HtmlDocument,
} from '../document.ts';
import { metaPlaces } from '../claims/findMaps.ts';
import { mediaUrlMetaName, isOpenAttribute, ownUrlMetaNames } from '../links/urlAttributes.ts';
import { parseJsonLeaves, type JsonLeaf } from '../slots/jsonLd.ts';
import { jsonKind, rewriteRaw, textKind } from '../../rewriteSource.ts';
import { findValue, rewriteValue } from '../writeAttributes.ts';

/**
 * Data values: what a page has for scripts and forms, and readers do not see. If they repeat a text
 * of the page that changes, they should change with it. This file finds them, `changedTexts.ts`
 * tells their new texts, `links/relocate.ts` writes those, and `staleValues.ts` reports values that
 * still have old texts. If the text `Austin` becomes `Lisbon`, `<button data-city="Austin">`
 * becomes `<button data-city="Lisbon">`.
 */

/**
 * A value that readers do not see: that of an open attribute (`data-city="Austin"`, `<input
 * value>`), the text of a `textarea`, or the data of a script (`<script type="application/json">`).
 * Structured data (JSON-LD) has slots instead.
 */
export interface DataValue {
  text: string;
  write: (edit: MagicString, newText: string) => void;
}

/** How the data of a script is used: `settings` direct the browser, as an import map does. */
export function dataKind(element: PageElement): 'data' | 'settings' | undefined {
  if (element.tagName !== 'script') return undefined;
  const type = (attributeOf(element, 'type') ?? '').split(';', 1)[0]!.trim().toLowerCase();
  if (type === 'importmap' || type === 'speculationrules') return 'settings';
  const isJson = /^(?:text|application)\/(?:[\w.-]+\+)?json$/.test(type);
  return isJson && type !== 'application/ld+json' ? 'data' : undefined;
}

/** Whether a script may do more with a string than show it: markup, or a URL of any host. */
export const mayBeCode = (text: string) => /<|\/\/|[a-z][a-z0-9+.-]{0,20}:\S/i.test(text);

/** The data values of an element. */
export function dataValues(page: HtmlDocument, element: PageElement): DataValue[] {
  const inAttributes = element.attrs.flatMap((attribute): DataValue[] => {
    const name = attributeName(attribute);
    if (!isDataAttribute(element, name)) return [];
    const text = attribute.value;
    const write = (edit: MagicString, newText: string) => {
      const place = findValue(page, element, name);
      if (place) rewriteValue(edit, place, { seen: text, wanted: newText, pre: true });
    };
    return [{ text, write }];
  });
  return [...inAttributes, ...contentValue(page, element)];
}

const isDataAttribute = (element: PageElement, name: string) =>
  isOpenAttribute(element, name) && !(element.tagName === 'meta' && isHandledMeta(element));

const isHandledMeta = (meta: PageElement) =>
  attributeOf(meta, 'http-equiv') !== undefined ||
  ownUrlMetaNames.has(metaName(meta)) ||
  mediaUrlMetaName.test(metaName(meta)) ||
  metaPlaces.test(metaName(meta));

function contentValue({ source }: HtmlDocument, element: PageElement): DataValue[] {
  const isData = dataKind(element) !== undefined;
  const [node] = element.childNodes;
  if ((!isData && element.tagName !== 'textarea') || !node || !isText(node)) return [];
  const start = node.sourceCodeLocation?.startOffset;
  const end = element.sourceCodeLocation?.endTag?.startOffset;
  if (start === undefined || end === undefined) return [];
  const raw = source.slice(start, end);
  const text = isData ? raw : node.value;
  const write = (edit: MagicString, newText: string) =>
    edit.overwrite(
      start,
      end,
      isData ? newText : rewriteRaw(textKind, raw, { seen: text, wanted: newText, pre: true }),
    );
  return [{ text, write }];
}

/**
 * Replaces each string of a value: the whole value, or each string of its JSON. JSON in a string of
 * JSON is read too.
 * @param map gets `isInList` for a string in a JSON list that has others like it
 */
export function mapStrings(
  value: string,
  map: (text: string, isInList: boolean) => string,
  isInList = false,
): string {
  const leaves = /^\s*[[{"]/.test(value) ? parseJsonLeaves(value, 0) : [];
  if (leaves.length === 0) return map(value, isInList);
  const counts = Map.groupBy(leaves.filter(isString), listKey);
  let result = '';
  let at = 0;
  for (const leaf of leaves.filter(isString)) {
    const key = listKey(leaf);
    const newValue = mapStrings(leaf.value, map, key.includes('*') && counts.get(key)!.length > 1);
    if (newValue === leaf.value) continue;
    const raw = value.slice(leaf.start + 1, leaf.end - 1);
    const literal = rewriteRaw(jsonKind, raw, { seen: leaf.value, wanted: newValue, pre: true });
    const inStyle = raw.includes('\\/') ? literal.replace(/(?<!\\)\//g, '\\/') : literal;
    result += `${value.slice(at, leaf.start)}"${inStyle}"`;
    at = leaf.end;
  }
  return result + value.slice(at);
}

type StringLeaf = JsonLeaf & { value: string };
const isString = (leaf: JsonLeaf): leaf is StringLeaf => typeof leaf.value === 'string';
const listKey = ({ path }: JsonLeaf) =>
  JSON.stringify(path.map((step) => (typeof step === 'number' ? '*' : `.${step}`)));

/** The strings of a value, as `mapStrings` finds them. */
export function stringsIn(value: string): string[] {
  const foundValues: string[] = [];
  mapStrings(value, (text) => {
    foundValues.push(text);
    return text;
  });
  return foundValues;
}
