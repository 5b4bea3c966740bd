import { DomainError } from '../../../errors.ts';
import { quoted } from '../../../text/text.ts';
import { wordSet } from '../../../text/wordLists.ts';
import type { NameListing } from '../../tools/listNames.ts';
import { fold } from '../../text/fold.ts';
import { upperFirst } from '../../text/letterCase.ts';
import { isKnown, verbs } from './language/synonyms.ts';
import { table } from './table.ts';
import { unreadPart } from './unreadPart.ts';

/** Where all instructions are listed, if no service shows the list. */
const LIST = 'docs/prompts.md';
const LONGEST = 120;
const FIXED = 'This assistant follows fixed wordings.';

/** A part of a prompt that is not understood, and the problem with it. */
export interface Refused {
  refused: string;
  which: string;
  /** The part exactly as the prompt has it. */
  part?: string;
  /** How to correct the part. Absent if its wording is the problem. */
  mend?: string;
}

export interface Site {
  pages: { slug: string; title: string }[];
  names: NameListing;
  /** URL of the list of all instructions. */
  list?: string;
}

/** Words for requests that only a language model can carry out. */
const NEEDS_MODEL =
  /\b(?:translat\w*|rewrit\w*|rephras\w*|reword\w*|summari[sz]\w*|improv\w*|shorten|lengthen|polish|proofread\w*|write|writing|compose|invent|suggest|brainstorm|redesign|restyle|optimi[sz]e|friendl\w+|catchier|punchier|clearer|nicer|better|funn\w+|professional|blog post|poem|article|slogan|colou?rs?|fonts?|joke)\b/i;

/** An instruction without its quoted texts, which do not tell what is wanted. */
const unquoted = (text: string) => text.replace(/"[^"]*"/g, ' ');

/** Whether the site's names may help to understand the refused part. */
export const mayNeedNames = ({ refused }: Refused): boolean =>
  !NEEDS_MODEL.test(unquoted(refused)) &&
  refused
    .toLowerCase()
    .split(/\s+/)
    .some((word) => verbs.has(word));

/**
 * The error for a prompt that is not understood. It proposes the nearest instruction for this site.
 */
export function notUnderstood(part: Refused, site: Site): DomainError {
  const help = part.mend ?? `${FIXED} Did you mean: ${closest(part.refused, site)}`;
  return new DomainError(
    'NOT_UNDERSTOOD',
    `Nothing was changed: ${saidOf(part)}. ${help.endsWith('?') ? help : `${help}.`} All instructions: ${site.list ?? LIST}`,
  );
}

/** The same message without a proposal, for a check before the task is created. */
export const refusalOf = (part: Refused): string =>
  `${upperFirst(saidOf(part))}. ${(part.mend ?? FIXED).replace(/\.$/, '')}.`;

function saidOf({ refused, which, mend }: Refused): string {
  if (refused === '') return which;
  const unread = mend === undefined ? unreadPart(refused) : undefined;
  const end =
    unread === undefined ? '' : ` (no wording has a place for ${quoted(unread, LONGEST)})`;
  return `${which}: ${quoted(refused, LONGEST)}${end}`;
}

/** The words of an instruction in the singular, except quoted texts, slugs and file names. */
const wordsOf = (text: string) =>
  new Set(
    fold(unquoted(text))
      .split(/\s+/)
      .filter((word) => !/[/.]./.test(word))
      .flatMap((word) => word.split(/[^\p{L}]+/u))
      .map((word) => (word.length > 3 && word.endsWith('s') ? word.slice(0, -1) : word))
      .filter((word) => word.length > 1),
  );

const hints = Object.values(table).map(({ hint, wordings }) => ({
  hint,
  words: wordings.map(([, example]) => wordsOf(example)),
}));
/** Weight of a word that tells what is wanted. Common words weigh 1. */
const NEAR = 4;
/** Words that hardly tell what is wanted. */
const COMMON = wordSet(`
  the to of on in and with for it change set make page all by from our add put new now is are be this
  that should say not want`);

/** Words of the site's titles and slugs. They do not tell what is wanted. */
const siteWordsOf = ({ pages }: Site) =>
  new Set(
    pages.flatMap(({ slug, title }) => [...wordsOf(slug.replaceAll('/', ' ')), ...wordsOf(title)]),
  );

/** Hints for the nearest instructions, the nearest first. */
export function nearestHints(refused: string, site: Site): string[] {
  const siteWords = siteWordsOf(site);
  const own = new Set(
    [...wordsOf(refused)].filter((word) => isKnown(word) || !siteWords.has(word)),
  );
  const weight = (word: string) => (COMMON.has(word) ? 1 : NEAR);
  const score = (words: Set<string>) =>
    [...own.intersection(words)].reduce((sum, word) => sum + weight(word), 0);
  const share = (words: Set<string>) => own.intersection(words).size / own.union(words).size;
  const scored = hints.flatMap(({ hint, words }) =>
    words.map((all) => ({ hint, score: score(all), share: share(all) })),
  );
  // without a common word, all instructions are equally far: a simple one is the best example
  const isNear = [...own].some(
    (word) => !COMMON.has(word) && hints.some(({ words }) => words.some((all) => all.has(word))),
  );
  if (!isNear) return [table['headline']!.hint];
  const nearest = scored.sort((a, b) => b.score - a.score || b.share - a.share);
  const isClose = (one: { score: number }) =>
    one.score >= NEAR && one.score * 2 > nearest[0]!.score;
  return [...new Set(nearest.filter(isClose).map(({ hint }) => hint))];
}

function closest(refused: string, site: Site): string {
  const hint = filled(nearestHints(refused, site)[0]!, refused, site).text;
  const inQuotes = hint.includes('"') && !refused.includes('"') ? '? Put its texts in quotes' : '?';
  return hint + inQuotes;
}

/** A hint that was filled with names of the site. */
interface Filled {
  text: string;
  /** Whether all of these names occur in the prompt. */
  isNamed: boolean;
}

/** Fills a hint with names of the site. Prefers names that occur in the prompt. */
export function filled(hint: string, refused: string, { pages, names }: Site): Filled {
  const own = ` ${fold(refused)} `;
  const nameOf = ({ slug, title }: Site['pages'][number]) => [
    slug,
    slug.split('/').at(-1)!,
    title.split(/ [|–—-] |: /)[0]!,
  ];
  const isNamed = (page: Site['pages'][number]) =>
    nameOf(page).some((name) => name.length > 1 && own.includes(` ${fold(name)} `));
  const known = pages.find(isNamed)?.slug;
  const page = known ?? '/';
  let areNamed = known !== undefined || !hint.includes('{page}');
  const nameFor = (kind: string) => {
    const all = names.filter((name) => name.kind === kind);
    const here = all.filter(({ slug }) => slug === page);
    const said = all.find(({ text }) => own.includes(fold(text)));
    areNamed &&= said !== undefined;
    return (said ?? here[0] ?? all.find(({ slug }) => slug === '/') ?? all[0])?.text;
  };
  const text = hint
    .replace('{page}', page)
    .replace(/\{(\w+)\}/g, (_, kind: string) => quoted(nameFor(kind) ?? '…'));
  return { text, isNamed: areNamed };
}
