import type { PageFile } from '../../../contract/site.ts';
import type { PageSource } from '../../../sites/formats/format.ts';
import type { Tree } from '../../../sites/git/repository.ts';
import type { FileEdits } from './fileEdits.ts';

/** Records which pages a task copied and moved, and where from. */
export interface PageOrigins {
  copied(from: PageFile, to: PageFile): void;
  moved(from: PageFile, to: PageFile): void;
  /**
   * A page's content at the base commit, or its origin's if it is a copy; null if there is neither.
   */
  source(path: string): Promise<PageSource | null>;
  /** The path of the page that this page was copied from; undefined if it is not a copy. */
  copiedFrom(path: string): string | undefined;
  /** The paths of all pages that the task created, including those that it deleted again. */
  copies(): string[];
  /** Removes the record of where a page came from. */
  forget(path: string): void;
  /** Copies the record. @returns a function that brings it back */
  save(): () => void;
  /** The path before the page was moved; undefined if it was not moved. */
  movedFrom(path: string): string | undefined;
}

export function createPageOrigins(
  { entries }: Tree,
  edits: Pick<FileEdits, 'original'>,
): PageOrigins {
  /** Path of the origin at the base commit, by the path of a copied or moved page. */
  let origins = new Map<string, string>();
  let copies = new Set<string>();
  const recordOrigin = ({ path }: PageFile, page: PageFile) =>
    origins.set(path, origins.get(page.path) ?? page.path);
  const readOriginSource = async (path: string) => {
    const origin = origins.get(path) ?? path;
    return entries.has(origin) ? { path: origin, source: await edits.original(origin) } : null;
  };
  return {
    source: readOriginSource,
    copiedFrom: (path) => (copies.has(path) ? origins.get(path) : undefined),
    movedFrom: (path) => (copies.has(path) ? undefined : origins.get(path)),
    copies: () => [...copies],
    forget: (path) => {
      origins.delete(path);
      copies.delete(path);
    },
    save: () => {
      const [savedOrigins, savedCopies] = [new Map(origins), new Set(copies)];
      return () => {
        [origins, copies] = [savedOrigins, savedCopies];
      };
    },
    copied: (from, to) => {
      recordOrigin(to, from);
      copies.add(to.path);
    },
    moved: (from, to) => {
      recordOrigin(to, from);
      if (copies.delete(from.path)) copies.add(to.path);
      else copies.delete(to.path);
    },
  };
}
