import type MagicString from 'magic-string';
import { escapeMarks } from '../../../pages/texts/slotText.ts';
import { findValue, rewriteValue } from '../writeAttributes.ts';
import { attributeOf, isText, type PageElement, type HtmlDocument } from '../document.ts';
import { isPriceAt, priceAndCurrency } from '../../../pages/texts/priceData.ts';
import { isHumanText, parseJsonLeaves, type JsonLeaf } from './jsonLd.ts';
import { pathText } from '../../pathText.ts';
import { createSlot, plainSlotText } from '../../textPlaces.ts';
import type { SlotPlace } from './slotPlace.ts';
import { textAttributesOf } from '../roles.ts';
import { validHtmlText, jsonLiteral, validHtmlLine } from '../../escape.ts';
import { jsonKind, rewriteRaw, textKind } from '../../rewriteSource.ts';
import { hasWords } from '../../../../text/text.ts';
import { elementSlotId } from '../openHtmlPage.ts';
import { hasTemplateCode } from '../templateCode.ts';

/** The slots in an element's attributes. */
export function attributePlaces(page: HtmlDocument, element: PageElement): SlotPlace[] {
  return textAttributesOf(element).flatMap(([name, role]) => {
    const text = validHtmlLine(attributeOf(element, name) ?? '');
    const isText = hasWords(text) && !hasTemplateCode(text);
    const value = isText ? findValue(page, element, name) : undefined;
    if (!value) return [];
    const { start, end } = value;
    const slot = createSlot(`${elementSlotId(page, element)}.${name}`, role, escapeMarks(text));
    const write: SlotPlace['write'] = (sourceEditor, newText) =>
      rewriteValue(sourceEditor, value, {
        seen: text,
        wanted: validHtmlLine(plainSlotText(newText)),
      });
    return [{ slot, element, attribute: name, start, end, ranges: [{ start, end }], write }];
  });
}

/** The slot of a `title` element, whose text has character references but no tags. */
export function titlePlaces(page: HtmlDocument, element: PageElement): SlotPlace[] {
  const [node] = element.childNodes;
  const location = node?.sourceCodeLocation;
  if (!node || !isText(node) || !location || !hasWords(node.value) || hasTemplateCode(node.value))
    return [];
  const raw = page.source.slice(location.startOffset, location.endOffset);
  const start = location.startOffset + (raw.length - raw.trimStart().length);
  const end = location.startOffset + raw.trimEnd().length;
  const oldText = validHtmlLine(node.value);
  const slot = createSlot(elementSlotId(page, element), 'title', escapeMarks(oldText));
  const write: SlotPlace['write'] = (sourceEditor, newText) => {
    const tidyText = validHtmlLine(plainSlotText(newText));
    sourceEditor.overwrite(
      start,
      end,
      rewriteRaw(textKind, page.source.slice(start, end), { seen: oldText, wanted: tidyText }),
    );
  };
  return [{ slot, element, start, end, ranges: [{ start, end }], write }];
}

/** The text of a block of JSON-LD and its position; undefined for other elements. */
export function readJsonLd(element: PageElement): { text: string; offset: number } | undefined {
  if (
    element.tagName !== 'script' ||
    !/^application\/ld\+json\s*(;.*)?$/i.test((attributeOf(element, 'type') ?? '').trim())
  )
    return undefined;
  const [node] = element.childNodes;
  const offset = node?.sourceCodeLocation?.startOffset;
  return node && isText(node) && offset !== undefined ? { text: node.value, offset } : undefined;
}

/** The slots in a JSON-LD block: values for people. A new price also changes its currency. */
export function jsonPlaces(page: HtmlDocument, element: PageElement): SlotPlace[] {
  const leaves = readJsonLeaves(page, element);
  const currencies = findCurrencies(leaves);
  return leaves.flatMap((leaf, i) => {
    if (!isHumanText(leaf) || hasTemplateCode(String(leaf.value))) return [];
    const { start, end, path } = leaf;
    const text = escapeMarks(tidyJson(String(leaf.value)));
    const slot = {
      ...createSlot(`${elementSlotId(page, element)}.${i}`, 'structured-data', text),
      jsonPath: pathText(path),
    };
    const write: SlotPlace['write'] = (sourceEditor, newText) =>
      writeLeaf(
        sourceEditor,
        leaf,
        writeCurrency(
          sourceEditor,
          { leaf, currency: currencies.get(objectPath(leaf)) },
          plainSlotText(newText),
        ),
      );
    return [{ slot, element, start, end, ranges: [{ start, end }], write }];
  });
}

/**
 * All leaves of a JSON-LD block. Reads the source, since positions in the parsed text are wrong
 * after CRLF line ends.
 */
export function readJsonLeaves({ source }: HtmlDocument, element: PageElement): JsonLeaf[] {
  const json = readJsonLd(element);
  const end = element.sourceCodeLocation?.endTag?.startOffset;
  return json && end !== undefined
    ? parseJsonLeaves(source.slice(json.offset, end), json.offset)
    : [];
}

const tidyJson = (text: string) => validHtmlText(text).trim();

/**
 * Writes a leaf's text. An empty text removes its property, unless it is the first one of its
 * object.
 */
function writeLeaf(sourceEditor: MagicString, leaf: JsonLeaf, text: string) {
  if (tidyJson(text) === '' && leaf.cut) sourceEditor.remove(leaf.cut.start, leaf.cut.end);
  else {
    const raw = sourceEditor.original.slice(leaf.start, leaf.end);
    sourceEditor.overwrite(leaf.start, leaf.end, createLiteral(raw, leaf, text));
  }
}

/** The currencies of prices, by the path of their object. */
const findCurrencies = (leaves: JsonLeaf[]) =>
  new Map(
    leaves
      .filter(({ path }) => path.at(-1) === 'priceCurrency')
      .map((leaf) => [objectPath(leaf), leaf] as const),
  );
const objectPath = ({ path }: JsonLeaf) => pathText(path.slice(0, -1));

/**
 * Writes the currency beside a price in structured data, if the new text of the price contains one.
 * @returns the price without its currency
 */
function writeCurrency(
  sourceEditor: MagicString,
  { leaf, currency }: { leaf: JsonLeaf; currency: JsonLeaf | undefined },
  text: string,
): string {
  if (!isPriceAt(pathText(leaf.path))) return text;
  const priceParts = priceAndCurrency(text, String(currency?.value ?? ''));
  if (currency && priceParts && priceParts.currency !== currency.value)
    sourceEditor.overwrite(currency.start, currency.end, jsonLiteral(priceParts.currency));
  return priceParts?.price ?? text;
}

/** The JSON literal of a new text. A number stays a number if its new text is one. */
function createLiteral(raw: string, { value }: JsonLeaf, text: string): string {
  const newJson = tidyJson(text);
  if (typeof value === 'number' && /^-?(0|[1-9]\d*)(\.\d+)?$/.test(newJson)) return newJson;
  if (typeof value === 'number') return jsonLiteral(newJson);
  return `"${rewriteRaw(jsonKind, raw.slice(1, -1), { seen: tidyJson(value), wanted: newJson, pre: true })}"`;
}
