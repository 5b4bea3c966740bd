/**
 * A file of a commit, by its path relative to the site's root, which is the folder of its pages in
 * the repository. `id` is its blob. `mode` is git's: 100644, 100755, 120000 (symlink), 160000
 * (submodule).
 */
export interface TreeEntry {
  path: string;
  id: string;
  mode: string;
  /** Bytes. */
  size: number;
  /**
   * The source of an entry of a data file, which is a page (`src/_data/cities.json#berlin`). Absent
   * for a file.
   */
  text?: string;
  /** The entries of a data file that are pages. They follow it in the tree. */
  parts?: TreeEntry[];
  /** Why a data file, or some entries of it, are not pages, as sentences. */
  problems?: string[];
}

/** A file to write (content) or to delete (null), by its path relative to the site's root. */
export interface FileChange {
  path: string;
  content: string | null;
  /**
   * The path of the entry that a new entry of a data file follows. Default: the last one. It has no
   * meaning for files.
   */
  after?: string;
}

/** The files of one commit below the site's root. */
export interface SiteTree {
  commit: string;
  entries: ReadonlyMap<string, TreeEntry>;
  /**
   * The text of a file, UTF-8 with its BOM kept.
   * Throws PAGE_UNREADABLE if it is not UTF-8, NOT_FOUND if there is no such file.
   */
  read(path: string): Promise<string>;
}
