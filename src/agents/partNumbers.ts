import type { PageSource } from '../sites/formats/format.ts';
import type { Pages } from '../sites/pages/pages.ts';
import type { Texts } from './tools/textsPort.ts';

/** The elements of each text's parts in order, by the text's id. */
type Parts = Record<string, string>;

/** What a language model knows of a page that the task changed since. */
interface Known {
  /** The page before the first change of this turn. */
  page?: PageSource;
  /** Texts whose parts got other numbers in earlier turns, with those that the model read. */
  unseen: Parts;
}

/**
 * The numbers of parts (`<1>`) that a language model knows. A change may give a text's parts other
 * numbers; those that the model read must then not name other links. They count as known from the
 * turn after the one in which a result shows the text.
 */
export interface PartNumbers {
  /** Records a page before a change. */
  changing(page: PageSource): void;
  /** Records that a page has another path now. */
  moved(from: string, to: string): void;
  /** Records the result of a call about the page at a slug. */
  told(slug: string, content: string): void;
  /** The ids of texts whose parts have other numbers than those that the model knows. */
  renumbered(page: PageSource): Promise<string[]>;
  /**
   * The model reads this turn's results.
   * @param sourceOf the page at a path; null for none
   */
  endTurn(sourceOf: (path: string) => Promise<PageSource | null>): Promise<void>;
}

type Calls = Pick<Pages, 'slugOf' | 'textParts'>;

export function createPartNumbers(pages: Calls, texts: Pick<Texts, 'idsIn'>): PartNumbers {
  const pagesKnown = new Map<string, Known>();
  let results: { slug: string; content: string }[] = [];
  const differing = async (page: PageSource): Promise<Parts> => {
    const known = pagesKnown.get(page.path);
    if (!known) return {};
    const before = known.page && !hasSameNumbers(known.page, page) ? known.page : undefined;
    const was = { ...(before && (await pages.textParts(before))), ...known.unseen };
    if (Object.keys(was).length === 0) return {};
    const now = await pages.textParts(page);
    return Object.fromEntries(Object.entries(was).filter(([id, parts]) => now[id] !== parts));
  };
  const shownAt = async (slug: string) => {
    const own = results.filter((result) => result.slug === slug);
    return new Set((await Promise.all(own.map(({ content }) => texts.idsIn(content)))).flat());
  };
  return {
    changing: (page) => {
      const slug = pages.slugOf(page.path);
      results = results.filter((result) => result.slug !== slug);
      pagesKnown.set(page.path, { page, unseen: {}, ...pagesKnown.get(page.path) });
    },
    moved: (from, to) => {
      const known = pagesKnown.get(from);
      if (known) pagesKnown.set(to, known);
    },
    told: (slug, content) => void results.push({ slug, content }),
    renumbered: async (page) => Object.keys(await differing(page)),
    endTurn: async (sourceOf) => {
      for (const path of [...pagesKnown.keys()]) {
        const page = await sourceOf(path);
        if (!page) continue;
        const renumbered = Object.entries(await differing(page));
        const shown = renumbered.length > 0 ? await shownAt(pages.slugOf(path)) : new Set();
        const unseen = renumbered.filter(([id]) => !shown.has(id));
        if (unseen.length === 0) pagesKnown.delete(path);
        else pagesKnown.set(path, { unseen: Object.fromEntries(unseen) });
      }
      results = [];
    },
  };
}

/** Whether no element was added, removed or moved between two sources of a page. */
const hasSameNumbers = (one: PageSource, other: PageSource) =>
  JSON.stringify(one.ids?.numbers) === JSON.stringify(other.ids?.numbers);
