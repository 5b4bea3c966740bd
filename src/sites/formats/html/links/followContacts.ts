import MagicString from 'magic-string';
import { getOrCreate } from '../../../remembered.ts';
import { findValue, writeValue } from '../writeAttributes.ts';
import {
  attributeOf,
  childText,
  parseDocument,
  textContentOf,
  type PageElement,
  type HtmlDocument,
} from '../document.ts';
import { landmarkOf } from '../roles.ts';
import { validHtmlLine } from '../escape.ts';
import { digitsOf, isMailbox } from '../../../../text/text.ts';
import type { ContactLinkTargets } from '../../../../contract/task.ts';
import { numberToDial, diallingLink, redialHref } from '../../../../text/dialling.ts';
import { telephonesIn } from '../../../../text/telephone.ts';

const isContact = (href: string) => /^mailto:/i.test(href) || diallingLink(href) !== null;

const contactLinks = ({ elements }: HtmlDocument) =>
  elements.filter(
    ({ tagName, attrs }) =>
      tagName === 'a' && attrs.some(({ name, value }) => name === 'href' && isContact(value)),
  );

const shownText = (link: PageElement) => validHtmlLine(textContentOf(link));
const hrefOf = (link: PageElement) => attributeOf(link, 'href') ?? '';

/**
 * Updates `tel:` and `mailto:` links that show the telephone number or e-mail address they lead to:
 * if the text of `<a href="tel:+15125550100">512-555-0100</a>` becomes `512-555-0199`, the link
 * leads to that number. Links that show other words keep their targets, except on a new page.
 * @param oldPage the page before its texts changed
 * @param newSource the source with the new texts
 * @param options.countryOf ISO 3166-1 code of the country of a link's new number, if it has no
 *   country code; unknown: the country of the old number
 * @param options.contacts given for a new page. There, links in the content that show other words
 *   (`Call us`) change too. If another text showed a link's old number, the link leads to the
 *   number that this text shows now. If no text showed one, and all such links lead to one number,
 *   they lead to the number in `contacts`. The same holds for e-mail addresses
 */
export function followContacts(
  oldPage: HtmlDocument,
  newSource: string,
  {
    countryOf = () => undefined,
    contacts,
  }: { countryOf?: CountryResolver; contacts?: ContactLinkTargets } = {},
): string {
  const links = contactLinks(oldPage);
  if (links.length === 0) return newSource;
  const page = parseDocument(newSource);
  const sourceEditor = new MagicString(page.source);
  const setTarget = (link: PageElement, newTarget: string) =>
    writeValue(sourceEditor, findValue(page, link, 'href')!, newTarget);
  const movedTo = new Map<string, string>();
  const unchangedLinks: PageElement[] = [];
  for (const [i, link] of contactLinks(page).entries()) {
    const oldLink = links[i];
    if (!oldLink || !findValue(page, link, 'href') || hrefOf(oldLink) !== hrefOf(link)) continue;
    const newTarget =
      shownText(oldLink) === shownText(link)
        ? undefined
        : newContactTarget(hrefOf(link), [shownText(oldLink), shownText(link)], countryOf(oldLink));
    if (newTarget === undefined) unchangedLinks.push(link);
    else setTarget(link, newTarget);
    if (newTarget !== undefined && !movedTo.has(hrefOf(oldLink)))
      movedTo.set(hrefOf(oldLink), newTarget);
  }
  if (contacts) {
    const changes = changedTexts(oldPage, page);
    const contentLinks = unchangedLinks.filter((link) => !landmarkOf(link));
    for (const [link, newTarget] of followOthers(contentLinks, {
      changes,
      movedTo,
      countryOf,
      contacts,
    }))
      setTarget(link, newTarget);
  }
  return page.bom + sourceEditor.toString();
}

type CountryResolver = (link: PageElement) => string | undefined;

