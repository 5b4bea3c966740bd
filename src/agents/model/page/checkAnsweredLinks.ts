import { limits } from '../../../contract/task.ts';
import type { TemplateLink } from '../../../sites/formats/pageParts.ts';
import { plainHostOf } from '../../../sites/pages/urls/urlHosts.ts';
import { decodeUrlPart, hasHiddenReaders, parseReference } from '../../../sites/pages/urls/urls.ts';
import { digitsOf } from '../../../text/text.ts';
import type { PageInput } from '../../shared/page/pageInput.ts';
import type { ModelPageAnswer } from './answerForm.ts';
import { answerProblems } from './answerProblems.ts';
import type { ArrangedSlots } from './arrangeSlots.ts';

/**
 * Checks the targets of links in an answer. Whether the site has the pages is not checked here.
 * @returns the targets by the links' ids, and sentences on those that are wrong
 */
export function checkAnsweredLinks(
  { links: answeredLinks = [] }: ModelPageAnswer,
  { template: { links = [] }, item }: PageInput,
  { slots }: Pick<ArrangedSlots, 'slots'>,
): { links: Record<string, string>; problems: string[] } {
  const linksById = new Map(links.map((link) => [link.id.replace('.href', ''), link]));
  const shownIds = new Set(slots.map(({ id }) => id));
  const targets: Record<string, string> = {};
  const problems: string[] = [];
  for (const { id, target } of answeredLinks) {
    const link = linksById.get(id.split('+', 1)[0]!);
    const problem =
      link && isLinkShown(link, id, shownIds)
        ? Object.hasOwn(targets, id)
          ? answerProblems.repeatedLink(id)
          : findLinkProblem({ id, target }, item.context, links)
        : answerProblems.unknownLink(id);
    if (problem === undefined) targets[id] = target;
    else problems.push(problem);
  }
  return { links: targets, problems };
}

/** Whether the new page has a link, or its copy in a new member. */
function isLinkShown(
  { id, slots }: TemplateLink,
  answeredId: string,
  shown: ReadonlySet<string>,
): boolean {
  const mark = answeredId.slice(id.length - '.href'.length);
  return slots.length === 0
    ? mark === ''
    : slots.some((slot) => shown.has(slot.replace(/^s\d+/, `$&${mark}`)));
}

/**
 * Why a link can't have a target; undefined if it can. A target outside of the site must be in the
 * context, or be that of a link of the template.
 */
function findLinkProblem(
  { id, target }: { id: string; target: string },
  context: string,
  links: TemplateLink[],
): string | undefined {
  if (target.length > limits.urlLength) return answerProblems.longLink(id);
  const { scheme, authority, path } = parseReference(target);
  if (scheme === '' && authority === '') return undefined;
  if (links.some(({ href }) => href === target)) return undefined;
  if (hasHiddenReaders(target)) return answerProblems.hiddenRecipients(id);
  return isGivenTarget({ target, scheme, address: decodeUrlPart(path) }, context, links)
    ? undefined
    : answerProblems.inventedLink(id, target);
}

interface ExternalTarget {
  target: string;
  scheme: string;
  address: string;
}

/**
 * How many digits at the end of a telephone number distinguish it from others. The codes before
 * them may be written in different ways.
 */
const DISTINCTIVE_DIGITS = 8;

function isGivenTarget(
  { target, scheme, address }: ExternalTarget,
  context: string,
  links: TemplateLink[],
) {
  if (/^https?:$/i.test(scheme)) {
    const host = plainHostOf(target);
    return (
      host !== undefined &&
      (findNamedHosts(context).has(host) || links.some(({ href }) => plainHostOf(href) === host))
    );
  }
  if (/^mailto:$/i.test(scheme))
    return address
      .split(',')
      .every((recipient) => splitAddressWords(context).includes(recipient.trim().toLowerCase()));
  const digits = digitsOf(address);
  return (
    digits.length > 2 &&
    context.split('\n').some((line) => digitsOf(line).includes(digits.slice(-DISTINCTIVE_DIGITS)))
  );
}

/** The words of a text without quotes and punctuation around them, for finding addresses. */
const splitAddressWords = (text: string): string[] =>
  text
    .toLowerCase()
    .split(/[\s"'<>()[\]{},;|]+/)
    .map((word) => word.replace(/^[^\p{L}\p{N}]{1,20}|[.:!?]{1,20}$/gu, ''));

/** The hosts that a text names, with or without `https://`. */
const findNamedHosts = (text: string) =>
  new Set(
    splitAddressWords(text).flatMap((word) => {
      const host = plainHostOf(/^https?:/.test(word) ? word : `https://${word}`);
      return host === undefined ? [] : [host];
    }),
  );
