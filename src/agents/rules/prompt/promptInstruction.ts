/** How a prompt names a page: by slug, or by its title. */
export type PageName = { slug: string } | { title: string };

/** Fields of a page that an instruction can set. */
export type PageField = 'headline' | 'title' | 'description';

/** A kind of members of a group (like blocks, such as cards). 'any': the prompt does not tell. */
export type ItemKind = 'list-item' | 'card' | 'question' | 'table-row' | 'any';

/**
 * What one instruction of a prompt asks for. `Change the headline of /about to "Us"` is
 * `{ kind: 'set', field: 'headline', slug: { slug: '/about' }, text: 'Us' }`.
 *
 * `slug` is the page to change; null if the prompt names none, which only a site with one page
 * allows. `slugs` are the pages to change. If they are null, a text or link must usually be on only
 * one page, and a price changes on every page.
 * @typeParam Page how pages are named: as in the prompt, or by their slugs
 */
export type PromptInstructionOf<Page> =
  /** `old`: the field's current text. */
  | { kind: 'set'; field: PageField; slug: Page | null; text: string; old?: string }
  /** `anyCase`: a misspelled word. It is corrected in any case, by default on all pages. */
  | { kind: 'replace'; from: string; to: string; slugs: PageScope<Page>; anyCase?: true }
  /** `links`: also remove the links to these pages. */
  | { kind: 'delete'; slugs: Page[]; links?: true }
  | { kind: 'create'; path: string; template: Page }
  /** Creates a page for another topic, in the same way as `generate_pages`. */
  | { kind: 'generate'; path: string; template: Page; subject: string }
  | { kind: 'move'; slug: Page; to: string }
  /** Changes a link or button. `now`: its current text. `old`: its current target. */
  | {
      kind: 'link';
      element: 'link' | 'button';
      now: string;
      old?: string | Page;
      target?: string | Page;
      text?: string;
      slugs: PageScope<Page>;
    }
  /** `image`: the image's current alt text or file name. */
  | { kind: 'alt'; image: string; slug: Page | null; text: string }
  /** Changes the paragraph, list item or heading whose text is `now`. */
  | {
      kind: 'text';
      role: 'paragraph' | 'list-item' | 'heading';
      now: string;
      slug: Page | null;
      text: string;
    }
  /** Adds a member to the group under the heading `section`, behind the member `after`. */
  | ({ kind: 'add'; texts: string[]; after?: string } & MemberInstruction<Page>)
  | ({ kind: 'remove'; now?: string; position?: number } & MemberInstruction<Page>)
  /** Swaps two members, by their texts or positions, or the only two. */
  | ({ kind: 'swap'; members: (string | number)[] } & MemberInstruction<Page>)
  /** `name`: a section's heading, or a table's caption or heading; '' for the page's only table. */
  | { kind: 'remove-section'; what: 'section' | 'table'; name: string; slug: Page | null }
  /** `first`: before the other sections of its level. `other`: the section to move it next to. */
  | {
      kind: 'move-section';
      name: string;
      where: 'before' | 'after' | 'first' | 'last';
      other?: string;
      slug: Page | null;
    }
  /** Changes an entry of the navigation on every page that has the entry. */
  | { kind: 'menu'; change: 'add'; entry: Page; text?: string; after?: string }
  | { kind: 'menu'; change: 'rename'; now: string; text: string }
  | { kind: 'menu'; change: 'remove'; now?: string; entry?: Page }
  | { kind: 'contact'; what: 'telephone' | 'email'; from?: string; to: string; slugs?: Page[] }
  | { kind: 'company'; from?: string; to: string }
  | { kind: 'year'; from?: string; year: string }
  /** `name`: the package whose price changes. Without it, every price `from` changes. */
  | { kind: 'price'; name?: string; from?: string; to: string; slugs: PageScope<Page> }
  | { kind: 'raise'; percent: number; slugs: PageScope<Page> };

/** The pages that an instruction is for; null if the prompt names none. */
type PageScope<Page> = Page[] | 'everywhere' | null;

/** Names a group by the prompt's `noun` for a member (`testimonial`), or by the heading above. */
interface MemberInstruction<Page> {
  item: ItemKind;
  noun?: string;
  section?: string;
  slug: Page | null;
}

export type PromptInstruction = PromptInstructionOf<PageName>;

/** The field that a phrase means. */
export function readPageField(phrase: string): PageField {
  if (/description/i.test(phrase)) return 'description';
  return /title/i.test(phrase) ? 'title' : 'headline';
}
