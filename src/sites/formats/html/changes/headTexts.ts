import type MagicString from 'magic-string';
import { invalidInput } from '../../../invalidInput.ts';
import { plainText } from '../../../pages/slotText.ts';
import type { HeadText } from '../../page.ts';
import { closest, isSvg, metaName, type Element, type HtmlDocument } from '../document.ts';
import { escapeAttribute, escapeText, spaceBefore, tidyLine } from '../escape.ts';
import type { Page } from '../openPage.ts';
import { findSlotPlaces } from '../slots/findSlotPlaces.ts';
import { writeAttribute } from '../writeAttributes.ts';

const all: HeadText[] = ['title', 'description'];

/** The texts of the head that a page lacks, or has empty; none for a page without a head. */
export function missingHead(page: Page): HeadText[] {
  const there = new Set<string>(findSlotPlaces(page).map(({ slot }) => slot.role));
  return all.filter((name) => !there.has(name) && (emptyOne(page, name) ?? placeInHead(page)));
}

/** Writes texts of the head that a page lacks. Throws INVALID_INPUT for a blank one. */
export function writeHead(edit: MagicString, page: Page, texts: Partial<Record<HeadText, string>>) {
  const missing = missingHead(page);
  for (const name of all) {
    const given = texts[name];
    if (given === undefined) continue;
    const text = tidyLine(plainText(given));
    if (text === '') throw invalidInput(`The ${name} is blank: give it words`);
    if (!missing.includes(name)) throw invalidInput(`The page has a ${name} already`);
    writeOne(edit, page, [name, text]);
  }
}

function writeOne(edit: MagicString, page: Page, [name, text]: [HeadText, string]) {
  const empty = emptyOne(page, name);
  if (empty && name === 'description') return writeAttribute(edit, page, empty, ['content', text]);
  const { startTag, endTag } = empty?.sourceCodeLocation ?? {};
  if (startTag && endTag) {
    const { endOffset } = startTag;
    if (endTag.startOffset > endOffset) edit.remove(endOffset, endTag.startOffset);
    return void edit.appendLeft(endOffset, escapeText(text));
  }
  const place = placeInHead(page)!;
  const element =
    name === 'title'
      ? `<title>${escapeText(text)}</title>`
      : `<meta name="description" content="${escapeAttribute(text, '"')}">`;
  edit.appendLeft(place.at, place.lead + element);
}

/** The page's own element for a text, which is empty. */
const emptyOne = ({ elements }: HtmlDocument, name: HeadText): Element | undefined =>
  elements.find(
    (element) =>
      element.sourceCodeLocation !== undefined &&
      !isSvg(element) &&
      (name === 'title'
        ? element.tagName === 'title' && element.sourceCodeLocation?.endTag
        : element.tagName === 'meta' && metaName(element) === name),
  );

/** The position behind the title or the character set, else at the start of the head. */
function placeInHead({ source, elements }: HtmlDocument) {
  const inHead = elements.filter((one) => closest(one, ({ tagName }) => tagName === 'head'));
  const [head] = inHead;
  const before =
    inHead.find(({ tagName }) => tagName === 'title') ??
    inHead.find((one) => one.attrs.some(({ name }) => name === 'charset'));
  const range = before?.sourceCodeLocation;
  if (range) return { at: range.endOffset, lead: spaceBefore(source, range.startOffset) || '\n' };
  const start = head?.sourceCodeLocation?.startTag;
  return start && { at: start.endOffset, lead: '\n' };
}
