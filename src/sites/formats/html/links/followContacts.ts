import MagicString from 'magic-string';
import { defined } from '../../../../contract/defined.ts';
import { findValue, writeValue } from '../writeAttributes.ts';
import {
  attributeOf,
  childText,
  parseDocument,
  textOf,
  type Element,
  type HtmlDocument,
} from '../document.ts';
import { landmarkOf } from '../roles.ts';
import { tidyLine } from '../escape.ts';
import { digitsOf, isMailbox } from '../../../../text/text.ts';
import type { Contacts } from '../../../../contract/task.ts';
import { dialled, diallingLink, redialled } from '../../../../text/dialling.ts';
import { telephonesIn } from '../../../../text/telephone.ts';

const isContact = (href: string) => /^mailto:/i.test(href) || diallingLink(href) !== null;

const contactLinks = ({ numbers }: HtmlDocument) =>
  [...numbers.keys()].filter(
    ({ tagName, attrs }) =>
      tagName === 'a' && attrs.some(({ name, value }) => name === 'href' && isContact(value)),
  );

const shown = (link: Element) => tidyLine(textOf(link));
const target = (link: Element) => attributeOf(link, 'href') ?? '';

/**
 * Lets links that show the number or address they lead to (`tel:`, `mailto:`) lead to the one that
 * they show now: else a page would name one telephone number and dial another. Links that show
 * anything else keep their target, but on a new page.
 * @param before the page before its texts changed
 * @param after the source with the new texts
 * @param country ISO 3166-1 code of the country of new numbers without its code, or of a link's; as
 *   the old number's, if unknown
 * @param contacts for a new page: links of its content that show other words follow too. They lead
 *   where another text's number or address went. If the page showed none, and all of them lead to
 *   one, they lead to this one
 */
export function followContacts(
  before: HtmlDocument,
  after: string,
  country?: string | ((link: Element) => string | undefined),
  contacts?: Contacts,
): string {
  const countryOf = typeof country === 'function' ? country : () => country;
  const links = contactLinks(before);
  if (links.length === 0) return after;
  const page = parseDocument(after);
  const edit = new MagicString(page.source);
  const changes = contacts ? changedTexts(before, page) : [];
  const numbers = changes.flatMap(movedIn(telephonesIn));
  const mailboxes = changes.flatMap(movedIn(mailboxesIn));
  const movedTo = new Map<string, string>();
  const others: Element[] = [];
  for (const [i, link] of contactLinks(page).entries()) {
    const old = links[i];
    const value = findValue(page, link, 'href');
    if (!old || !value || target(old) !== target(link)) continue;
    const isSame = shown(old) === shown(link);
    const moved = isSame
      ? undefined
      : movedTarget(target(link), shown(old), shown(link), countryOf(old));
    if (moved === undefined) others.push(link);
    else writeValue(edit, value, moved);
    if (moved !== undefined && !movedTo.has(target(old))) movedTo.set(target(old), moved);
  }
  const left = contacts ? others.filter((own) => !landmarkOf(own)) : [];
  const stay: Element[] = [];
  for (const link of left) {
    const href = target(link);
    const moved =
      movedTo.get(href) ??
      redialledAs(href, numbers, countryOf(link)) ??
      readdressed(href, mailboxes);
    if (moved === undefined) stay.push(link);
    else writeValue(edit, findValue(page, link, 'href')!, moved);
  }
  const isMoved = (is: (href: string) => boolean) => [...movedTo.keys()].some(is);
  const { email, telephone } = contacts ?? {};
  const own = {
    ...(mailboxes.length === 0 &&
      !isMoved((href) => addressOf(href) !== null) &&
      defined({ email })),
    ...(numbers.length === 0 &&
      !isMoved((href) => diallingLink(href) !== null) &&
      defined({ telephone })),
  };
  for (const [link, moved] of given(stay, own, countryOf))
    writeValue(edit, findValue(page, link, 'href')!, moved);
  return page.bom + edit.toString();
}

/** Links that show neither number nor address, and where they lead on a page with others. */
function given(
  links: Element[],
  { email, telephone }: Contacts,
  countryOf: (link: Element) => string | undefined,
) {
  const of = (isOwn: (href: string) => boolean) => {
    const own = links.filter((link) => isOwn(target(link)));
    return new Set(own.map((link) => keyOf(target(link)))).size === 1 ? own : [];
  };
  const mails = email === undefined ? [] : of((href) => addressOf(href) !== null);
  const calls = telephone === undefined ? [] : of((href) => diallingLink(href) !== null);
  return [
    ...mails.map((link): [Element, string] => [link, withAddress(target(link), email!)]),
    ...calls.flatMap((link): [Element, string][] => {
      const moved = withNumber(target(link), telephone!, countryOf(link));
      return moved === null ? [] : [[link, moved]];
    }),
  ];
}

const keyOf = (href: string) =>
  addressOf(href)?.toLowerCase() ?? digitsOf(diallingLink(href)!.number);

/** A link that dials another number. WhatsApp's needs the country's code. */
function withNumber(href: string, now: string, country?: string): string | null {
  const { head, number, rest } = diallingLink(href)!;
  const needsCode = /^http/i.test(head);
  const next = dialled(now, needsCode ? `+${number}` : number, country);
  if (!needsCode) return head + next + rest;
  return next.startsWith('+') ? head + next.slice(1) + rest : null;
}

type Moved = [old: string, now: string];

const between = /[\s"'<>()[\]{},;|]+/;
const mailboxesIn = (text: string) =>
  text.includes('@')
    ? text
        .split(between)
        .map((word) => word.replace(/[.:!?]{1,9}$/, ''))
        .filter(isMailbox)
    : [];

/**
 * Telephone numbers or addresses of a text, with those in their place: a link to one of them may
 * show other words.
 */
const movedIn =
  (find: (text: string) => string[]) =>
  ([was, is]: Moved): Moved[] => {
    const [old, now] = [find(was), find(is)];
    return old.length === now.length
      ? old.map((one, i): Moved => [one, now[i]!]).filter(([a, b]) => a !== b)
      : [];
  };

/** The texts that differ, each with what it was. */
function changedTexts(before: HtmlDocument, after: HtmlDocument): Moved[] {
  const old = known.get(before) ?? textsOf(before);
  known.set(before, old);
  const now = textsOf(after);
  if (old.length !== now.length) return [];
  return old.flatMap((text, i): Moved[] => (text === now[i] ? [] : [[text, now[i]!]]));
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
  const isShown = addressOf(href)?.toLowerCase() === old.toLowerCase();
  return isShown && isMailbox(now) ? withAddress(href, now) : undefined;
}

/** Where a link writes to now that wrote to one of the addresses. */
function readdressed(href: string, mailboxes: Moved[]): string | undefined {
  for (const [old, now] of mailboxes) {
    const moved = movedAddress(href, old, now);
    if (moved !== undefined) return moved;
  }
  return undefined;
}

const MAIL = /^(mailto:)([^?]*)(.*)/is;
const addressOf = (href: string) => MAIL.exec(href)?.[2] ?? null;
const withAddress = (href: string, now: string) =>
  href.replace(MAIL, (_, head: string, _old, rest: string) => head + now + rest);
