import MagicString from 'magic-string';
import { findValue, writeValue } from '../attributes.ts';
import { attributeOf, childText, parseDocument, textOf, type Element, type HtmlDocument } from '../document.ts';
import { landmarkOf } from '../roles.ts';
import { isMailbox, tidyLine } from '../text.ts';
import { diallingLink, isNumber, redialled } from './dialling.ts';

const isContact = (href: string) => /^mailto:/i.test(href) || diallingLink(href) !== null;

const contactLinks = ({ numbers }: HtmlDocument) =>
  [...numbers.keys()].filter(
    ({ tagName, attrs }) => tagName === 'a' && attrs.some(({ name, value }) => name === 'href' && isContact(value)),
  );

const shown = (link: Element) => tidyLine(textOf(link));
const target = (link: Element) => attributeOf(link, 'href') ?? '';

/**
 * Lets links that show the number or address they lead to (`tel:`, `mailto:`) lead to the one that they show now: else
 * a page would name one telephone number and dial another. Links that show anything else keep their target, but on a
 * new page.
 * @param before the page before its texts changed
 * @param after the source with the new texts
 * @param isNewPage whether links of the content that lead to the same number or address and show other words follow too
 * @param country ISO 3166-1 code of the country of new numbers without its code, or of a link's; as the old number's,
 *   if unknown
 */
export function followContacts(
  before: HtmlDocument,
  after: string,
  country?: string | ((link: Element) => string | undefined),
  isNewPage = false,
): string {
  const countryOf = typeof country === 'function' ? country : () => country;
  const links = contactLinks(before);
  if (links.length === 0) return after;
  const page = parseDocument(after);
  const edit = new MagicString(page.source);
  const numbers = isNewPage ? movedNumbers(before, page) : [];
  const movedTo = new Map<string, string>();
  const others: Element[] = [];
  for (const [i, link] of contactLinks(page).entries()) {
    const old = links[i];
    const value = findValue(page, link, 'href');
    if (!old || !value || target(old) !== target(link)) continue;
    const isSame = shown(old) === shown(link);
    const moved = isSame ? undefined : movedTarget(target(link), shown(old), shown(link), countryOf(old));
    if (moved === undefined) others.push(link);
    else writeValue(edit, value, moved);
    if (moved !== undefined && !movedTo.has(target(old))) movedTo.set(target(old), moved);
  }
  for (const link of isNewPage ? others.filter((own) => !landmarkOf(own)) : []) {
    const moved = movedTo.get(target(link)) ?? redialledAs(target(link), numbers, countryOf(link));
    if (moved !== undefined) writeValue(edit, findValue(page, link, 'href')!, moved);
  }
  return page.bom + edit.toString();
}

type Moved = [old: string, now: string];

const NUMBER = /\+?[\d(][\d\s().\-–/]{5,26}\d/g;
const numbersIn = (text: string) => (text.match(NUMBER) ?? []).filter(isNumber);

/** Telephone numbers of texts, with those in their place: a link to one of them may show other words. */
function movedNumbers(before: HtmlDocument, after: HtmlDocument): Moved[] {
  const old = known.get(before) ?? textsOf(before);
  known.set(before, old);
  const now = textsOf(after);
  if (old.length !== now.length) return [];
  return old.flatMap((text, i): Moved[] => {
    const [was, is] = text === now[i] ? [[], []] : [numbersIn(text), numbersIn(now[i]!)];
    return was.length === is.length ? was.map((number, j): Moved => [number, is[j]!]).filter(([a, b]) => a !== b) : [];
  });
}

/** The texts of templates, of which a task makes several pages. */
const known = new WeakMap<HtmlDocument, string[]>();

/** The texts of the elements, without those of the elements in them. */
const textsOf = ({ numbers }: HtmlDocument) => [...numbers.keys()].map(childText);

/** Where a link dials now that dialled one of the numbers. */
function redialledAs(href: string, numbers: Moved[], country?: string): string | undefined {
  const link = diallingLink(href);
  for (const [old, now] of link ? numbers : []) {
    const moved = redialled(link!, old, now, country);
    if (moved !== null) return moved;
  }
  return undefined;
}

function movedTarget(href: string, old: string, now: string, country?: string): string | undefined {
  const link = diallingLink(href);
  return link ? (redialled(link, old, now, country) ?? undefined) : movedAddress(href, old, now);
}

function movedAddress(href: string, old: string, now: string): string | undefined {
  const [, head = '', address = '', query = ''] = /^(mailto:)([^?]*)(.*)/is.exec(href) ?? [];
  const isShown = address.toLowerCase() === old.toLowerCase();
  return isShown && isMailbox(now) ? head + now + query : undefined;
}
