import type { Proposed } from '../../../port.ts';
import { fold, foldWords } from '../../../text/fold.ts';
import type { NameListing } from '../../../tools/listNames.ts';
import { closest } from '../../../tools/model/closestNames.ts';
import { synonyms } from '../language/synonyms.ts';
import { textOf, type Token } from '../language/tokens.ts';
import type { FoundValues, Site } from './foundValues.ts';
import type { Template } from './templates.ts';
import { isRemoval, type Thing, type Wish } from './vocabulary.ts';

type Name = NameListing[number];

/** A refused part of a prompt, as suggestions see it. */
export interface Refusal {
  tokens: Token[];
  wish: Wish;
  values: FoundValues;
  /** Names that the part may mean. */
  likes: Name[];
  site: Site;
}

export interface Filled extends Proposed {
  /** How well it fits the part. */
  score: number;
  /** Names and texts that it holds. */
  used: string[];
}

const MOST_PAGES = 3;

/** What a hole shows if its value is missing, and a sample to try the instruction with. */
const BLANKS: Record<string, Proposed> = {
  text: { text: '"…"', tried: '"Words of your own"' },
  subject: { text: '"…"', tried: '"Words of your own"' },
  old: { text: '"…"', tried: '"Words of your own"' },
  texts: { text: '"…", "…"', tried: '"Words of your own", "Words"' },
  slug: { text: '/…', tried: '/a-page-of-your-own' },
  telephone: { text: '…', tried: '+1 303 555 0177' },
  email: { text: '…', tried: 'hello@example.com' },
  amount: { text: '…', tried: '$1,000' },
  percent: { text: '…', tried: '5' },
  year: { text: '…', tried: '2031' },
  days: { text: '…', tried: 'Friday' },
  hours: { text: '…', tried: '9 to 5' },
};
const NAMES: Record<string, Name['kind'][]> = {
  heading: ['heading'],
  item: ['item'],
  entry: ['entry'],
  button: ['button'],
  link: ['link', 'entry'],
};

/** An instruction that is being filled. */
interface Draft extends Filled {
  targets: string[];
  /** Pages that have all of its names. undefined if it holds no name. */
  slugs?: string[];
}

const MATCHES = { thing: 4, inferred: 2, action: 2, value: 1.5, blank: -1, place: 1, near: 0.5 };

/** Fills an instruction's holes. One for each page that may be meant; none if a name is missing. */
export function fillings(template: Template, refusal: Refusal): Filled[] {
  const fit = fitOf(template, refusal);
  if (fit === null) return [];
  let draft: Draft | null = {
    text: template.text,
    tried: template.text,
    ...(template.mayAsk && { mayAsk: true }),
    score: fit + (refusal.wish.action === undefined ? 0 : MATCHES.action),
    used: [],
    targets: [],
  };
  for (const [hole, kind] of template.text.matchAll(/\{(\w+)\}/g))
    if (kind !== 'page') draft = draft && filledIn(draft, hole, { template, refusal });
  return draft ? placed(draft, template, refusal) : [];
}

/** How well an instruction fits what a part is about. null if it does not. */
function fitOf(template: Template, refusal: Refusal): number | null {
  const { things, actions } = template;
  const { wish, values } = refusal;
  const names = values.names.length > 0 ? values.names : refusal.likes;
  const own = [...wish.things].filter((thing) => thing !== 'page' || wish.things.size === 1);
  if (actions.includes('remove') && things.includes('page'))
    return isOnlyPage(refusal) ? MATCHES.thing : null;
  if (things.includes('page') && !mayBePage(template, refusal)) return null;
  if (things.some((thing) => own.includes(thing))) return MATCHES.thing;
  if (actions.includes('remove') && things.includes('entry')) return null;
  const isMoved = actions.includes('move') && names.some(({ kind }) => kind === 'heading');
  const isVague = isMoved || own.every((thing) => thing === 'section' || thing === 'page');
  const named = inferred({ ...values, names });
  if (isVague && things.some((thing) => named.has(thing))) return MATCHES.inferred;
  if (!isVague || things.length > 0) return null;
  if (values.oldTexts.length > 0 && values.texts.length > 0) return MATCHES.thing;
  return values.texts.length > 1 ? MATCHES.inferred : null;
}

/** Whether a part may be about a whole page that is copied or moved. */
const mayBePage = ({ actions }: Template, { wish: { action }, values }: Refusal) =>
  (action !== undefined && action !== 'change' && actions.includes(action)) ||
  (values.newSlugs.length > 0 && actions.includes('move'));

