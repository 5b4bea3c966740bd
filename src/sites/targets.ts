import type { PageFile } from '../contract/site.ts';
import { DomainError } from '../errors.ts';
import type { Pages } from './pages.ts';
import type { Tree } from './repository.ts';

/** Where a page that is asked for goes. `existing`: its file is there already. */
export interface Target extends PageFile {
  existing: boolean;
}

/**
 * Files for the asked-for pages: a page that exists keeps its own file, a new one follows the template's convention.
 * @param slugs normalized slugs
 * @throws PAGE_EXISTS where names differ only in case, or a file and a folder would share a name
 */
export function planTargets(tree: Tree, pages: Pages, templatePath: string, slugs: string[]): Target[] {
  const paths = [...tree.entries.keys()];
  const bySlug = new Map(paths.filter((path) => pages.isPage(path)).map((path) => [fold(pages.slugOf(path)), path]));
  const targets = slugs.map((slug) => {
    const found = bySlug.get(fold(slug));
    if (found && pages.slugOf(found) !== slug) throw clash(slug, pages.slugOf(found));
    return { slug, path: found ?? pages.pathOf(slug, templatePath), existing: found !== undefined };
  });
  refuseClashes(paths, targets);
  return targets;
}

const fold = (text: string) => text.normalize('NFC').toLowerCase();
const foldersOf = (path: string) => path.split('/').map((_, i, all) => all.slice(0, i).join('/')).slice(1);

function refuseClashes(paths: string[], targets: Target[]) {
  const added = targets.filter(({ existing }) => !existing);
  const all = [...paths, ...added.map(({ path }) => path)];
  const files = new Map(all.map((path) => [fold(path), path]));
  const folders = new Set(all.flatMap(foldersOf).map(fold));
  for (const { slug, path } of added) {
    const file = [path, ...foldersOf(path)].map(fold).find((name, i) => (i > 0 ? files.has(name) : folders.has(name)));
    if (file !== undefined) throw clash(slug, file);
    const twin = files.get(fold(path));
    if (twin !== undefined && (twin !== path || paths.includes(path))) throw clash(slug, twin);
  }
}

const clash = (slug: string, other: string) =>
  new DomainError('PAGE_EXISTS', `Page already exists: ${slug} (it shares its name with "${other}" in the site)`);
