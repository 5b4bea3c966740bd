import { normalizeText } from '../../contract/normalizeText.ts';
import type { PageItem } from '../../contract/task.ts';
import { type Slot, isHeadline } from '../../sites/formats/page.ts';
import type { TemplatePage } from '../agent.ts';
import { fold, foldWords } from '../text/fold.ts';
import { plainText } from '../text/marks.ts';
import type { ContextData } from '../context/contextData.ts';
import { fieldNamed, subjectKeys } from '../context/contextKeys.ts';
import { capitalized, sentenceCase } from '../text/letterCase.ts';

/** The subjects of the template and of the new page, as running text writes them. */
export interface Subject {
  old: string;
  new: string;
}

const PLACES =
  /^(?:locations?|cit(?:y|ies)|towns?|areas?|regions?|places?|offices?|branch(?:es)?|stores?|studios?|near)$/u;
const OFFERS = /^(?:services?|products?|solutions?|industr(?:y|ies)|features?|topics?)$/u;
const LONGEST = 60;
/** Words in slugs that name kinds of pages instead of subjects. Texts use them in other senses. */
const COMMON = new Set(
  'about contact home index start pricing prices price services service products product team blog news journal faq faqs help jobs careers career work portfolio projects project features shop store gallery support terms privacy legal search login locations location cities areas us new old test page template item'.split(
    ' ',
  ),
);

/** A line of front matter that names the page. */
const TITLE = /^["']?(?:title|headline|heading|name)["']?\s*[:=]/i;

/**
 * Finds the subjects. The template's comes from its slug, in the spelling of its headline or title,
 * which may be in front matter.
 * @returns null if no word of the template's slug is in its headline or title
 */
export function findSubject(
  { slug, slots, opaque = [] }: TemplatePage,
  item: PageItem,
  context: ContextData,
): Subject | null {
  const [oldWords, newWords] = [lastWords(slug), lastWords(item.targetPageSlug)];
  const [oldRest, newRest] = withoutCommon(oldWords, newWords);
  const titles = opaque.filter(({ kind, text }) => kind === 'front matter' && TITLE.test(text));
  const texts = [
    ...slots.filter(isNaming).map(({ text }) => plainText(text)),
    ...titles.map(({ text }) => text),
  ];
  for (const [template, target] of [
    [oldWords, newWords],
    [oldRest, newRest],
  ] as const) {
    const old = template.every((word) => COMMON.has(word)) ? null : written(template, texts);
    if (old === null || target.length === 0) continue;
    const given = fromKeys(context, kindOf(slug, slots, old), [newWords, newRest]);
    const isTrimmed =
      template === oldWords &&
      given !== null &&
      foldWords(given) === newRest.join(' ') &&
      oldRest.length < oldWords.length;
    if (isTrimmed && written(oldRest, texts) !== null) continue;
    return { old, new: given ?? fromSlug(target, old, item.targetPageSlug, context) };
  }
  return null;
}

/** Whether a text says what the page is about: its title or headline. */
export const isNaming = (slot: Slot) => slot.role === 'title' || isHeadline(slot);
const lastWords = (slug: string): string[] =>
  foldWords(decoded(slug.split('/').at(-1)!))
    .split(' ')
    .filter((word) => word !== '');

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/**
 * Removes common words at the beginning and end of both: `web-design-austin`, `web-design-lisbon`
 * -> `austin`, `lisbon`.
 */
function withoutCommon(a: string[], b: string[]): [string[], string[]] {
  let start = 0;
  while (start < Math.min(a.length, b.length) && a[start] === b[start]) start++;
  let end = 0;
  while (end < Math.min(a.length, b.length) - start && a.at(-1 - end) === b.at(-1 - end)) end++;
  return [a.slice(start, a.length - end), b.slice(start, b.length - end)];
}

/** The spelling of a sequence of folded words in texts; null if no text has them. */
function written(words: string[], texts: string[]): string | null {
  if (words.length === 0) return null;
  for (const text of texts) {
    const tokens = [...text.matchAll(/[\p{L}\p{M}\p{N}]+/gu)];
    for (let i = 0; i + words.length <= tokens.length; i++) {
      if (!words.every((word, k) => spellings(tokens[i + k]![0]).includes(word))) continue;
      const last = tokens[i + words.length - 1]!;
      return text.slice(tokens[i]!.index, last.index + last[0].length);
    }
  }
  return null;
}

/** The spellings of a word in a slug: without diacritics, or with two letters for an umlaut. */
function spellings(word: string): string[] {
  const german = normalizeText(word, 'NFC')
    .toLowerCase()
    .replace(/[äöü]/gu, (letter) => ({ ä: 'ae', ö: 'oe', ü: 'ue' })[letter]!);
  return [fold(word), fold(german)];
}

/**
 * Whether the template is about a place or an offer. The subject of one kind never replaces the
 * other's.
 */
function kindOf(slug: string, slots: Slot[], old: string): 'place' | 'offer' | null {
  const parent = foldWords(slug.split('/').at(-2) ?? '');
  if (PLACES.test(parent)) return 'place';
  if (OFFERS.test(parent)) return 'offer';
  const isLocality = slots.some(
    ({ jsonPath, text }) => /addressLocality$/.test(jsonPath ?? '') && fold(text) === fold(old),
  );
  return isLocality ? 'place' : null;
}

/** A value under a subject's key, preferably one that the slug names. */
function fromKeys(
  context: ContextData,
  kind: 'place' | 'offer' | null,
  slugs: string[][],
): string | null {
  const values = (of: 'place' | 'offer') =>
    subjectKeys[of]
      .flatMap((key) => fieldNamed(context, [key])?.values.slice(0, 1) ?? [])
      .map((value) => (of === 'place' ? value.split(/,| \(/)[0]!.trim() : value));
  const usable = (value: string) => value !== '' && value.length <= LONGEST && /\p{L}/u.test(value);
  const named = [
    ...values('place'),
    ...values('offer'),
    ...(fieldNamed(context, ['title', 'h1', 'headline'])?.values ?? []),
  ].filter(usable);
  const matching = named.find((value) => slugs.some((words) => written(words, [value]) === value));
  if (matching !== undefined) return matching;
  const ofKind = kind === null ? [...values('place'), ...values('offer')] : values(kind);
  return ofKind.find(usable) ?? null;
}

/**
 * The slug's words in the context's spelling, else in the slug's, in the template's letter case.
 */
function fromSlug(words: string[], old: string, slug: string, context: ContextData): string {
  const lines = context.source.split('\n').filter((line) => !/^\s*[-\w"]*slug/i.test(line));
  const form = written(words, lines);
  if (form !== null && /^\p{Lu}/u.test(form) && !/[_/-]/.test(form)) return form;
  const own = written(words, [decoded(slug.split('/').at(-1)!)]) ?? words.join(' ');
  const title = capitalized(
    normalizeText(own, 'NFC')
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, ' '),
  );
  return isSentenceCase(old) ? sentenceCase(title) : title;
}

const isSentenceCase = (text: string) => /\s\p{Ll}+$/u.test(text);

/** The page's town, if the template is about the town of its own address. */
export const townOf = (slots: Slot[], subject: Subject | null): string | undefined =>
  subject &&
  slots.some(
    ({ jsonPath, text }) =>
      /addressLocality$/.test(jsonPath ?? '') && plainText(text) === subject.old,
  )
    ? subject.new
    : undefined;
