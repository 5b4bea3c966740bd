import { digitsOf, isMailbox } from '../../text/text.ts';
import type { ContactLinkTargets } from '../../contract/task.ts';
import { numberToDial, diallingLink, redialHref } from '../../text/dialling.ts';
import { telephonesIn } from '../../text/telephone.ts';

/** A `tel:` or `mailto:` link of a page whose texts changed. */
export interface ContactLink {
  href: string;
  /** The text that it shows, before and after the change. */
  before: string;
  after: string;
  /** ISO 3166-1 code of the country of a number without a country code. */
  country?: string | undefined;
  /** False for a link of the site's chrome, which all pages share. */
  isOwn: boolean;
}

export const isContactUrl = (href: string) => /^mailto:/i.test(href) || diallingLink(href) !== null;

/** How the texts of a new page differ from its template's, and the contacts of its context. */
interface NewPageContacts {
  changes: TextReplacement[];
  contacts: ContactLinkTargets;
}

/**
 * The new targets of links that show the telephone number or e-mail address they lead to: if the
 * text of a link to `tel:+15125550100` becomes `512-555-0199`, it leads to that number. Links that
 * show other words keep their targets, except on a new page. There, such a link leads to the number
 * that another text shows now in place of the link's old one. If no text showed one, and all such
 * links lead to one number, they lead to the number in `contacts`. The same holds for e-mail
 * addresses.
 * @returns a target for each link; undefined for one that keeps its own
 */
export function newContactTargets(
  links: ContactLink[],
  newPage?: NewPageContacts,
): (string | undefined)[] {
  const movedTo = new Map<string, string>();
  const targets = links.map(({ href, before, after, country }) => {
    if (before === after) return undefined;
    const newTarget = newContactTarget(href, [before, after], country);
    if (newTarget !== undefined && !movedTo.has(href)) movedTo.set(href, newTarget);
    return newTarget;
  });
  if (!newPage) return targets;
  const otherLinks = links.filter(({ isOwn }, i) => isOwn && targets[i] === undefined);
  const otherTargets = followOthers(otherLinks, { ...newPage, movedTo });
  return links.map((link, i) => targets[i] ?? otherTargets.get(link));
}

/** New targets for links on a new page that show other words than a number or an address. */
function followOthers(
  links: ContactLink[],
  {
    changes,
    movedTo,
    contacts: { email, telephone },
  }: NewPageContacts & { movedTo: Map<string, string> },
): Map<ContactLink, string | undefined> {
  const numbers = changes.flatMap(contactChanges(telephonesIn));
  const mailboxes = changes.flatMap(contactChanges(splitMailboxes));
  const resolvedLinks = new Map(
    links.map((link) => {
      const { href, country } = link;
      const newTarget =
        movedTo.get(href) ??
        firstResult(numbers, (number) => redialLink(href, number, country)) ??
        firstResult(mailboxes, (mailbox) => newMailTarget(href, mailbox));
      return [link, newTarget];
    }),
  );
  const remainingLinks = links.filter((link) => resolvedLinks.get(link) === undefined);
  /**
   * The remaining links of one kind, if no text showed such a contact and all lead to the same one;
   * else none.
   */
  const linksToReplace = (
    shownContacts: TextReplacement[],
    isOwnKind: (href: string) => boolean,
  ) => {
    const ownLinks = remainingLinks.filter(({ href }) => isOwnKind(href));
    const haveOneTarget = new Set(ownLinks.map(({ href }) => contactKey(href))).size === 1;
    return haveOneTarget && shownContacts.length === 0 && !movedTo.keys().some(isOwnKind)
      ? ownLinks
      : [];
  };
  const mailLinks =
    email === undefined ? [] : linksToReplace(mailboxes, (href) => mailboxOf(href) !== null);
  const phoneLinks =
    telephone === undefined ? [] : linksToReplace(numbers, (href) => diallingLink(href) !== null);
  for (const link of mailLinks) resolvedLinks.set(link, replaceMailbox(link.href, email!));
  for (const link of phoneLinks)
    resolvedLinks.set(link, replaceNumber(link.href, telephone!, link.country));
  return resolvedLinks;
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

/** A text before and after a change. */
export type TextReplacement = [old: string, now: string];

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
