import { wordSet } from '../../../../text/wordLists.ts';
import { foldWords } from '../../../text/fold.ts';

/** People's names for a part of a page, and the headings that such a part may have. */
const MEANINGS: [names: RegExp, headings: RegExp][] = [
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

const SMALL = wordSet(
  'the a an our my your its this that of on in at for about with from to and page pages',
);

/** The words of a name, except articles, prepositions and the like. */
export const namingWords = (text: string): string[] =>
  foldWords(text)
    .split(' ')
    .filter((word) => word !== '' && !SMALL.has(word));

const SHARED = 5;
/**
 * Whether two words are forms of the same word: `location` and `locations`, `comparison` and
 * `compare`.
 */
export function isSameWord(one: string, other: string): boolean {
  const [short, long] = [stemOf(one), stemOf(other)].sort((a, b) => a.length - b.length) as [
    string,
    string,
  ];
  let shared = 0;
  while (shared < short.length && short[shared] === long[shared]) shared++;
  return short === long || shared >= Math.max(SHARED, short.length - 1);
}

const stemOf = (word: string) => (word.length > 3 ? word.replace(/(?:ies|y|s)$/, '') : word);

/**
 * Whether a heading fits a name for its part of the page. Each word of the name must be the
 * beginning of a heading's word, or mean the same.
 */
export function isCalled(name: string, heading: string): boolean {
  const own = foldWords(heading);
  const words = own.split(' ');
  const wanted = namingWords(name);
  return (
    wanted.length > 0 &&
    wanted.every((word) => {
      const stem = word.length > 3 ? word.replace(/s$/, '') : word;
      const means = MEANINGS.find(([names]) => names.test(word))?.[1];
      return (
        words.some((part) => part.startsWith(stem) || isSameWord(word, part)) ||
        (means?.test(own) ?? false)
      );
    })
  );
}
