import { markdownExtension } from '../../formats/paths.ts';
import { trimEndCharacters } from '../../../contract/text/summaries.ts';
import { readEntryPath } from '../../dataFiles/entryPaths.ts';
import type { PageSource } from '../../formats/format.ts';
import type { SettingValue } from './settingValues.ts';

/** What a generator derives the URL of a page from. */
export interface GeneratorInput {
  /** The path of the page's file, from the root of the site. */
  path: string;
  frontMatter: SettingValue[];
  /** The configuration files of the generator that the site has, and those of the page's folder. */
  files: PageSource[];
}

/** A static site generator. */
export interface Generator {
  /**
   * The path of a page in URLs, from the root of the site: `/blog/first/`.
   * @returns null if it can't be known, or if the generator makes no page from the file
   */
  urlPathOf(page: GeneratorInput): string | null;
}

/** A path without the ending of its file, and without `index`: `blog/x/index.md` → `blog/x`. */
export const stemOf = (path: string): string =>
  path
    .replace(markdownExtension, '')
    .replace(/(^|\/)index$/i, '$1')
    .replace(/\/$/, '');

export const lastNameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
export const folderNameOf = (path: string): string =>
  path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '';

/**
 * A path below a folder, or an entry of a data file: `docs/a/b.md` below `docs` → `a/b.md`,
 * `cities.json#berlin` below `cities.json` → `berlin`. Null if it is not in there.
 */
export function pathBelow(folder: string, path: string): string | null {
  const start = trimEndCharacters(folder, '/')
    .replace(/^(?:\.?\/)+/, '')
    .replace(/^\.$/, '');
  if (start === '') return path;
  const isBelow = path.startsWith(`${start}/`) || readEntryPath(path)?.file === start;
  return isBelow ? path.slice(start.length + 1) : null;
}

/** Joins parts of a URL's path: `''`, `docs/`, `/x` → `/docs/x`. */
export const joinUrlPath = (...parts: string[]): string =>
  `/${parts.join('/')}`.replace(/\/{2,}/g, '/');
