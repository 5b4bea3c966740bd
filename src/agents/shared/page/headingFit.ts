import { foldWords } from '../text/foldText.ts';

const STOP_WORDS = new Set(
  'a an the of in on at for to and or our your my with from by is are what how who where when why we you us der die das und von fur bei mit wir uns unser unsere was wie wo wann warum im am'.split(
    ' ',
  ),
);
const SYNONYMS: [RegExp, string][] = [
  [/\b(?:faqs?|fragen)\b/, 'questions'],
  [/\b(?:frequently asked|haufige|haufig gestellte)\b/, ''],
  [/\b(?:pricing|prices|costs?|preise?|kosten|kostet)\b/, 'price'],
  [/\b(?:testimonials?|reviews?|kundenstimmen?|referenzen)\b/, 'clients say'],
  [/\b(?:offnungszeiten|oeffnungszeiten)\b/, 'opening hours'],
  [/\b(?:besuch|anfahrt)\b/, 'visit'],
];
const MIN_FIT = 0.5;
const SAME_WORDS_FIT = 0.9;

/** The significant words of a heading or key, in a simple singular form. */
export function listContentWords(text: string): string[] {
  const folded = SYNONYMS.reduce(
    (folded, [pattern, word]) => folded.replace(pattern, word),
    foldWords(text),
  );
  return folded
    .split(' ')
    .filter((word) => word !== '' && !STOP_WORDS.has(word))
    .map((word) => word.replace(/(?<=\p{L}{3})s$/u, ''));
}

/** Compares texts of small words only: `Who are we` and `Who we are` are the same. */
const hasSameWords = (first: string, second: string) =>
  new Set(foldWords(first).split(' ')).symmetricDifference(new Set(foldWords(second).split(' ')))
    .size === 0;

/**
 * How well a name fits a heading: 1 for the same words; above 0 if one contains all words of the
 * other, or they share half of them. Ignores small words and plurals.
 */
export function scoreHeadingFit(name: string, heading: string): number {
  if (foldWords(name) === foldWords(heading)) return 1;
  const [nameWords, headingWords] = [
    new Set(listContentWords(name)),
    new Set(listContentWords(heading)),
  ];
  if (nameWords.size === 0 || headingWords.size === 0)
    return nameWords.size === headingWords.size && hasSameWords(name, heading) ? SAME_WORDS_FIT : 0;
  const sharedCount = nameWords.intersection(headingWords).size;
  const score = sharedCount / nameWords.union(headingWords).size;
  const isPart = sharedCount === Math.min(nameWords.size, headingWords.size);
  return isPart ? MIN_FIT + score / 2 : score >= MIN_FIT ? score / 2 : 0;
}
