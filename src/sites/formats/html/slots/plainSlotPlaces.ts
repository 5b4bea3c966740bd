import type MagicString from 'magic-string';
import { invalidInput } from '../../../invalidInput.ts';
import { escapeMarks, parsePieces } from '../../../pages/slotText.ts';
import { findValue, rewriteValue } from '../writeAttributes.ts';
import { attributeOf, isText, type Element, type HtmlDocument } from '../document.ts';
import { isPriceAt, priceAndCurrency } from '../../../pages/priceData.ts';
import { isHuman, jsonLeaves, pathText, type JsonLeaf } from './jsonLd.ts';
import { slotOf, type SlotPlace } from './slotPlace.ts';
import { readAttributes } from '../roles.ts';
import { carriable, jsonLiteral, tidyLine } from '../escape.ts';
import { jsonKind, rewriteRaw, textKind } from './rewriteSource.ts';
import { hasWords } from '../../../../text/text.ts';
import { idOf } from '../openPage.ts';
import { hasCode } from '../templateCode.ts';

/** Reads a slot's text that may not have parts. Throws INVALID_INPUT for the mark of a part. */
function plain(slotText: string): string {
  const pieces = parsePieces(slotText);
  if (pieces.some(({ kind }) => kind !== 'text'))
    throw invalidInput('this text has no numbered parts; a literal <1> is written \\<1>');
  return pieces.map((piece) => (piece.kind === 'text' ? piece.text : '')).join('');
}

/** The slots in an element's attributes. */
export function attributePlaces(page: HtmlDocument, element: Element): SlotPlace[] {
  return readAttributes(element).flatMap(([name, role]) => {
    const text = tidyLine(attributeOf(element, name) ?? '');
    const isText = hasWords(text) && !hasCode(text);
    const value = isText ? findValue(page, element, name) : undefined;
    if (!value) return [];
    const { start, end } = value;
    const slot = slotOf(`${idOf(page, element)}.${name}`, role, escapeMarks(text));
    const write: SlotPlace['write'] = (edit, given) =>
      rewriteValue(edit, value, { seen: text, wanted: tidyLine(plain(given)) });
    return [{ slot, element, attribute: name, start, end, ranges: [{ start, end }], write }];
  });
}

/** The slot of a `title` element, whose text has character references but no tags. */
export function titlePlaces(page: HtmlDocument, element: Element): SlotPlace[] {
  const [node] = element.childNodes;
  const place = node?.sourceCodeLocation;
  if (!node || !isText(node) || !place || !hasWords(node.value) || hasCode(node.value)) return [];
  const raw = page.source.slice(place.startOffset, place.endOffset);
  const start = place.startOffset + (raw.length - raw.trimStart().length);
  const end = place.startOffset + raw.trimEnd().length;
  const seen = tidyLine(node.value);
  const slot = slotOf(idOf(page, element), 'title', escapeMarks(seen));
  const write: SlotPlace['write'] = (edit, given) => {
    const wanted = tidyLine(plain(given));
    edit.overwrite(
      start,
      end,
      rewriteRaw(textKind, page.source.slice(start, end), { seen, wanted }),
    );
  };
  return [{ slot, element, start, end, ranges: [{ start, end }], write }];
}

/** The text of a block of JSON-LD and its position; undefined for other elements. */
export function jsonOf(element: Element): { text: string; offset: number } | undefined {
  if (
    element.tagName !== 'script' ||
    !/^application\/ld\+json\s*(;.*)?$/i.test((attributeOf(element, 'type') ?? '').trim())
  )
    return undefined;
  const [node] = element.childNodes;
  const offset = node?.sourceCodeLocation?.startOffset;
  return node && isText(node) && offset !== undefined ? { text: node.value, offset } : undefined;
}

/**
 * The slots in a JSON-LD block: values for people. Writing one only changes the bytes of its
 * literal.
 */
export function jsonPlaces(page: HtmlDocument, element: Element): SlotPlace[] {
  const leaves = leavesOf(page, element);
  const currencies = currenciesIn(leaves);
  return leaves.flatMap((leaf, i) => {
    if (!isHuman(leaf) || hasCode(String(leaf.value))) return [];
    const { start, end, path } = leaf;
    const text = escapeMarks(tidyJson(String(leaf.value)));
    const slot = {
      ...slotOf(`${idOf(page, element)}.${i}`, 'structured-data', text),
      jsonPath: pathText(path),
    };
    const write: SlotPlace['write'] = (edit, given) =>
      writeLeaf(
        edit,
        leaf,
        withCurrency(edit, { leaf, currency: currencies.get(ownerOf(leaf)) }, plain(given)),
      );
    return [{ slot, element, start, end, ranges: [{ start, end }], write }];
  });
}

/**
 * All leaves of a JSON-LD block. Reads the source, since positions in the parsed text are wrong
 * after CRLF line ends.
 */
export function leavesOf({ source }: HtmlDocument, element: Element): JsonLeaf[] {
  const json = jsonOf(element);
  const end = element.sourceCodeLocation?.endTag?.startOffset;
  return json && end !== undefined ? jsonLeaves(source.slice(json.offset, end), json.offset) : [];
}

const tidyJson = (text: string) => carriable(text).trim();

/**
 * Writes a leaf's text. An empty text removes its property, unless it is the first one of its
 * object.
 */
function writeLeaf(edit: MagicString, leaf: JsonLeaf, text: string) {
  if (tidyJson(text) === '' && leaf.cut) edit.remove(leaf.cut.start, leaf.cut.end);
  else {
    const raw = edit.original.slice(leaf.start, leaf.end);
    edit.overwrite(leaf.start, leaf.end, literal(raw, leaf, text));
  }
}

/** The currencies of prices, by the path of their object. */
const currenciesIn = (leaves: JsonLeaf[]) =>
  new Map(
    leaves
      .filter(({ path }) => path.at(-1) === 'priceCurrency')
      .map((leaf) => [ownerOf(leaf), leaf] as const),
  );
const ownerOf = ({ path }: JsonLeaf) => pathText(path.slice(0, -1));

/**
 * Writes the currency beside a price, if the price is given with one.
 * @returns the price without it
 */
function withCurrency(
  edit: MagicString,
  { leaf, currency }: { leaf: JsonLeaf; currency: JsonLeaf | undefined },
  text: string,
): string {
  if (!isPriceAt(pathText(leaf.path))) return text;
  const written = priceAndCurrency(text, String(currency?.value ?? ''));
  if (currency && written && written.currency !== currency.value)
    edit.overwrite(currency.start, currency.end, jsonLiteral(written.currency));
  return written?.price ?? text;
}

/** The JSON literal of a new text. A number stays a number if its new text is one. */
function literal(raw: string, { value }: JsonLeaf, text: string): string {
  const wanted = tidyJson(text);
  if (typeof value === 'number' && /^-?(0|[1-9]\d*)(\.\d+)?$/.test(wanted)) return wanted;
  if (typeof value === 'number') return jsonLiteral(wanted);
  return `"${rewriteRaw(jsonKind, raw.slice(1, -1), { seen: tidyJson(value), wanted, pre: true })}"`;
}