/** What the values in a part may be about. */
function inferred({ names, pages, ...values }: FoundValues): Set<Thing> {
  const things = new Set<Thing>();
  const places = new Set(pages.flatMap((slug) => foldWords(slug).split(' ')));
  for (const { kind, text } of names.filter((name) => !places.has(foldWords(name.text))))
    things.add(
      kind === 'heading' ? 'section' : kind === 'item' && text.endsWith('?') ? 'question' : kind,
    );
  if (values.amounts.length > 0 || values.percents.length > 0) things.add('price');
  if (values.telephones.length > 0) things.add('telephone');
  if (values.emails.length > 0) things.add('email');
  if (values.days.length > 0) things.add('hours');
  if (names.length === 0 && pages.length > 0) things.add('page');
  return things;
}

/** Words that may stand beside the page that is to be deleted. */
const BESIDE =
  /^(?:please|kindly|the|our|my|this|old|whole|entire|page|pages|site|website|completely|entirely|now|and|all|links?|to|it|for|good|bitte|die|der|das|alte|seite|komplett|ganz|und|of|get|rid|we|want|you|can|could|i|would|like|need|take|down|off|plz|pls|thx|thanks|asap|immediately|today)$/;
const isWordOf = (slug: string, word: string) =>
  fold(slug)
    .split(/[^\p{L}\p{N}]+/u)
    .includes(word);

/** Whether a part names a page to remove, and nothing else. */
function isOnlyPage({ tokens, values }: Refusal): boolean {
  const [slug] = values.pages;
  if (slug === undefined || slug === '/' || values.pages.length > 1) return false;
  return tokens.every(({ kind, text }) => {
    const word = fold(text);
    if (kind === 'quote') return false;
    return kind !== 'word' || BESIDE.test(word) || isWordOf(slug, word) || isRemoval(word);
  });
}

type Filling = { template: Template; refusal: Refusal };

/** Fills one hole. null if a name or page is missing that can't be left blank. */
function filledIn(draft: Draft, hole: string, filling: Filling): Draft | null {
  const kind = hole.slice(1, -1);
  const { tokens, values } = filling.refusal;
  if (kind in NAMES) return withName(draft, hole, filling);
  switch (kind) {
    case 'noun':
      return put(draft, hole, nounIn(tokens));
    case 'end': {
      const [end] = /\b(?:top|bottom)\b/.exec(fold(textOf(tokens))) ?? [];
      return end === undefined ? null : valued(put(draft, hole, end));
    }
    case 'target':
      return withTarget(draft, hole, filling);
    case 'old':
    case 'text':
      return withText(draft, hole, values);
    case 'texts':
      return withTexts(draft, hole, values);
    default:
      return withFact(draft, hole, filling);
  }
}

const FACTS: Record<string, keyof FoundValues> = {
  slug: 'newSlugs',
  telephone: 'telephones',
  email: 'emails',
  amount: 'amounts',
  percent: 'percents',
  year: 'years',
  days: 'days',
  hours: 'hours',
  file: 'files',
  subject: 'subjects',
};

function withFact(draft: Draft, hole: string, { template, refusal }: Filling): Draft | null {
  const kind = hole.slice(1, -1);
  const all = refusal.values[FACTS[kind]!] as string[];
  const wanted = template.text.split(hole).length - 1;
  const left = all.filter((one) => !draft.used.includes(one));
  const value = kind === 'amount' || kind === 'year' ? left.at(-1) : left[0];
  if (value === undefined) return wanted === 1 && kind in BLANKS ? blank(draft, hole) : null;
  if (all.length < wanted) return null;
  const shown = kind === 'subject' ? quote(value) : value;
  return valued({ ...put(draft, hole, shown), used: [...draft.used, value] });
}

/** Fills in a new text, or, for `{old}`, the text that it replaces. */
function withText(draft: Draft, hole: string, { texts, newTexts, oldTexts }: FoundValues): Draft {
  const isOld = hole === '{old}';
  const isFree = (one: string) => !draft.used.includes(fold(one));
  const own = isOld ? [...oldTexts, ...texts.filter((one) => !newTexts.includes(one))] : newTexts;
  const text = own.find(isFree) ?? texts.find(isFree);
  if (text === undefined) return blank(draft, hole);
  return valued({ ...put(draft, hole, quote(text)), used: [...draft.used, fold(text)] });
}

/** Fills in all texts that are left. */
function withTexts(draft: Draft, hole: string, { texts }: FoundValues): Draft {
  const left = texts.filter((one) => !draft.used.includes(fold(one)));
  return left.length === 0
    ? blank(draft, hole)
    : valued({
        ...put(draft, hole, left.map(quote).join(', ')),
        used: [...draft.used, ...left.map(fold)],
      });
}

