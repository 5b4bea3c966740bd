import { foldWords } from '../text/fold.ts';

const STOP = new Set(
  'a an the of in on at for to and or our your my with from by is are what how who where when why we you us der die das und von fur bei mit wir uns unser unsere was wie wo wann warum im am'.split(
    ' ',
  ),
);
const SAME: [RegExp, string][] = [
  [/\b(?:faqs?|fragen)\b/, 'questions'],
  [/\b(?:frequently asked|haufige|haufig gestellte)\b/, ''],
  [/\b(?:pricing|prices|costs?|preise?|kosten|kostet)\b/, 'price'],
  [/\b(?:testimonials?|reviews?|kundenstimmen?|referenzen)\b/, 'clients say'],
  [/\b(?:offnungszeiten|oeffnungszeiten)\b/, 'opening hours'],
  [/\b(?:besuch|anfahrt)\b/, 'visit'],
];
const LEAST = 0.5;
const LEAST_SAME = 0.9;

/** The significant words of a heading or key, in a simple singular form. */
export function contentWords(text: string): string[] {
  const folded = SAME.reduce(
    (folded, [pattern, word]) => folded.replace(pattern, word),
    foldWords(text),
  );
  return folded
    .split(' ')
    .filter((word) => word !== '' && !STOP.has(word))
    .map((word) => word.replace(/(?<=\p{L}{3})s$/u, ''));
}

/** Compares texts of small words only: `Who are we` and `Who we are` are the same. */
const isSameWords = (a: string, b: string) =>
  new Set(foldWords(a).split(' ')).symmetricDifference(new Set(foldWords(b).split(' '))).size === 0;

/**
 * How well a name fits a heading: 1 for the same words; above 0 if one contains all words of the
 * other, or they share half of them. Ignores small words and plurals.
 */
export function headingFit(name: string, heading: string): number {
  if (foldWords(name) === foldWords(heading)) return 1;
  const [a, b] = [new Set(contentWords(name)), new Set(contentWords(heading))];
  if (a.size === 0 || b.size === 0)
    return a.size === b.size && isSameWords(name, heading) ? LEAST_SAME : 0;
  const shared = a.intersection(b).size;
  const score = shared / a.union(b).size;
  const isPart = shared === Math.min(a.size, b.size);
  return isPart ? LEAST + score / 2 : score >= LEAST ? score / 2 : 0;
}
