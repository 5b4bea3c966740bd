import { wordSet } from '../../../../text/wordLists.ts';
import { foldWords } from '../../../shared/text/foldText.ts';

/** How people call a part of a page (`faq`), and the headings that such a part may have. */
const HEADING_MEANINGS: [names: RegExp, headings: RegExp][] = [
  [/^(?:faqs?|questions?)$/, /\b(?:question|faq|asked)/],
  [/^(?:pric\w*|costs?)$/, /\b(?:pric|cost|package)/],
  [/^(?:packages?|plans?)$/, /\b(?:package|plan|pric|cost)/],
  [
    /^(?:testimonials?|quotes?|reviews?)$/,
    /\b(?:testimonial|client|customer|review|heard|what .{1,40} sa(?:y|id)\b)/,
  ],
  [/^(?:hours?|opening)$/, /\b(?:hour|open|visit)/],
  [/^(?:team|members?|persons?|people)$/, /\b(?:team|people|staff|who we are)/],
  [/^steps?$/, /\b(?:step|how|process)/],
];

const SMALL_WORDS = wordSet(
  'the a an our my your its this that of on in at for about with from to and page pages',
);

/** The words of a name, except small ones: articles, pronouns, prepositions and `page`. */
export const listNamingWords = (text: string): string[] =>
  foldWords(text)
    .split(' ')
    .filter((word) => word !== '' && !SMALL_WORDS.has(word));

const MIN_SHARED_LETTERS = 5;
/**
 * Whether two words are forms of the same word: `location` and `locations`, `comparison` and
 * `compare`.
 */
export function areFormsOfOneWord(first: string, second: string): boolean {
  const [shorterStem, longerStem] = [removePluralEnding(first), removePluralEnding(second)].sort(
    (left, right) => left.length - right.length,
  ) as [string, string];
  let sharedCount = 0;
  while (sharedCount < shorterStem.length && shorterStem[sharedCount] === longerStem[sharedCount])
    sharedCount++;
  return (
    shorterStem === longerStem ||
    sharedCount >= Math.max(MIN_SHARED_LETTERS, shorterStem.length - 1)
  );
}

const removePluralEnding = (word: string) =>
  word.length > 3 ? word.replace(/(?:ies|y|s)$/, '') : word;

/**
 * Whether a heading fits what a prompt calls its part of the page. Each word of the name must begin
 * a word of the heading, be a form of one, or mean the same: `prices` fits "Our packages".
 */
export function isHeadingCalled(name: string, heading: string): boolean {
  const foldedHeading = foldWords(heading);
  const headingWords = foldedHeading.split(' ');
  const nameWords = listNamingWords(name);
  return (
    nameWords.length > 0 &&
    nameWords.every((word) => {
      const stem = word.length > 3 ? word.replace(/s$/, '') : word;
      const meaningPattern = HEADING_MEANINGS.find(([names]) => names.test(word))?.[1];
      return (
        headingWords.some(
          (headingWord) => headingWord.startsWith(stem) || areFormsOfOneWord(word, headingWord),
        ) ||
        (meaningPattern?.test(foldedHeading) ?? false)
      );
    })
  );
}
