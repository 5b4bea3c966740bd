import type MagicString from 'magic-string';
import { parentOf, type PageElement, type HtmlDocument } from './document.ts';
import type { TextRange } from '../../../text/textRange.ts';
import { escapeAttribute, spaceBefore } from '../escape.ts';
import { attributeKind, rewriteRaw } from '../rewriteSource.ts';
import { hasTemplateCode } from './templateCode.ts';

/** The source range of an attribute's value. `quote` is '' for an unquoted value. */
export interface AttributeValue extends TextRange {
  quote: '"' | "'" | '';
}

/** The source range of a value; undefined if there is none, or template code in it. */
export function findValue(
  { source }: HtmlDocument,
  element: PageElement,
  name: string,
): AttributeValue | undefined {
  const location = element.sourceCodeLocation?.attrs?.[name];
  if (!location) return undefined;
  const raw = source.slice(location.startOffset, location.endOffset);
  const head = /^[^=]+=[ \t\n\f\r]*/.exec(raw)?.[0];
  if (head === undefined || hasTemplateCode(raw)) return undefined;
  const firstCharacter = raw[head.length];
  const quote = firstCharacter === '"' || firstCharacter === "'" ? firstCharacter : '';
  return {
    start: location.startOffset + head.length + quote.length,
    end: location.endOffset - quote.length,
    quote,
  };
}

/** Replaces an attribute's value. An unquoted value gets quotes. */
export function writeValue(
  sourceEditor: MagicString,
  { start, end, quote }: AttributeValue,
  value: string,
) {
  const escaped = escapeAttribute(value, quote || '"');
  const content = quote ? escaped : `"${escaped}"`;
  if (start === end) sourceEditor.appendLeft(start, content);
  else sourceEditor.overwrite(start, end, content);
}

/** Writes what differs between the old value (`seen`) and the new one (`wanted`). */
export function rewriteValue(
  sourceEditor: MagicString,
  { start, end, quote }: AttributeValue,
  texts: { seen: string; wanted: string; pre?: boolean },
) {
  const value = rewriteRaw(
    attributeKind(quote || '"'),
    sourceEditor.original.slice(start, end),
    texts,
  );
  const content = quote ? value : `"${value.replaceAll('"', '&quot;')}"`;
  if (start === end) sourceEditor.appendLeft(start, content);
  else sourceEditor.overwrite(start, end, content);
}

/** Removes an element with its content; one in the head with the white space before it too. */
export function removeElement(sourceEditor: MagicString, element: PageElement) {
  const range = element.sourceCodeLocation;
  if (!range) return;
  const isInHead = parentOf(element)?.tagName === 'head';
  const { length } = isInHead ? spaceBefore(sourceEditor.original, range.startOffset) : '';
  sourceEditor.remove(range.startOffset - length, range.endOffset);
}

/** Writes an attribute's value, or adds the attribute. Template code in it stays. */
export function writeAttribute(
  sourceEditor: MagicString,
  page: HtmlDocument,
  element: PageElement,
  [name, value]: [name: string, value: string],
) {
  const valueRange = findValue(page, element, name);
  if (valueRange) return writeValue(sourceEditor, valueRange, value);
  const location = element.sourceCodeLocation;
  if (!location) return;
  const attribute = `${name}="${escapeAttribute(value, '"')}"`;
  const bareRange = location.attrs?.[name];
  if (bareRange && isCode(sourceEditor, bareRange)) return;
  if (bareRange) sourceEditor.overwrite(bareRange.startOffset, bareRange.endOffset, attribute);
  else sourceEditor.appendLeft(location.startOffset + 1 + element.tagName.length, ` ${attribute}`);
}

/** Removes an attribute with the white space before it, unless it has template code in it. */
export function removeAttribute(
  sourceEditor: MagicString,
  { sourceCodeLocation: location }: PageElement,
  name: string,
) {
  const range = location?.attrs?.[name];
  if (range && !isCode(sourceEditor, range))
    sourceEditor.remove(range.startOffset - 1, range.endOffset);
}

const isCode = ({ original }: MagicString, range: { startOffset: number; endOffset: number }) =>
  hasTemplateCode(original.slice(range.startOffset, range.endOffset));
