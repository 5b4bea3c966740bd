import type { PageFile } from '../../../contract/site.ts';
import { notFoundError } from '../../../errors.ts';
import type { Tree } from '../../git/repository.ts';
import type { LinkingSite } from './resolveLinkTarget.ts';
import type { PageMethods } from '../pages.ts';
import { readPageSource } from '../pageSource.ts';

interface CreatedPages {
  /** The pages that a task makes. They may be on the site already. */
  created: readonly PageFile[];
  /** The path of the page that they are made from. */
  template: string;
}

/**
 * The pages and files to which a link may lead: those of a commit, and the pages that a task makes.
 * A page that the task makes has the anchors of its template.
 */
export function createLinkingSite(
  tree: Tree,
  pages: Pick<PageMethods, 'isPage' | 'slugOf' | 'anchors'>,
  { created, template }: CreatedPages,
): LinkingSite {
  const isRegular = (path: string) => tree.entries.get(path)?.mode.startsWith('100') ?? false;
  const createdPaths = new Set(created.map(({ path }) => path));
  let pathsBySlug: Map<string, string> | undefined;
  const pathOfSlug = (slug: string) => {
    pathsBySlug ??= new Map(
      [...tree.entries.keys()]
        .filter((path) => pages.isPage(path) && isRegular(path))
        .map((path) => [pages.slugOf(path), path]),
    );
    return pathsBySlug.get(slug);
  };
  return {
    pageAt: (slug) => {
      const createdPage = created.find((page) => page.slug === slug);
      const path = createdPage ? createdPage.path : pathOfSlug(slug);
      if (path === undefined) throw notFoundError(`Page not found: ${slug}`);
      return { slug, path };
    },
    hasOtherFile: (path) => isRegular(path) && !pages.isPage(path),
    anchors: async ({ path }) =>
      pages.anchors(await readPageSource(tree, createdPaths.has(path) ? template : path)),
  };
}
