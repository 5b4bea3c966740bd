import type MagicString from 'magic-string';
import { parentOf, type Element, type HtmlDocument } from './document.ts';
import type { Range } from '../../../text/range.ts';
import { escapeAttribute, spaceBefore } from './escape.ts';
import { attributeKind, rewriteRaw } from './slots/rewriteSource.ts';
import { hasCode } from './templateCode.ts';

/** The source range of an attribute's value. `quote` is '' for an unquoted value. */
export interface AttributeValue extends Range {
  quote: '"' | "'" | '';
}

/** The source range of an attribute's value; undefined if the source has none, or code in it. */
export function findValue(
  { source }: HtmlDocument,
  element: Element,
  name: string,
): AttributeValue | undefined {
  const location = element.sourceCodeLocation?.attrs?.[name];
  if (!location) return undefined;
  const raw = source.slice(location.startOffset, location.endOffset);
  const head = /^[^=]+=[ \t\n\f\r]*/.exec(raw)?.[0];
  if (head === undefined || hasCode(raw)) return undefined;
  const first = raw[head.length];
  const quote = first === '"' || first === "'" ? first : '';
  return {
    start: location.startOffset + head.length + quote.length,
    end: location.endOffset - quote.length,
    quote,
  };
}

/** Replaces an attribute's value. An unquoted value gets quotes. */
export function writeValue(
  edit: MagicString,
  { start, end, quote }: AttributeValue,
  value: string,
) {
  const escaped = escapeAttribute(value, quote || '"');
  const content = quote ? escaped : `"${escaped}"`;
  if (start === end) edit.appendLeft(start, content);
  else edit.overwrite(start, end, content);
}

/** Writes what differs in an attribute's value. An unquoted value gets quotes. */
export function rewriteValue(
  edit: MagicString,
  { start, end, quote }: AttributeValue,
  texts: { seen: string; wanted: string; pre?: boolean },
) {
  const value = rewriteRaw(attributeKind(quote || '"'), edit.original.slice(start, end), texts);
  const content = quote ? value : `"${value.replaceAll('"', '&quot;')}"`;
  if (start === end) edit.appendLeft(start, content);
  else edit.overwrite(start, end, content);
}

/** Removes an element with its content; one in the head with the white space before it too. */
export function removeElement(edit: MagicString, element: Element) {
  const range = element.sourceCodeLocation;
  if (!range) return;
  const isInHead = parentOf(element)?.tagName === 'head';
  const { length } = isInHead ? spaceBefore(edit.original, range.startOffset) : '';
  edit.remove(range.startOffset - length, range.endOffset);
}

/**
 * Writes an attribute's value, unless it has code in it. A missing attribute is added before the
 * others.
 */
export function writeAttribute(
  edit: MagicString,
  page: HtmlDocument,
  element: Element,
  [name, value]: [name: string, value: string],
) {
  const place = findValue(page, element, name);
  if (place) return writeValue(edit, place, value);
  const location = element.sourceCodeLocation;
  if (!location) return;
  const attribute = `${name}="${escapeAttribute(value, '"')}"`;
  const bare = location.attrs?.[name];
  if (bare && isCode(edit, bare)) return;
  if (bare) edit.overwrite(bare.startOffset, bare.endOffset, attribute);
  else edit.appendLeft(location.startOffset + 1 + element.tagName.length, ` ${attribute}`);
}

/** Removes an attribute with the white space before it. */
export function removeAttribute(
  edit: MagicString,
  { sourceCodeLocation: location }: Element,
  name: string,
) {
  const range = location?.attrs?.[name];
  if (range && !isCode(edit, range)) edit.remove(range.startOffset - 1, range.endOffset);
}

const isCode = ({ original }: MagicString, range: { startOffset: number; endOffset: number }) =>
  hasCode(original.slice(range.startOffset, range.endOffset));
