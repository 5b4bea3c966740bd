import MagicString from 'magic-string';
import type { Framing } from '../format.ts';
import { removeAttribute, removeElement } from './writeAttributes.ts';
import {
  attributeOf,
  baseHref,
  closest,
  isElement,
  isSvg,
  isText,
  type Element,
  type HtmlDocument,
} from './document.ts';
import type { SlotPlace } from './slots/slotPlace.ts';
import { findSlotPlaces } from './slots/findSlotPlaces.ts';
import { escapeAttribute, isBlank } from './escape.ts';

/** Elements whose text can't be edited in place. */
const uneditable = new Set(['select', 'datalist', 'head', 'textarea']);
/**
 * Elements that react to keys, or hold the whole page. A new element around their text gets the
 * mark, in place of the element itself.
 */
const unsuited = new Set(['body', 'button', 'summary', 'html']);
const MARK = 'slot-text';

/** The page's source for editing in a frame: see `FormatCore.frame`. */
export function frameOf(page: HtmlDocument, { url, head, attribute }: Framing): string {
  const edit = new MagicString(page.source);
  const start = page.root.childNodes.find(({ nodeName }) => nodeName === '#documentType')
    ?.sourceCodeLocation?.endOffset;
  const base = escapeAttribute(baseOf(page, url), '"');
  edit.appendLeft(start ?? 0, `<base href="${base}" target="_self">${head}`);
  for (const element of page.elements)
    if (leadsAway(element)) removeElement(edit, element);
    else removeAttribute(edit, element, 'referrerpolicy');
  for (const place of findSlotPlaces(page)) if (isInPlace(place)) markTexts(edit, place, attribute);
  return edit.toString();
}

function baseOf(page: HtmlDocument, url: string): string {
  const base = URL.parse(baseHref(page) ?? '', url);
  return base && /^https?:$/.test(base.protocol) ? base.href : url;
}

/**
 * Whether a `meta` element would break the frame: a refresh, a Content-Security-Policy, which is
 * made for the page's own origin, or a referrer policy, which would tell others the address of the
 * frame.
 */
const leadsAway = (element: Element) =>
  element.tagName === 'meta' &&
  (/^(refresh|content-security-policy)$/i.test((attributeOf(element, 'http-equiv') ?? '').trim()) ||
    (attributeOf(element, 'name') ?? '').trim().toLowerCase() === 'referrer');

const isInPlace = ({ element, gaps }: SlotPlace) =>
  gaps !== undefined &&
  !closest(element, (around) => isSvg(around) || uneditable.has(around.tagName));

function markTexts(edit: MagicString, place: SlotPlace, attribute: string) {
  const { slot, element, gaps = [] } = place;
  const mark = (i: number) => ` ${attribute}="${slot.id} ${i}"`;
  const tag = element.sourceCodeLocation?.startTag;
  if (gaps.length === 1 && tag && isAllOf(element, place))
    return void edit.appendLeft(tag.startOffset + 1 + element.tagName.length, mark(0));
  for (const [i, { start, end }] of gaps.entries()) {
    edit.appendRight(start, `<${MARK}${mark(i)}>`);
    if (start === end) edit.appendRight(start, `</${MARK}>`);
    else edit.appendLeft(end, `</${MARK}>`);
  }
}

/** Whether an element contains only this text. */
function isAllOf(element: Element, { start, end }: SlotPlace): boolean {
  if (unsuited.has(element.tagName)) return false;
  return element.childNodes.every((node) => {
    const at = node.sourceCodeLocation?.startOffset ?? -1;
    if (isElement(node)) return false;
    return (at >= start && at < end) || !isText(node) || isBlank(node.value);
  });
}
