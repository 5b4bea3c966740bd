import MagicString from 'magic-string';
import { remembered } from '../../../remembered.ts';
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

const contactLinks = ({ elements }: HtmlDocument) =>
  elements.filter(
    ({ tagName, attrs }) =>
      tagName === 'a' && attrs.some(({ name, value }) => name === 'href' && isContact(value)),
  );

const shown = (link: Element) => tidyLine(textOf(link));
const target = (link: Element) => attributeOf(link, 'href') ?? '';

/**
 * Updates `tel:` and `mailto:` links that show the telephone number or e-mail address they lead to:
 * they then lead to the one that they show now. Links that show other words keep their targets,
 * except on a new page.
 * @param before the page before its texts changed
 * @param after the source with the new texts
 * @param options.countryOf ISO 3166-1 code of the country of a link's new number, if it has no
 *   country code; unknown: the country of the old number
 * @param options.contacts given for a new page. There, links in the content that show other words
 *   change too. If another text showed a link's old number, the link leads to the number that this
 *   text shows now. If no text showed one, and all such links lead to one number, they lead to the
 *   number in `contacts`. The same holds for e-mail addresses
 */
export function followContacts(
  before: HtmlDocument,
  after: string,
  { countryOf = () => undefined, contacts }: { countryOf?: CountryOf; contacts?: Contacts } = {},
): string {
  const links = contactLinks(before);
  if (links.length === 0) return after;
  const page = parseDocument(after);
  const edit = new MagicString(page.source);
  const lead = (link: Element, moved: string) =>
    writeValue(edit, findValue(page, link, 'href')!, moved);
  const movedTo = new Map<string, string>();
  const others: Element[] = [];
  for (const [i, link] of contactLinks(page).entries()) {
    const old = links[i];
    if (!old || !findValue(page, link, 'href') || target(old) !== target(link)) continue;
    const moved =
      shown(old) === shown(link)
        ? undefined
        : movedTarget(target(link), [shown(old), shown(link)], countryOf(old));
    if (moved === undefined) others.push(link);
    else lead(link, moved);
    if (moved !== undefined && !movedTo.has(target(old))) movedTo.set(target(old), moved);
  }
  if (contacts) {
    const changes = changedTexts(before, page);
    const content = others.filter((link) => !landmarkOf(link));
    for (const [link, moved] of followOthers(content, { changes, movedTo, countryOf, contacts }))
      lead(link, moved);
  }
  return page.bom + edit.toString();
}

type CountryOf = (link: Element) => string | undefined;

/** New targets for links on a new page that show other words than a number or an address. */
function followOthers(
  links: Element[],
  {
    changes,
    movedTo,
    countryOf,
    contacts: { email, telephone },
  }: {
    changes: Moved[];
    movedTo: Map<string, string>;
    countryOf: CountryOf;
    contacts: Contacts;
  },
): [Element, string][] {
  const numbers = changes.flatMap(movedIn(telephonesIn));
  const mailboxes = changes.flatMap(movedIn(mailboxesIn));
  const known = links.map((link): [Element, string | undefined] => {
    const href = target(link);
    const moved =
      movedTo.get(href) ??
      firstOf(numbers, (number) => redialledAs(href, number, countryOf(link))) ??
      firstOf(mailboxes, (mailbox) => movedAddress(href, mailbox));
    return [link, moved];
  });
  const stay = known.filter(([, moved]) => moved === undefined).map(([link]) => link);
  /**
   * The remaining links of one kind, if no text showed such a contact and all lead to the same one;
   * else none.
   */
  const given = (shownOnes: Moved[], isOwn: (href: string) => boolean) => {
    const own = stay.filter((link) => isOwn(target(link)));
    const isOne = new Set(own.map((link) => keyOf(target(link)))).size === 1;
    return isOne && shownOnes.length === 0 && !movedTo.keys().some(isOwn) ? own : [];
  };
  const mails = email === undefined ? [] : given(mailboxes, (href) => addressOf(href) !== null);
  const calls =
    telephone === undefined ? [] : given(numbers, (href) => diallingLink(href) !== null);
  return [
    ...known,
    ...mails.map((link) => [link, withAddress(target(link), email!)] as const),
    ...calls.map((link) => [link, withNumber(target(link), telephone!, countryOf(link))] as const),
  ].flatMap(([link, moved]): [Element, string][] => (moved === undefined ? [] : [[link, moved]]));
}

const keyOf = (href: string) =>
  addressOf(href)?.toLowerCase() ?? digitsOf(diallingLink(href)!.number);

/** A link with another number; undefined for a WhatsApp link if the country code is unknown. */
function withNumber(href: string, now: string, country?: string): string | undefined {
  const { head, number, rest } = diallingLink(href)!;
  const needsCode = /^http/i.test(head);
  const next = dialled(now, needsCode ? `+${number}` : number, country);
  if (!needsCode) return head + next + rest;
  return next.startsWith('+') ? head + next.slice(1) + rest : undefined;
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

/** The telephone numbers or e-mail addresses that changed in a text. */
const movedIn =
  (find: (text: string) => string[]) =>
  ([was, is]: Moved): Moved[] => {
    const [old, now] = [find(was), find(is)];
    return old.length === now.length
      ? old.map((one, i): Moved => [one, now[i]!]).filter(([a, b]) => a !== b)
      : [];
  };

/** Pairs of the old and the new text, where they differ. */
function changedTexts(before: HtmlDocument, after: HtmlDocument): Moved[] {
  const old = remembered(known, before.elements, () => textsOf(before));
  const now = textsOf(after);
  if (old.length !== now.length) return [];
  return old.flatMap((text, i): Moved[] => (text === now[i] ? [] : [[text, now[i]!]]));
}

/** Cache of templates' texts, since a task makes several pages from one template. */
const known = new WeakMap<HtmlDocument['elements'], string[]>();

/** The text directly in each element, without nested elements. */
const textsOf = ({ elements }: HtmlDocument) => elements.map(childText);

/** A link to the old number, changed to the new one; undefined for another link. */
function redialledAs(href: string, [old, now]: Moved, country?: string): string | undefined {
  const link = diallingLink(href);
  return (link && redialled(link, old, now, country)) ?? undefined;
}

const movedTarget = (href: string, moved: Moved, country?: string): string | undefined =>
  diallingLink(href) ? redialledAs(href, moved, country) : movedAddress(href, moved);

function movedAddress(href: string, [old, now]: Moved): string | undefined {
  const isShown = addressOf(href)?.toLowerCase() === old.toLowerCase();
  return isShown && isMailbox(now) ? withAddress(href, now) : undefined;
}

function firstOf(all: Moved[], moved: (one: Moved) => string | undefined): string | undefined {
  return all
    .values()
    .map(moved)
    .find((found) => found !== undefined);
}

const MAIL = /^(mailto:)([^?]*)(.*)/is;
const addressOf = (href: string) => MAIL.exec(href)?.[2] ?? null;
const withAddress = (href: string, now: string) =>
  href.replace(MAIL, (_, head: string, _old, rest: string) => head + now + rest);
