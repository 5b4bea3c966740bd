/** What the rules understand of a prompt. */

export type Field = 'headline' | 'title' | 'description';

/** How a prompt names a page: by slug, by its title (quoted or not), or as the home page. */
export type PageName = { slug: string } | { title: string };

export type Instruction =
  /** `old`: the text that the field must have now. */
  | { kind: 'set'; field: Field; page: PageName | null; text: string; old?: string }
  | { kind: 'replace'; from: string; to: string; pages: PageName[] | 'everywhere' | null }
  | { kind: 'delete'; pages: PageName[] };

/** One example of everything that is understood, for messages. */
export const EXAMPLES = [
  'Change the headline of /pricing to "Simple prices"',
  'Change the title of the home page to "Acme | Web design"',
  'Change the description of /about to "Who we are"',
  'Replace "2025" with "2026" on /pricing',
  'Replace "Acme Ltd" with "Acme Inc" everywhere',
  'Delete /old-offer',
];

const FIELDS: [Field, RegExp][] = [
  ['description', /description/],
  ['title', /^(?:page|meta|seo|browser|html)? ?title(?: tag)?$/],
  ['headline', /./],
];

/** The field that a phrase of the grammar names. */
export const fieldOf = (phrase: string): Field =>
  FIELDS.find(([, pattern]) => pattern.test(phrase.toLowerCase().trim()))![0];
