import MagicString from 'magic-string';
import { findValue, writeValue } from '../attributes.ts';
import { attributeOf, parseDocument, textOf, type Element, type HtmlDocument } from '../document.ts';
import { digitsOf, isMailbox, tidyLine } from '../text.ts';

const contact = /^(tel|mailto):/i;

const contactLinks = ({ numbers }: HtmlDocument) =>
  [...numbers.keys()].filter(
    ({ tagName, attrs }) => tagName === 'a' && attrs.some(({ name, value }) => name === 'href' && contact.test(value)),
  );

const shown = (link: Element) => tidyLine(textOf(link));
const target = (link: Element) => attributeOf(link, 'href') ?? '';

/**
 * Lets links that show the number or address they lead to (`tel:`, `mailto:`) lead to the one that they show now: else
 * a page would name one telephone number and dial another. Links that show anything else keep their target.
 * @param before the page before its texts changed
 * @param after the source with the new texts
 */
export function followContacts(before: HtmlDocument, after: string): string {
  const links = contactLinks(before);
  if (links.length === 0) return after;
  const page = parseDocument(after);
  const edit = new MagicString(page.source);
  for (const [i, link] of contactLinks(page).entries()) {
    const old = links[i];
    const value = findValue(page, link, 'href');
    if (!old || !value || target(old) !== target(link) || shown(old) === shown(link)) continue;
    const moved = movedTarget(target(link), shown(old), shown(link));
    if (moved !== undefined) writeValue(edit, value, moved);
  }
  return page.bom + edit.toString();
}

function movedTarget(href: string, old: string, now: string): string | undefined {
  return /^tel:/i.test(href) ? movedNumber(href, old, now) : movedAddress(href, old, now);
}

/**
 * A number may be shown without the country's code that the link has: the code stays, if as many digits are shown as
 * before.
 */
function movedNumber(href: string, old: string, now: string): string | undefined {
  const [dialled, before, after] = [digitsOf(href), digitsOf(old), digitsOf(now)];
  if (before.length < 7 || !dialled.endsWith(before) || !/^\+?[\d\s().\-–/]{7,25}$/.test(now)) return undefined;
  const code = dialled.slice(0, dialled.length - before.length);
  if (now.startsWith('+')) return `tel:+${after}`;
  if (code !== '' && after.length !== before.length) return undefined;
  return `tel:${href.includes('+') && !old.startsWith('+') ? '+' : ''}${code}${after}`;
}

function movedAddress(href: string, old: string, now: string): string | undefined {
  const [, head = '', address = '', query = ''] = /^(mailto:)([^?]*)(.*)/is.exec(href) ?? [];
  const isShown = address.toLowerCase() === old.toLowerCase();
  return isShown && isMailbox(now) ? head + now + query : undefined;
}
