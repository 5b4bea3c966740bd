import { foldWords } from '../../../text/fold.ts';

/** What people call a part of a page, and what its heading may say: the beginnings of words. */
const MEANINGS: Record<string, string[]> = {
  faq: ['question', 'faq', 'asked'],
  price: ['pric', 'cost', 'package', 'plan', 'rate'],
  testimonial: ['testimonial', 'say', 'said', 'client', 'customer', 'review', 'heard', 'word'],
  hour: ['hour', 'open', 'visit'],
  team: ['team', 'people', 'who', 'us', 'staff'],
  package: ['package', 'plan', 'pric', 'cost'],
  step: ['step', 'how', 'process'],
};
const ALIASES: Record<string, string> = {
  faqs: 'faq',
  question: 'faq',
  questions: 'faq',
  pricing: 'price',
  prices: 'price',
  cost: 'price',
  testimonials: 'testimonial',
  quote: 'testimonial',
  quotes: 'testimonial',
  review: 'testimonial',
  reviews: 'testimonial',
  hours: 'hour',
  opening: 'hour',
  member: 'team',
  members: 'team',
  person: 'team',
  people: 'team',
  packages: 'package',
  plan: 'package',
  plans: 'package',
  steps: 'step',
};

/** Whether a heading may say what people call a part of the page: each word of it begins one of the heading's, or means it. */
export function isCalled(name: string, heading: string): boolean {
  const own = foldWords(heading).split(' ');
  const words = foldWords(name).split(' ');
  return words.every((word) => {
    const stems = MEANINGS[ALIASES[word] ?? word] ?? [word.length > 3 ? word.replace(/s$/, '') : word];
    return own.some((part) => stems.some((stem) => part.startsWith(stem)));
  });
}
