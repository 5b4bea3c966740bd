import MagicString from 'magic-string';
import { findValue, writeValue } from '../attributes.ts';
import { attributeOf, parseDocument, textOf, type Element, type HtmlDocument } from '../document.ts';
import { landmarkOf } from '../roles.ts';
import { digitsOf, isMailbox, tidyLine } from '../text.ts';
import { dialled, isNumber } from './dialling.ts';

const contact = /^(tel|mailto):/i;

const contactLinks = ({ numbers }: HtmlDocument) =>
  [...numbers.keys()].filter(
    ({ tagName, attrs }) => tagName === 'a' && attrs.some(({ name, value }) => name === 'href' && contact.test(value)),
  );

const shown = (link: Element) => tidyLine(textOf(link));
const target = (link: Element) => attributeOf(link, 'href') ?? '';

/**
 * Lets links that show the number or address they lead to (`tel:`, `mailto:`) lead to the one that they show now: else
 * a page would name one telephone number and dial another. Links that show anything else keep their target, but on a new page.
 * @param before the page before its texts changed
 * @param after the source with the new texts
 * @param isNewPage whether links of the content that lead to the same number or address and show other words follow too
 * @param country ISO 3166-1 code of the country of new numbers without its code; as the old number's, if unknown
 */
export function followContacts(before: HtmlDocument, after: string, country?: string, isNewPage = false): string {
  const links = contactLinks(before);
  if (links.length === 0) return after;
  const page = parseDocument(after);
  const edit = new MagicString(page.source);
  const movedTo = new Map<string, string>();
  for (const [i, link] of contactLinks(page).entries()) {
    const old = links[i];
    const value = findValue(page, link, 'href');
    if (!old || !value || target(old) !== target(link) || shown(old) === shown(link)) continue;
    const moved = movedTarget(target(link), shown(old), shown(link), country);
    if (moved === undefined) continue;
    writeValue(edit, value, moved);
    if (!movedTo.has(target(old))) movedTo.set(target(old), moved);
  }
  for (const [i, link] of isNewPage ? contactLinks(page).entries() : []) {
    const value = findValue(page, link, 'href');
    const moved = movedTo.get(target(link));
    const isOther = links[i] && shown(links[i]) === shown(link) && !landmarkOf(link);
    if (value && moved !== undefined && isOther) writeValue(edit, value, moved);
  }
  return page.bom + edit.toString();
}

function movedTarget(href: string, old: string, now: string, country?: string): string | undefined {
  return /^tel:/i.test(href) ? movedNumber(href, old, now, country) : movedAddress(href, old, now);
}

/** A number may be shown without the country's code that the link has, or with a zero in its place. */
function movedNumber(href: string, old: string, now: string, country?: string): string | undefined {
  const shows = digitsOf(old.replace(/\(0\)/, '')).replace(/^0+/, '');
  if (shows.length < 7 || !digitsOf(href).endsWith(shows) || !isNumber(now)) return undefined;
  const number = dialled(now, href.slice('tel:'.length), country);
  const code = digitsOf(href).slice(0, -shows.length);
  const keepsCode = !number.startsWith('+') && code !== '' && number.length === shows.length && href.includes('+');
  return `tel:${keepsCode ? `+${code}` : ''}${number}`;
}

function movedAddress(href: string, old: string, now: string): string | undefined {
  const [, head = '', address = '', query = ''] = /^(mailto:)([^?]*)(.*)/is.exec(href) ?? [];
  const isShown = address.toLowerCase() === old.toLowerCase();
  return isShown && isMailbox(now) ? head + now + query : undefined;
}
