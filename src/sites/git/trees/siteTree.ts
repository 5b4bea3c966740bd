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
}

/** A file to write (content) or to delete (null), by its path relative to the site's root. */
export interface FileChange {
  path: string;
  content: string | null;
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