function withTarget(draft: Draft, hole: string, { template, refusal }: Filling): Draft | null {
  const isLink = template.actions.includes('change');
  if (isLink && refusal.values.newTexts.length > 0) return null;
  const slugs = pagesIn(template, refusal).filter((slug) => !draft.targets.includes(slug));
  const slug = isLink ? slugs.at(-1) : slugs[0];
  return slug === undefined
    ? null
    : valued({ ...put(draft, hole, slug), targets: [...draft.targets, slug] });
}

/** Fills in a name: one that the part has, one that it may mean, or an example of the site. */
function withName(draft: Draft, hole: string, { template, refusal }: Filling): Draft | null {
  const kinds = NAMES[hole.slice(1, -1)]!;
  const { values, likes, site } = refusal;
  const pages = pagesIn(template, refusal);
  const isFree = ({ kind, text, slugs }: Name) =>
    kinds.includes(kind) &&
    !draft.used.includes(fold(text)) &&
    (draft.slugs === undefined || slugs.some((slug) => draft.slugs!.includes(slug)));
  const near = [...values.names.filter(isFree), ...likes.filter(isFree)];
  const isHere = ({ slugs }: Name) =>
    slugs.some((slug) => pages.includes(slug) && !draft.targets.includes(slug));
  const name = near.find(isHere) ?? near[0];
  if (name) return valued(holding(draft, hole, name));
  const isUnused = (text: string) => !draft.used.includes(fold(text));
  const said = [...values.texts, ...values.capitals].find(
    (text) => isUnused(text) && !values.newTexts.includes(text),
  );
  if (said !== undefined)
    return valued({ ...put(draft, hole, quote(said)), used: [...draft.used, fold(said)] });
  if (template.actions.includes('remove') || template.actions.includes('swap')) return null;
  const example = site.names.filter(isFree).find((one) => pages.length === 0 || isHere(one));
  if (example === undefined) return null;
  const { text, tried } = draft;
  return {
    ...draft,
    text: text.replace(hole, () => '"…"'),
    tried: tried.replace(hole, () => quote(example.text)),
    score: draft.score + MATCHES.blank,
  };
}

function holding(draft: Draft, hole: string, { text, slugs }: Name): Draft {
  const shared = draft.slugs?.filter((slug) => slugs.includes(slug)) ?? slugs;
  return { ...put(draft, hole, quote(text)), used: [...draft.used, fold(text)], slugs: shared };
}

/** The pages that a part names. A slug that no page has means the nearest one, or a new page. */
function pagesIn({ text }: Template, { values: { pages, newSlugs }, site }: Refusal): string[] {
  if (text.includes('{slug}') || pages.length > 0) return pages;
  const slugs = site.pages.map(({ slug }) => slug);
  return newSlugs.flatMap((slug) => closest(slugs, slug).slice(0, 1));
}

/** Fills in the page: one draft for each page that may be meant. */
function placed(draft: Draft, template: Template, refusal: Refusal): Filled[] {
  if (!draft.text.includes('{page}')) return [draft];
  const on = (slugs: string[], more: number) =>
    slugs
      .slice(0, MOST_PAGES)
      .map((slug) => ({ ...put(draft, '{page}', slug), score: draft.score + more }));
  const named = pagesIn(template, refusal).filter((slug) => !draft.targets.includes(slug));
  const own = named.filter((slug) => draft.slugs?.includes(slug) ?? true);
  if (own.length > 0) return on(own, MATCHES.place);
  if (named.length > 0) return [];
  if (draft.slugs) return on(draft.slugs, MATCHES.near);
  return template.actions.includes('remove') ? [] : on(homeOf(refusal.site), MATCHES.blank);
}

const homeOf = ({ pages }: Site) => {
  const home = pages.find(({ slug }) => slug === '/') ?? pages[0];
  return home ? [home.slug] : [];
};

/** Puts a value into a hole. */
const put = (draft: Draft, hole: string, value: string): Draft => ({
  ...draft,
  text: draft.text.replace(hole, () => value),
  tried: draft.tried.replace(hole, () => value),
});

const valued = (draft: Draft): Draft => ({ ...draft, score: draft.score + MATCHES.value });

function blank(draft: Draft, hole: string): Draft {
  const { text, tried } = BLANKS[hole.slice(1, -1)]!;
  return {
    ...draft,
    text: draft.text.replace(hole, () => text),
    tried: draft.tried.replace(hole, () => tried),
    score: draft.score + MATCHES.blank,
  };
}

/** A text in quotes, on one line, so that it reads as one text whatever it contains. */
export const quote = (text: string): string =>
  `"${text.replace(/\s+/g, ' ').replaceAll('\\', '').replaceAll('"', '\\"')}"`;

/** The prompt's word for an item. */
function nounIn(tokens: Token[]): string {
  const said = tokens.map(({ word }) => word.replace(/s$/, ''));
  return said.find((word) => synonyms.ITEM.includes(word)) ?? 'card';
}
