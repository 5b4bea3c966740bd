import type { PageFile } from '../contract/site.ts';
import { DomainError } from '../errors.ts';
import type { PageAddress, TextEdits } from '../sites/formats/page.ts';
import { linkTarget, type LinkingSite } from '../sites/pages/linkTarget.ts';
import type { Tree } from '../sites/git/repository.ts';
import { readPageSource } from '../sites/pages/pageSource.ts';
import type { PageSource } from '../sites/formats/format.ts';
import type { Pages } from '../sites/pages/pages.ts';
import { pathOf } from './currentPage.ts';
import type { EditableText, OpenedPage } from './protocol.ts';

const OFFERED = 500;
const LONGEST = 2_000;
const picture = /\.(?:avif|gif|ico|jpe?g|png|svg|webp)$/i;

/**
 * The address of a link or an image as an editable text, labelled with the link's or image's name.
 */
export const addressText = ({ id, kind, name, value }: PageAddress): EditableText => ({
  id,
  role: kind === 'link' ? 'link-target' : 'image-file',
  section: name === '' ? null : name,
  texts: [value],
  marks: [],
});

/** Suggestions: the site's first 500 pages for links, and its first 500 image files for images. */
export function offersOf(
  pages: Pick<Pages, 'isPage' | 'slugOf'>,
  sitePaths: string[],
): OpenedPage['offers'] {
  const slugs = sitePaths.filter((path) => pages.isPage(path)).map((path) => pages.slugOf(path));
  const images = sitePaths.filter((path) => picture.test(path)).map((path) => `/${path}`);
  return { pages: slugs.sort().slice(0, OFFERED), images: images.sort().slice(0, OFFERED) };
}

/**
 * Changes the targets of links and the files of images.
 * @param edits the new values, by the addresses' ids
 * @param tree the site's files
 * @throws DomainError INVALID_INPUT; NOT_FOUND for a target or file that does not exist
 */
export async function setAddresses(
  pages: Pages,
  page: PageSource,
  { edits, ...site }: { edits: TextEdits } & Site,
): Promise<PageSource> {
  let changed = page;
  for (const [id, [value = '']] of Object.entries(edits)) {
    if (value.length > LONGEST)
      throw new DomainError(
        'INVALID_INPUT',
        `An address has at most ${LONGEST} characters. Type a shorter one.`,
      );
    const source = id.endsWith('.href')
      ? await pages.setLink(changed, id, await targetOf(pages, changed, { value, ...site }))
      : await setImage(pages, changed, { id, value, ...site });
    changed = { ...changed, source };
  }
  return changed;
}

interface Site {
  tree: Tree;
  sitePaths: string[];
}

type Address = Site & { value: string };

function targetOf(pages: Pages, page: PageSource, { value, tree, sitePaths }: Address) {
  if (value.trim() === '')
    throw new DomainError('INVALID_INPUT', 'A link leads nowhere. Type an address, then save.');
  const site: LinkingSite = {
    pageAt: (slug) => pageAt(pages, sitePaths, slug),
    hasOtherFile: (path) => sitePaths.includes(path) && !pages.isPage(path),
    anchors: async ({ path }) =>
      pages.anchors(path === page.path ? page : await readPageSource(tree, path)),
  };
  return linkTarget(
    site,
    { path: page.path, slug: pages.slugOf(page.path) },
    value.trim().replaceAll(' ', '%20'),
  );
}

function pageAt(pages: Pages, sitePaths: string[], slug: string): PageFile {
  const path = pathOf(pages, sitePaths, slug);
  if (path === undefined)
    throw new DomainError('NOT_FOUND', `The site has no page ${slug}. Choose another one.`);
  return { path, slug };
}

async function setImage(
  pages: Pages,
  page: PageSource,
  { id, value, sitePaths }: Address & { id: string },
) {
  const path = value.trim().replace(/^\//, '');
  if (!sitePaths.includes(path))
    throw new DomainError(
      'NOT_FOUND',
      `The site has no file /${path.slice(0, 200)}. Choose one of its pictures.`,
    );
  const { addresses } = await pages.readTexts(page);
  const alt = addresses.find((address) => address.id === id)?.name ?? '';
  return pages.setImage(page, { id, alt, target: { path, slug: null, query: '', fragment: '' } });
}