/** New targets for links on a new page that show other words than a number or an address. */
function followOthers(
  links: PageElement[],
  {
    changes,
    movedTo,
    countryOf,
    contacts: { email, telephone },
  }: {
    changes: TextReplacement[];
    movedTo: Map<string, string>;
    countryOf: CountryResolver;
    contacts: ContactLinkTargets;
  },
): [PageElement, string][] {
  const numbers = changes.flatMap(contactChanges(telephonesIn));
  const mailboxes = changes.flatMap(contactChanges(splitMailboxes));
  const resolvedLinks = links.map((link): [PageElement, string | undefined] => {
    const href = hrefOf(link);
    const newTarget =
      movedTo.get(href) ??
      firstResult(numbers, (number) => redialLink(href, number, countryOf(link))) ??
      firstResult(mailboxes, (mailbox) => newMailTarget(href, mailbox));
    return [link, newTarget];
  });
  const remainingLinks = resolvedLinks
    .filter(([, newTarget]) => newTarget === undefined)
    .map(([link]) => link);
  /**
   * The remaining links of one kind, if no text showed such a contact and all lead to the same one;
   * else none.
   */
  const linksToReplace = (
    shownContacts: TextReplacement[],
    isOwnKind: (href: string) => boolean,
  ) => {
    const ownLinks = remainingLinks.filter((link) => isOwnKind(hrefOf(link)));
    const haveOneTarget = new Set(ownLinks.map((link) => contactKey(hrefOf(link)))).size === 1;
    return haveOneTarget && shownContacts.length === 0 && !movedTo.keys().some(isOwnKind)
      ? ownLinks
      : [];
  };
  const mailLinks =
    email === undefined ? [] : linksToReplace(mailboxes, (href) => mailboxOf(href) !== null);
  const phoneLinks =
    telephone === undefined ? [] : linksToReplace(numbers, (href) => diallingLink(href) !== null);
  return [
    ...resolvedLinks,
    ...mailLinks.map((link) => [link, replaceMailbox(hrefOf(link), email!)] as const),
    ...phoneLinks.map(
      (link) => [link, replaceNumber(hrefOf(link), telephone!, countryOf(link))] as const,
    ),
  ].flatMap(([link, newTarget]): [PageElement, string][] =>
    newTarget === undefined ? [] : [[link, newTarget]],
  );
}

const contactKey = (href: string) =>
  mailboxOf(href)?.toLowerCase() ?? digitsOf(diallingLink(href)!.number);

/** A link with another number; undefined for a WhatsApp link if the country code is unknown. */
function replaceNumber(href: string, newNumber: string, country?: string): string | undefined {
  const { head, number, rest } = diallingLink(href)!;
  const needsCode = /^http/i.test(head);
  const dialledNumber = numberToDial(newNumber, needsCode ? `+${number}` : number, country);
  if (!needsCode) return head + dialledNumber + rest;
  return dialledNumber.startsWith('+') ? head + dialledNumber.slice(1) + rest : undefined;
}

type TextReplacement = [old: string, now: string];

const contactBreaks = /[\s"'<>()[\]{},;|]+/;
const splitMailboxes = (text: string) =>
  text.includes('@')
    ? text
        .split(contactBreaks)
        .map((word) => word.replace(/[.:!?]{1,9}$/, ''))
        .filter(isMailbox)
    : [];

/** The telephone numbers or e-mail addresses that changed in a text. */
const contactChanges =
  (findContacts: (text: string) => string[]) =>
  ([oldText, newText]: TextReplacement): TextReplacement[] => {
    const [oldContacts, newContacts] = [findContacts(oldText), findContacts(newText)];
    return oldContacts.length === newContacts.length
      ? oldContacts
          .map((oldContact, i): TextReplacement => [oldContact, newContacts[i]!])
          .filter(([before, after]) => before !== after)
      : [];
  };

/** Pairs of the old and the new text, where they differ. */
function changedTexts(oldPage: HtmlDocument, newPage: HtmlDocument): TextReplacement[] {
  const oldTexts = getOrCreate(cachedTexts, oldPage.elements, () => elementTexts(oldPage));
  const newTexts = elementTexts(newPage);
  if (oldTexts.length !== newTexts.length) return [];
  return oldTexts.flatMap((text, i): TextReplacement[] =>
    text === newTexts[i] ? [] : [[text, newTexts[i]!]],
  );
}

/** Cache of templates' texts, since a task makes several pages from one template. */
const cachedTexts = new WeakMap<HtmlDocument['elements'], string[]>();

/** The text directly in each element, without nested elements. */
const elementTexts = ({ elements }: HtmlDocument) => elements.map(childText);

/** A link to the old number, changed to the new one; undefined for another link. */
function redialLink(
  href: string,
  [oldNumber, newNumber]: TextReplacement,
  country?: string,
): string | undefined {
  const link = diallingLink(href);
  return (link && redialHref(link, oldNumber, newNumber, country)) ?? undefined;
}

const newContactTarget = (
  href: string,
  change: TextReplacement,
  country?: string,
): string | undefined =>
  diallingLink(href) ? redialLink(href, change, country) : newMailTarget(href, change);

function newMailTarget(
  href: string,
  [oldMailbox, newMailbox]: TextReplacement,
): string | undefined {
  const isShown = mailboxOf(href)?.toLowerCase() === oldMailbox.toLowerCase();
  return isShown && isMailbox(newMailbox) ? replaceMailbox(href, newMailbox) : undefined;
}

function firstResult(
  changes: TextReplacement[],
  resolve: (change: TextReplacement) => string | undefined,
): string | undefined {
  return changes
    .values()
    .map(resolve)
    .find((result) => result !== undefined);
}

const MAIL = /^(mailto:)([^?]*)(.*)/is;
const mailboxOf = (href: string) => MAIL.exec(href)?.[2] ?? null;
const replaceMailbox = (href: string, newMailbox: string) =>
  href.replace(MAIL, (_, head: string, _old, rest: string) => head + newMailbox + rest);
