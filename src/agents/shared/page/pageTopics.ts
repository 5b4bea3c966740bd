import transliterate from '@sindresorhus/transliterate';
import { normalizeText } from '../../../contract/normalizeText.ts';
import type { PageItem } from '../../../contract/task.ts';
import { type TextSlot, isHeadline } from '../../../sites/formats/pageParts.ts';
import type { TemplatePage } from '../agentTypes.ts';
import { foldForComparison, foldWords } from '../text/foldText.ts';
import { plainText } from '../text/parseMarks.ts';
import type { ContextData } from '../context/contextData.ts';
import { findField, topicKeys } from '../context/contextKeys.ts';
import { capitalizeWords, toSentenceCase } from '../text/letterCase.ts';

/** The topics of the template and of the new page, as running text writes them. */
export interface PageTopics {
  old: string;
  new: string;
}

const PLACE_FOLDERS =
  /^(?:locations?|cit(?:y|ies)|towns?|areas?|regions?|places?|offices?|branch(?:es)?|stores?|studios?|near)$/u;
const OFFER_FOLDERS = /^(?:services?|products?|solutions?|industr(?:y|ies)|features?|topics?)$/u;
const MAX_TOPIC_LENGTH = 60;
/** Words in slugs that name kinds of pages instead of topics. Texts use them in other senses. */
const COMMON_SLUG_WORDS = new Set(
  'about contact home index start pricing prices price services service products product team blog news journal faq faqs help jobs careers career work portfolio projects project features shop store gallery support terms privacy legal search login locations location cities areas us new old test page template item'.split(
    ' ',
  ),
);

