import type { PageFile } from '../contract/site.ts';
import type { PageSource } from '../sites/formats/format.ts';
import type { Tree } from '../sites/git/repository.ts';
import type { FileEdits } from './fileEdits.ts';

/** Where the pages of a task come from, which it copies and moves. */
export interface Origins {
  copied(from: PageFile, to: PageFile): void;
  moved(from: PageFile, to: PageFile): void;
  /**
   * What a page was made of: its own bytes at the base commit, or those of the page that it was
   * copied from; null for neither.
   */
  source(path: string): Promise<PageSource | null>;
  /** A page as it was at the base commit, at whatever path; null for one that the task made. */
  ownSource(path: string): Promise<PageSource | null>;
  /** The path of the page that one was copied from; undefined for one that was not. */
  copiedFrom(path: string): string | undefined;
  /** The path that a page had before it was moved; undefined for one that was not. */
  movedFrom(path: string): string | undefined;
}

export function createOrigins({ entries }: Tree, edits: Pick<FileEdits, 'original'>): Origins {
  /** For a page that was copied or moved, the page of the base commit that it comes from. */
  const origins = new Map<string, string>();
  const copies = new Set<string>();
  const comesFrom = ({ path }: PageFile, page: PageFile) =>
    origins.set(path, origins.get(page.path) ?? page.path);
  const source = async (path: string) => {
    const origin = origins.get(path) ?? path;
    return entries.has(origin) ? { path: origin, source: await edits.original(origin) } : null;
  };
  return {
    source,
    ownSource: async (path) => (copies.has(path) ? null : source(path)),
    copiedFrom: (path) => (copies.has(path) ? origins.get(path) : undefined),
    movedFrom: (path) => (copies.has(path) ? undefined : origins.get(path)),
    copied: (from, to) => {
      comesFrom(to, from);
      copies.add(to.path);
    },
    moved: (from, to) => {
      comesFrom(to, from);
      if (copies.delete(from.path)) copies.add(to.path);
      else copies.delete(to.path);
    },
  };
}
