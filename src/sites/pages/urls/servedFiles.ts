import { normalizeText } from '../../../contract/normalizeText.ts';
import type { Tree, TreeEntry } from '../../git/repository.ts';
import { isHostFile } from '../../redirects/hostFileNames.ts';

/** Finds the file that is served at a path relative to the site's root. */
export type ServedFileFinder = (path: string) => TreeEntry | undefined;

const regularFiles = new Set(['100644', '100755']);

/**
 * Makes a function that finds the files of a commit that visitors may see. It finds no dot-files
 * except in `.well-known`, no `node_modules` and `package*.json`, no `_redirects`, no symbolic
 * links and no submodules. It finds a name in either Unicode form, because file systems differ in
 * the form that they store.
 */
export function createFileFinder({ entries }: Pick<Tree, 'entries'>): ServedFileFinder {
  return (path) => {
    if (!isServedFile(path)) return undefined;
    const entry =
      entries.get(path) ??
      entries.get(normalizeText(path, 'NFC')) ??
      entries.get(normalizeText(path, 'NFD'));
    return entry && regularFiles.has(entry.mode) ? entry : undefined;
  };
}

function isServedFile(path: string): boolean {
  const names = path.split('/');
  const isHidden = (name: string, i: number) =>
    name.startsWith('.') && !(i === 0 && name === '.well-known');
  return (
    !names.some(isHidden) &&
    !names.includes('node_modules') &&
    !isHostFile(path) &&
    !/^package.*\.json$/i.test(names.at(-1) ?? '')
  );
}
