import { defined } from '../../../../contract/defined.ts';
import type { Instruction, PageName } from '../instructions.ts';
import { PAGE, PAGES, placed, quote, TO, type Match, type Rule } from './phrases.ts';

type Link = Extract<Instruction, { kind: 'link' }>;

const TARGET = '(?:target|url|href|address|destination|link)';
const WORDS = '(?:text|label|wording|words)';
/** Quoted, a path or address, or a page by its name. */
const place = (name: string) =>
  `(?:${quote(name)}|(?<${name}Page>(?:the |our )?(?:home ?page|[^\\uE000\\uE001]+? page))|(?<${name}Plain>(?:/|#|[a-z][a-z0-9+.-]*:)[^\\s\\uE000\\uE001]*))`;

const ELEMENT = `(?:(?<element>link|button)(?: (?:called|labell?ed|named|saying|that says|with the text))? ${quote('now')}|${quote('now')} (?<element>link|button))`;
const FROM = ` (?:from|that (?:leads|links|points|goes) to|(?:leading|linking|pointing|going) to) ${place('old')}`;
const LEADS = `(?:${TO}|(?: to| so that it)? (?:leads?|points?|goes?|links?) to )`;
const AND_LEADS = `(?: and (?:(?:its|the) ${TARGET} to|(?:link|point) it (?:to|at))|,? (?:leading|linking|pointing|going) to)`;
const DEST = `${place('to')}(?:${AND_LEADS} ${place('target')})?`;

const looksLikeTarget = (text: string) => /^(?:[/#]\S*|[a-z][a-z0-9+.-]*:\S+)$/i.test(text);

/** Where a link is to lead: undefined where the group says nothing of it, null where it names no page. */
function targetIn(match: Match, name: string): string | PageName | null | undefined {
  const page = match.page(`${name}Page`);
  return page === undefined ? (match.text(name) ?? match.groups[`${name}Plain`]) : page;
}

const readLink: Rule['read'] = (match) => {
  const { what, element } = match.groups;
  const [pages, to, target, old] = [
    match.scope(),
    targetIn(match, 'to')!,
    targetIn(match, 'target'),
    targetIn(match, 'old'),
  ];
  if (pages === null || to === null || target === null || old === null) return null;
  const isText = match.text('to') !== undefined && (what ? isWords(what) : !looksLikeTarget(match.text('to')!));
  if ((what && isWords(what) && !isText) || (target !== undefined && !isText)) return null;
  const leadsTo = isText ? target : to;
  return {
    kind: 'link',
    element: element?.toLowerCase() === 'button' ? 'button' : 'link',
    now: match.text('now')!,
    ...defined({ old, target: leadsTo }),
    ...(isText && { text: match.text('to')! }),
    pages: pages ?? null,
  } satisfies Link;
};

const isWords = (what: string) => new RegExp(`^${WORDS}$`, 'i').test(what);

const readAlt: Rule['read'] = (match) => {
  const page = match.page();
  const image = match.text('image') ?? match.groups['file']!;
  return page === null ? null : { kind: 'alt', image, text: match.text('text')!, page: page ?? null };
};

const ALT = '(?:alt(?:ernative)?(?:[- ]?text)?|image alt(?:[- ]text)?|description|image (?:text|description))';
const IMAGE = `(?:${quote('image')}|(?<file>[^\\s\\uE000\\uE001]+\\.(?:png|jpe?g|gif|svg|webp|avif|ico)))`;
const KIND = '(?:(?:the )?(?:image|picture|photo|drawing|logo|icon) )';
const CHANGE = '(?:change|set|update|make|edit|rewrite|rename|point)';

const LINK = `${CHANGE} (?:the )?(?:(?<what>${TARGET}|${WORDS}) (?:of|on|for|behind) (?:the )?)?${ELEMENT}`;

export const linkRules: Rule[] = [
  ...placed(readLink, PAGES, LINK, `(?:${FROM})?${LEADS}${DEST}`),
  ...placed(readLink, PAGES, LINK + FROM, LEADS + DEST),
  ...placed(readLink, PAGES, `(?:link|point) (?:the )?(?:${ELEMENT}|${quote('now')})`, ` (?:to|at) ${place('to')}`),
  ...placed(readAlt, PAGE, `${CHANGE} (?:the )?${ALT} (?:of|for|on) ${KIND}?${IMAGE}`, `${TO}${quote('text')}`),
  ...placed(readAlt, PAGE, `${CHANGE} (?:the )?${ALT} ${IMAGE}`, `${TO}${quote('text')}`),
  ...placed(readAlt, PAGE, `${CHANGE} ${KIND}${IMAGE}(?:['’]s)? ${ALT}`, `${TO}${quote('text')}`),
];