/** A line of front matter that names the page. */
const TITLE = /^["']?(?:title|headline|heading|name)["']?\s*[:=]/i;

/**
 * Finds the topics: `/locations/austin` and `/locations/lisbon` with the context `City: Lisbon`
 * give `{ old: 'Austin', new: 'Lisbon' }`. The template's topic comes from its slug, in the
 * spelling of its headline or title, which may be in front matter.
 * @returns null if no word of the template's slug is in its headline or title
 */
export function findPageTopics(
  { slug, slots, opaque = [] }: TemplatePage,
  item: PageItem,
  context: ContextData,
): PageTopics | null {
  const [oldWords, newWords] = [listLastSlugWords(slug), listLastSlugWords(item.targetPageSlug)];
  const [oldRest, newRest] = removeCommonWords(oldWords, newWords);
  const titles = opaque.filter(({ kind, text }) => kind === 'front matter' && TITLE.test(text));
  const texts = [
    ...slots.filter(isNamingSlot).map(({ text }) => plainText(text)),
    ...titles.map(({ text }) => text),
  ];
  for (const [templateWords, targetWords] of [
    [oldWords, newWords],
    [oldRest, newRest],
  ] as const) {
    const oldTopic = templateWords.every((word) => COMMON_SLUG_WORDS.has(word))
      ? null
      : findSpelling(templateWords, texts);
    if (oldTopic === null || targetWords.length === 0) continue;
    const contextTopic = readTopicFromKeys(context, findTopicKind(slug, slots, oldTopic), [
      newWords,
      newRest,
    ]);
    const isTrimmed =
      templateWords === oldWords &&
      contextTopic !== null &&
      foldWords(contextTopic) === newRest.join(' ') &&
      oldRest.length < oldWords.length;
    if (isTrimmed && findSpelling(oldRest, texts) !== null) continue;
    return {
      old: oldTopic,
      new: contextTopic ?? readTopicFromSlug(targetWords, oldTopic, item.targetPageSlug, context),
    };
  }
  return null;
}

/** Whether a text says what the page is about: its title or headline. */
export const isNamingSlot = (slot: TextSlot) => slot.role === 'title' || isHeadline(slot);
const listLastSlugWords = (slug: string): string[] =>
  foldWords(decodeSegment(slug.split('/').at(-1)!))
    .split(' ')
    .filter((word) => word !== '');

function decodeSegment(segment: string): string {
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
function removeCommonWords(first: string[], second: string[]): [string[], string[]] {
  let start = 0;
  while (start < Math.min(first.length, second.length) && first[start] === second[start]) start++;
  let end = 0;
  while (
    end < Math.min(first.length, second.length) - start &&
    first.at(-1 - end) === second.at(-1 - end)
  )
    end++;
  return [first.slice(start, first.length - end), second.slice(start, second.length - end)];
}

/** The spelling of a sequence of folded words in texts; null if no text has them. */
function findSpelling(words: string[], texts: string[]): string | null {
  if (words.length === 0) return null;
  for (const text of texts) {
    const tokens = [...text.matchAll(/[\p{L}\p{M}\p{N}]+/gu)];
    for (let index = 0; index + words.length <= tokens.length; index++) {
      if (
        !words.every((word, offset) => listWordSpellings(tokens[index + offset]![0]).includes(word))
      )
        continue;
      const lastToken = tokens[index + words.length - 1]!;
      return text.slice(tokens[index]!.index, lastToken.index + lastToken[0].length);
    }
  }
  return null;
}

/**
 * The spellings of a word in a slug: without diacritics, with two letters for an umlaut, or in
 * Latin letters: `Tromsø` is `tromso`, and `Москва` is `moskva`.
 */
function listWordSpellings(word: string): string[] {
  const german = normalizeText(word, 'NFC')
    .toLowerCase()
    .replace(/[äöü]/gu, (letter) => ({ ä: 'ae', ö: 'oe', ü: 'ue' })[letter]!);
  return [word, german, transliterate(word)].map(foldForComparison);
}

/**
 * Whether the template is about a place or an offer; null if unknown. A value for one kind never
 * replaces a topic of the other kind.
 */
function findTopicKind(
  slug: string,
  slots: TextSlot[],
  oldTopic: string,
): 'place' | 'offer' | null {
  const parent = foldWords(slug.split('/').at(-2) ?? '');
  if (PLACE_FOLDERS.test(parent)) return 'place';
  if (OFFER_FOLDERS.test(parent)) return 'offer';
  const isLocality = slots.some(
    ({ jsonPath, text }) =>
      /addressLocality$/.test(jsonPath ?? '') &&
      foldForComparison(text) === foldForComparison(oldTopic),
  );
  return isLocality ? 'place' : null;
}

/** A value under a topic's key, preferably one that the slug names. */
function readTopicFromKeys(
  context: ContextData,
  kind: 'place' | 'offer' | null,
  slugs: string[][],
): string | null {
  const values = (topicKind: 'place' | 'offer') =>
    topicKeys[topicKind]
      .flatMap((key) => findField(context, [key])?.values.slice(0, 1) ?? [])
      .map((value) => (topicKind === 'place' ? value.split(/,| \(/)[0]!.trim() : value));
  const isUsable = (value: string) =>
    value !== '' && value.length <= MAX_TOPIC_LENGTH && /\p{L}/u.test(value);
  const namedValues = [
    ...values('place'),
    ...values('offer'),
    ...(findField(context, ['title', 'h1', 'headline'])?.values ?? []),
  ].filter(isUsable);
  const matching = namedValues.find((value) =>
    slugs.some((words) => findSpelling(words, [value]) === value),
  );
  if (matching !== undefined) return matching;
  const kindValues = kind === null ? [...values('place'), ...values('offer')] : values(kind);
  return kindValues.find(isUsable) ?? null;
}

/**
 * The slug's words in the context's spelling, else in the slug's, in the template's letter case.
 */
function readTopicFromSlug(
  words: string[],
  oldTopic: string,
  slug: string,
  context: ContextData,
): string {
  const lines = context.source.split('\n').filter((line) => !/^\s*[-\w"]*slug/i.test(line));
  const contextSpelling = findSpelling(words, lines);
  if (
    contextSpelling !== null &&
    /^\p{Lu}/u.test(contextSpelling) &&
    !/[_/-]/.test(contextSpelling)
  )
    return contextSpelling;
  const slugSpelling =
    findSpelling(words, [decodeSegment(slug.split('/').at(-1)!)]) ?? words.join(' ');
  const title = capitalizeWords(
    normalizeText(slugSpelling, 'NFC')
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, ' '),
  );
  return isSentenceCase(oldTopic) ? toSentenceCase(title) : title;
}

const isSentenceCase = (text: string) => /\s\p{Ll}+$/u.test(text);

/** The page's town, if the template is about the town of its own address. */
export const findTopicTown = (slots: TextSlot[], topics: PageTopics | null): string | undefined =>
  topics &&
  slots.some(
    ({ jsonPath, text }) =>
      /addressLocality$/.test(jsonPath ?? '') && plainText(text) === topics.old,
  )
    ? topics.new
    : undefined;
