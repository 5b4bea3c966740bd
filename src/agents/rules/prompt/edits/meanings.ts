import { foldWords } from '../../../text/fold.ts';

/** What people call a part of a page, and what its heading says then. */
const MEANINGS: [names: RegExp, headings: RegExp][] = [
  [/^(?:faqs?|questions?)$/, /\b(?:question|faq|asked)/],
  [/^(?:pric\w*|costs?)$/, /\b(?:pric|cost|package)/],
  [/^(?:packages?|plans?)$/, /\b(?:package|plan|pric|cost)/],
  [/^(?:testimonials?|quotes?|reviews?)$/, /\b(?:testimonial|client|customer|review|heard|what .{1,40} sa(?:y|id)\b)/],
  [/^(?:hours?|opening)$/, /\b(?:hour|open|visit)/],
  [/^(?:team|members?|persons?|people)$/, /\b(?:team|people|staff|who we are)/],
  [/^steps?$/, /\b(?:step|how|process)/],
];

/** Whether a heading may say what people call a part of its page: each word of it begins one of the heading's, or means it. */
export function isCalled(name: string, heading: string): boolean {
  const own = foldWords(heading);
  const words = own.split(' ');
  return foldWords(name)
    .split(' ')
    .every((word) => {
      const stem = word.length > 3 ? word.replace(/s$/, '') : word;
      const means = MEANINGS.find(([names]) => names.test(word))?.[1];
      return words.some((part) => part.startsWith(stem)) || (means?.test(own) ?? false);
    });
}
