import type { PageFile } from '../../contract/site.ts';
import { notFound } from '../../errors.ts';
import type { Tree } from '../git/repository.ts';
import type { LinkingSite } from './linkTarget.ts';
import type { Pages } from './pages.ts';
import { readPageSource } from './pageSource.ts';

interface Made {
  /** The pages that a task makes. They may be on the site already. */
  created: readonly PageFile[];
  /** The path of the page that they are made from. */
  template: string;
}

/** The site of a commit with the pages that a task makes from a template. */
export function linkingSite(
  tree: Tree,
  pages: Pick<Pages, 'isPage' | 'slugOf' | 'anchors'>,
  { created, template }: Made,
): LinkingSite {
  const isRegular = (path: string) => tree.entries.get(path)?.mode.startsWith('100') ?? false;
  const own = new Set(created.map(({ path }) => path));
  let bySlug: Map<string, string> | undefined;
  const pageOn = (slug: string) => {
    bySlug ??= new Map(
      [...tree.entries.keys()]
        .filter((path) => pages.isPage(path) && isRegular(path))
        .map((path) => [pages.slugOf(path), path]),
    );
    return bySlug.get(slug);
  };
  return {
    pageAt: (slug) => {
      const found = created.find((page) => page.slug === slug);
      const path = found ? found.path : pageOn(slug);
      if (path === undefined) throw notFound(`Page not found: ${slug}`);
      return { slug, path };
    },
    hasOtherFile: (path) => isRegular(path) && !pages.isPage(path),
    anchors: async ({ path }) =>
      pages.anchors(await readPageSource(tree, own.has(path) ? template : path)),
  };
}
