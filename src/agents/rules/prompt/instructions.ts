/** The parts of a prompt that the rules understand. */

export type Field = 'headline' | 'title' | 'description';

/** How a prompt names a page: by slug, by its title (quoted or not), or as the home page. */
export type PageName = { slug: string } | { title: string };

/** Which pages an instruction is for; null where the prompt names something that is no page. */
export type Scope = PageName[] | 'everywhere' | null;

export type Instruction =
  /** `old`: the text that the field must have now. */
  | { kind: 'set'; field: Field; page: PageName | null; text: string; old?: string }
  /** `pages` null: wherever the text stands, if that is one page. */
  | { kind: 'replace'; from: string; to: string; pages: Scope }
  | { kind: 'delete'; pages: PageName[] }
  /** `name` is the title and the headline. */
  | {
      kind: 'create';
      slug: string;
      from: PageName;
      name?: string;
      fields: { field: Field; text: string }[];
      replacements: { from: string; to: string }[];
    }
  | { kind: 'move'; page: PageName; to: string }
  /** A link or button by its text `now`, and `old`, where it must lead now: another text, another target, or both. */
  | {
      kind: 'link';
      element: 'link' | 'button';
      now: string;
      old?: string | PageName;
      target?: string | PageName;
      text?: string;
      pages: Scope;
    }
  /** An image by its present text or its file's name. */
  | { kind: 'alt'; image: string; page: PageName | null; text: string }
  /**
   * A text by what it says `now`, or by its place: `position` (from 1, -1 for the last) under the heading `section`.
   */
  | {
      kind: 'text';
      role: 'paragraph' | 'list-item' | 'heading';
      now?: string;
      section?: string;
      position?: number;
      page: PageName | null;
      text: string;
    }
  /**
   * A new member of the group under the heading `section`, behind the member that says `after` (the last one), with its
   * texts in order.
   */
  | { kind: 'add'; item: ItemKind; texts: string[]; section?: string; after?: string; page: PageName | null }
  /** The member that says `now`. */
  | { kind: 'remove'; item: ItemKind; now: string; section?: string; page: PageName | null };

/** A prompt's name for a member of a group. */
export type ItemKind = 'list-item' | 'card' | 'question' | 'table-row' | 'any';

/** One example of everything that is understood, for messages. */
export const EXAMPLES = [
  'Change the headline of /pricing to "Simple prices"',
  'Change the title of the home page to "Acme | Web design"',
  'Change the description of /about to "Who we are"',
  'Change the paragraph under "Our story" on /about to "It began in a garage."',
  'Change the second list item under "Amenities" on /rooms to "Breakfast in bed"',
  'Add "Free parking" to the list under "Amenities" on /rooms',
  'Remove the card "Basic" from /pricing',
  'Change the link "Pricing" on / to /plans',
  'Change the button "Book now" on /rooms to "Book a room" and its link to /booking',
  'Change the alt text of the image "team.jpg" on /about to "The team at lunch"',
  'Replace "2025" with "2026" on /pricing',
  'Replace "Acme Ltd" with "Acme Inc" everywhere',
  'Create /locations/rome from /locations/austin with the title "Acme in Rome", replacing "Austin" with "Rome"',
  'Move /about to /company',
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
