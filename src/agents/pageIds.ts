import type { PageFile } from '../contract/site.ts';
import type { Edited, PageIds } from '../sites/formats/changes.ts';
import type { Pages } from '../sites/pages/pages.ts';

/**
 * The ids of a task's pages. An id that was read at a slug never names a part of another page that
 * comes to this slug later: that page then gets new ids.
 */
export interface PageIdsByPath {
  /** Undefined if the elements have the numbers of their positions. */
  of(path: string): PageIds | undefined;
  /** Records the ids of a page after a change. */
  keep(path: string, ids: PageIds | undefined): void;
  /** Records that a page leaves its slug. */
  leave(page: PageFile): void;
  /** Gives ids to a page that is new at its slug. */
  arrive(page: PageFile, source: string): Promise<void>;
  /** Records a move. @returns whether the ids stay */
  move(from: PageFile, to: PageFile, page: Edited): Promise<boolean>;
  /** Gives a page at its old slug the ids that it had when the task began. */
  restore(page: PageFile): void;
  /** Copies all ids. @returns a function that brings them back */
  save(): () => void;
}

export function createPageIds(pages: Pick<Pages, 'newIds'>): PageIdsByPath {
  let ids = new Map<string, PageIds>();
  /** The number of the next new id, by slugs that a page has left. */
  let left = new Map<string, number>();
  const keep = (path: string, own: PageIds | undefined) =>
    void (own ? ids.set(path, own) : ids.delete(path));
  const leave = ({ slug, path }: PageFile) => {
    left.set(slug, Math.max(left.get(slug) ?? 1, ids.get(path)?.next ?? 1));
    ids.delete(path);
  };
  /** New ids, if another page was at this slug. */
  const arrive = async ({ slug, path }: PageFile, source: string, next = 1) => {
    const free = left.get(slug);
    keep(path, free === undefined ? undefined : await newIds(path, source, Math.max(free, next)));
    return free === undefined;
  };
  const newIds = (path: string, source: string, next: number) =>
    pages.newIds({ path, source }, next);
  return {
    of: (path) => ids.get(path),
    keep,
    leave,
    arrive: async (page, source) => void (await arrive(page, source)),
    move: async (from, to, { source, ids: own }) => {
      leave(from);
      const stays = await arrive(to, source, own?.next);
      if (stays) keep(to.path, own);
      return stays;
    },
    restore: (page) => {
      leave(page);
      // elements without a number here have that of their position
      ids.set(page.path, { numbers: [], next: left.get(page.slug)! });
    },
    save: () => {
      const [savedIds, savedLeft] = [new Map(ids), new Map(left)];
      return () => {
        [ids, left] = [savedIds, savedLeft];
      };
    },
  };
}
