import type { PageFile } from '../../../contract/site.ts';
import type { Tree } from '../../../sites/git/repository.ts';
import type { FileEdits } from './fileEdits.ts';
import type { PageOrigins } from './pageOrigins.ts';

/** A page's slugs before and after a move. `isOver`: it replaced another page. */
export interface MovedPage {
  from: string;
  to: string;
  isOver: boolean;
}

/** What a task did to the pages of a site. */
export interface SitePageChanges {
  touched(): { created: PageFile[]; modified: PageFile[]; deleted: PageFile[] };
  /** Pages that the task moved. */
  moved(): MovedPage[];
  /** Pages that the task replaced by a copy of another page. */
  replaced(): PageFile[];
  /** How many pages were written (including moves), and how many were deleted. */
  counts(): { changed: number; deleted: number };
}

interface EditedPagesSource {
  tree: Tree;
  edits: Pick<FileEdits, 'changes'>;
  origins: PageOrigins;
  isPage: (path: string) => boolean;
  fileOf: (path: string) => PageFile;
}

export function createSitePageChanges({
  tree,
  edits,
  origins,
  isPage,
  fileOf,
}: EditedPagesSource): SitePageChanges {
  const listChanges = () => edits.changes().filter(({ path }) => isPage(path));
  const wasInCommit = (path: string) => tree.entries.has(path);
  const listTouched = () => {
    const { written = [], deleted = [] } = Object.groupBy(listChanges(), ({ content }) =>
      content === null ? 'deleted' : 'written',
    );
    return {
      created: written.filter(({ path }) => !wasInCommit(path)).map(({ path }) => fileOf(path)),
      modified: written.filter(({ path }) => wasInCommit(path)).map(({ path }) => fileOf(path)),
      deleted: deleted.map(({ path }) => fileOf(path)),
    };
  };
  return {
    touched: listTouched,
    moved: () =>
      listChanges().flatMap(({ path, content }) => {
        const from = content === null ? undefined : origins.movedFrom(path);
        if (from === undefined || from === path) return [];
        return [{ from: fileOf(from).slug, to: fileOf(path).slug, isOver: wasInCommit(path) }];
      }),
    replaced: () =>
      listTouched().modified.filter(({ path }) => (origins.copiedFrom(path) ?? path) !== path),
    counts: () => {
      const { created, modified, deleted } = listTouched();
      const writtenPages = [...created, ...modified];
      const movedFrom = new Set(writtenPages.map(({ path }) => origins.movedFrom(path)));
      return {
        changed: writtenPages.length,
        deleted: deleted.filter(({ path }) => !movedFrom.has(path)).length,
      };
    },
  };
}
