import { DomainError } from '../errors.ts';
import type { PageSource, Pages, TemplateContent } from './pages.ts';
import type { Tree } from './repository.ts';

const SISTERS = 12;

/** The template's file. Throws TEMPLATE_NOT_FOUND. */
export function findTemplate(tree: Tree, pages: Pages, slug: string): string {
  const path = [...tree.entries.keys()].find((file) => pages.isPage(file) && pages.slugOf(file) === slug);
  if (path === undefined) throw new DomainError('TEMPLATE_NOT_FOUND', `Template page not found: ${slug}`);
  return path;
}

/** Pages whose common texts show what is the site's chrome: the template's neighbours first, always the same ones for the same tree. */
export async function readSisters(tree: Tree, pages: Pages, templatePath: string): Promise<PageSource[]> {
  const folder = templatePath.slice(0, templatePath.lastIndexOf('/') + 1);
  const others = [...tree.entries.values()].filter(({ path, mode }) => mode.startsWith('100') && path !== templatePath && pages.isPage(path));
  const distance = (path: string) => (path.startsWith(folder) ? 0 : 1);
  others.sort((a, b) => distance(a.path) - distance(b.path) || (a.path < b.path ? -1 : 1));
  // every third of a large neighbourhood would miss the rest of the site: half neighbours, half others
  const near = others.filter(({ path }) => distance(path) === 0).slice(0, SISTERS / 2);
  const chosen = [...near, ...others.filter((entry) => !near.includes(entry))].slice(0, SISTERS);
  return Promise.all(chosen.map(async ({ path }) => ({ path, source: await tree.read(path) })));
}

/** Slots of the template with the site's chrome locked. */
export async function readTemplate(tree: Tree, pages: Pages, path: string): Promise<TemplateContent> {
  const [source, sisters] = await Promise.all([tree.read(path), readSisters(tree, pages, path)]);
  return pages.readTemplate({ path, source }, sisters);
}
