import { limits } from '../../../contract/task.ts';
import type { TemplateLink } from '../../../sites/formats/page.ts';
import { plainHostOf } from '../../../sites/pages/urlHosts.ts';
import { decode, hasHiddenReaders, parseReference } from '../../../sites/pages/urls.ts';
import { digitsOf, quoted } from '../../../text/text.ts';
import type { PageInput } from '../../page/pageInput.ts';
import type { Answer } from './answer.ts';
import type { Arranged } from './arranged.ts';

/**
 * The targets of links in an answer, by the links' ids, and what is wrong with them. Whether the
 * site has the pages is not known here.
 */
export function checkLinks(
  { links: given = [] }: Answer,
  { template: { links = [] }, item }: PageInput,
  { slots }: Pick<Arranged, 'slots'>,
): { links: Record<string, string>; problems: string[] } {
  const byId = new Map(links.map((link) => [link.id.replace('.href', ''), link]));
  const shown = new Set(slots.map(({ id }) => id));
  const targets: Record<string, string> = {};
  const problems: string[] = [];
  for (const { id, target } of given) {
    const link = byId.get(id.split('+', 1)[0]!);
    const problem =
      link && isShown(link, id, shown)
        ? Object.hasOwn(targets, id)
          ? 'stands twice among the links'
          : problemOf(target, item.context, links)
        : 'is no link of the new page';
    if (problem === undefined) targets[id] = target;
    else problems.push(`${quoted(id, 40)} ${problem}`);
  }
  return { links: targets, problems };
}

/** Whether the new page has a link, or its copy in a new member. */
function isShown({ id, slots }: TemplateLink, given: string, shown: ReadonlySet<string>): boolean {
  const mark = given.slice(id.length - '.href'.length);
  return slots.length === 0
    ? mark === ''
    : slots.some((slot) => shown.has(slot.replace(/^s\d+/, `$&${mark}`)));
}

/** An address out of the site must stand in the context, or be one of the template's. */
function problemOf(target: string, context: string, links: TemplateLink[]): string | undefined {
  if (target.length > limits.urlLength)
    return `leads to an address of more than ${limits.urlLength} characters`;
  const { scheme, authority, path } = parseReference(target);
  if (scheme === '' && authority === '') return undefined;
  if (links.some(({ href }) => href === target)) return undefined;
  if (hasHiddenReaders(target)) return 'leads to mail that somebody else gets too';
  return isGiven({ target, scheme, address: decode(path) }, context, links)
    ? undefined
    : `leads to ${quoted(target)}, which neither the context nor the template gives`;
}

interface Outside {
  target: string;
  scheme: string;
  address: string;
}

/** Digits of a telephone number that tell it from others, without the codes before it. */
const TELLING = 8;

function isGiven({ target, scheme, address }: Outside, context: string, links: TemplateLink[]) {
  if (/^https?:$/i.test(scheme)) {
    const host = plainHostOf(target);
    return (
      host !== undefined &&
      (hostsIn(context).has(host) || links.some(({ href }) => plainHostOf(href) === host))
    );
  }
  if (/^mailto:$/i.test(scheme))
    return address.split(',').every((one) => wordsOf(context).includes(one.trim().toLowerCase()));
  const digits = digitsOf(address);
  return (
    digits.length > 2 &&
    context.split('\n').some((line) => digitsOf(line).includes(digits.slice(-TELLING)))
  );
}

/** The words of a text, as addresses may stand in it: without quotes and punctuation around. */
const wordsOf = (text: string): string[] =>
  text
    .toLowerCase()
    .split(/[\s"'<>()[\]{},;|]+/)
    .map((word) => word.replace(/^[^\p{L}\p{N}]{1,20}|[.:!?]{1,20}$/gu, ''));

/** The hosts that a text names, with or without `https://`. */
const hostsIn = (text: string) =>
  new Set(
    wordsOf(text).flatMap((word) => {
      const host = plainHostOf(/^https?:/.test(word) ? word : `https://${word}`);
      return host === undefined ? [] : [host];
    }),
  );
