import type { PageFile } from '../contract/site.ts';
import { DomainError, invalidInputError, notFoundError } from '../errors.ts';
import type { EditableUrl, TextEdits } from '../sites/formats/pageParts.ts';
import { resolveLinkTarget, type LinkingSite } from '../sites/pages/links/resolveLinkTarget.ts';
import type { Tree } from '../sites/git/repository.ts';
import { readPageSource } from '../sites/pages/pageSource.ts';
import type { PageSource } from '../sites/formats/format.ts';
import type { PageMethods } from '../sites/pages/pages.ts';
import { pathOfSlug } from './currentPage.ts';
import type { EditableText, OpenedPage } from './protocol.ts';

const MAX_OFFERS = 500;
const MAX_URL_LENGTH = 2_000;
const pictureFileName = /\.(?:avif|gif|ico|jpe?g|png|svg|webp)$/i;

/** The URL of a link or an image as an editable text, with its name as the label. */
export const toUrlText = ({ id, kind, name, value }: EditableUrl): EditableText => ({
  id,
  role: kind === 'link' ? 'link-target' : 'image-file',
  section: name === '' ? null : name,
  texts: [value],
  marks: [],
});

/** Suggestions: the site's first 500 pages for links, and its first 500 image files for images. */
export function suggestTargets(
  pages: Pick<PageMethods, 'isPage' | 'slugOf'>,
  sitePaths: string[],
): OpenedPage['offers'] {
  const slugs = sitePaths.filter((path) => pages.isPage(path)).map((path) => pages.slugOf(path));
  const images = sitePaths.filter((path) => pictureFileName.test(path)).map((path) => `/${path}`);
  return { pages: slugs.sort().slice(0, MAX_OFFERS), images: images.sort().slice(0, MAX_OFFERS) };
}

/**
 * Changes the targets of links and the files of images of a page.
 * @param edits the new values by the ids of the URLs, such as `{ 's12.href': ['/contact'] }`
 * @param tree the site's files
 * @returns the changed page
 * @throws DomainError INVALID_INPUT for an address that is empty, too long or not allowed;
 *   NOT_FOUND for a target or file that does not exist
 */
export async function setUrls(
  pages: PageMethods,
  page: PageSource,
  { edits, ...site }: { edits: TextEdits } & EditedSiteFiles,
): Promise<PageSource> {
  let changedPage = page;
  for (const [id, [value = '']] of Object.entries(edits)) {
    if (value.length > MAX_URL_LENGTH)
      throw new DomainError(
        'INVALID_INPUT',
        `A link can have at most ${MAX_URL_LENGTH} characters. Type a shorter one.`,
      );
    const source = id.endsWith('.href')
      ? await pages.setLink(
          changedPage,
          id,
          await readLinkTarget(pages, changedPage, { value, ...site }),
        )
      : await setImageFile(pages, changedPage, { id, value, ...site });
    changedPage = { ...changedPage, source };
  }
  return changedPage;
}

/** What can be wrong with the target of a link, or the file of an image. */
export const linkProblems = {
  noTarget: 'A link has no target. Type an address, then save.',
  noPage: (slug: string) => `The site has no page ${slug}. Choose another one.`,
  noPicture: (path: string) => `The site has no file /${path}. Choose one of its pictures.`,
};

interface EditedSiteFiles {
  tree: Tree;
  sitePaths: string[];
}

type UrlEdit = EditedSiteFiles & { value: string };

function readLinkTarget(pages: PageMethods, page: PageSource, { value, tree, sitePaths }: UrlEdit) {
  if (value.trim() === '') throw invalidInputError(linkProblems.noTarget);
  const site: LinkingSite = {
    pageAt: (slug) => pageWithSlug(pages, sitePaths, slug),
    hasOtherFile: (path) => sitePaths.includes(path) && !pages.isPage(path),
    anchors: async ({ path }) =>
      pages.anchors(path === page.path ? page : await readPageSource(tree, path)),
  };
  return resolveLinkTarget(
    site,
    { path: page.path, slug: pages.slugOf(page.path) },
    value.trim().replaceAll(' ', '%20'),
  );
}

function pageWithSlug(pages: PageMethods, sitePaths: string[], slug: string): PageFile {
  const path = pathOfSlug(pages, sitePaths, slug);
  if (path === undefined) throw notFoundError(linkProblems.noPage(slug));
  return { path, slug };
}

async function setImageFile(
  pages: PageMethods,
  page: PageSource,
  { id, value, sitePaths }: UrlEdit & { id: string },
) {
  const path = value.trim().replace(/^\//, '');
  if (!sitePaths.includes(path)) throw notFoundError(linkProblems.noPicture(path.slice(0, 200)));
  const { urls } = await pages.readTexts(page);
  const alt = urls.find((editableUrl) => editableUrl.id === id)?.name ?? '';
  return pages.setImage(page, { id, alt, target: { path, slug: null, query: '', fragment: '' } });
}
