import { valueFields } from '../../contract/notes/mergeNotes.ts';
import { nullIfFinal } from '../../errors.ts';
import { limits, type Note, createPageNote } from '../../contract/task.ts';
import { listFirstNames } from '../../contract/text/summaries.ts';
import type { Tree } from '../git/repository.ts';
import type { PageMethods } from '../pages/pages.ts';
import { isDerived, listsPages, SITEMAP } from '../pages/sitemap/derivedFiles.ts';
import { urlFolder, parseReference, slugOfUrl } from '../pages/urls/urls.ts';
import { REDIRECTS } from '../redirects/hostFileNames.ts';
import type { NotableEffects } from './changeNotes.ts';

const ROBOTS = 'robots.txt';
/** Files in which hosts may find redirects. */
const hostRules = new Set(['vercel.json', 'netlify.toml', '.htaccess', 'firebase.json']);
const MOST_FILES = 10;
const MOST_NAMED = 10;

/** A file that lists pages, such as a sitemap. */
interface ListingFile {
  path: string;
  /** The slugs of the pages that it lists. */
  slugs: ReadonlySet<string>;
}

type ListingCalls = Pick<PageMethods, 'isPage' | 'slugOf' | 'readRedirects' | 'listedSlugs'>;
type ListedPages = Pick<NotableEffects, 'changed' | 'moved' | 'redirects' | 'paths'> & {
  tree: Tree;
};

/**
 * Makes notes on files that list pages and that the task left as they were, such as llms.txt or
 * vercel.json: "llms.txt lists other pages of the same folder, but not this page". Also on files
 * and redirects that still lead to the URL of a deleted or moved page.
 */
export async function listingNotes(
  pages: ListingCalls,
  { tree, changed, moved, redirects, paths }: ListedPages,
): Promise<Note[]> {
  const { created, deleted } = changed;
  if (created.length + deleted.length === 0) return [];
  const { files, compressed } = await listingFiles(tree, pages, new Set(paths));
  if (files.length + compressed.length + deleted.length === 0) return [];
  const slugs = [...tree.entries.keys()].filter(pages.isPage).map((path) => pages.slugOf(path));
  const byFolder = Map.groupBy(slugs, urlFolder);
  const movedTo = new Map(moved.map(({ from, to }) => [from, to]));
  const isMoved = (slug: string) => moved.some(({ to }) => to === slug);
  const missingNotes = created.flatMap(({ slug }): Note[] => {
    const siblings = (byFolder.get(urlFolder(slug)) ?? []).filter((one) => one !== '/');
    const listing = files.filter(
      (file) =>
        !hostRules.has(file.path) &&
        siblings.some((one) => file.slugs.has(one)) &&
        !file.slugs.has(slug),
    );
    if (listing.length === 0 || isMoved(slug)) return [];
    const values = listing.map(({ path }) => path);
    return [
      createPageNote(
        slug,
        'part',
        `${listed(values)} other pages of the same folder, but not this page`,
        {
          values,
        },
      ),
    ];
  });
  const leading = await redirectsTo(tree, pages, deleted.length > 0);
  const stale = deleted.flatMap(({ slug }): Note[] => {
    const values = files.filter((file) => file.slugs.has(slug)).map(({ path }) => path);
    const isLed = redirects.some(({ from }) => from === slug);
    const from = isLed ? [] : (leading.get(slug) ?? []).slice(0, MOST_NAMED);
    const owner = movedTo.get(slug) ?? slug;
    return [
      ...(values.length > 0
        ? [
            createPageNote(owner, 'part', `${listed(values)} the former URL of the page, ${slug}`, {
              values,
            }),
          ]
        : []),
      ...(from.length > 0
        ? [
            createPageNote(
              owner,
              'part',
              `redirects in ${REDIRECTS} still lead to the page: ${listFirstNames(from)}`,
              {
                values: from,
              },
            ),
          ]
        : []),
    ];
  });
  return [...missingNotes, ...stale, ...compressedNotes(paths.some(isDerived) ? [] : compressed)];
}

/** Puts the files that may name others first. */
const byIndexes = (first: string, second: string) =>
  Number(second === ROBOTS || second === SITEMAP) - Number(first === ROBOTS || first === SITEMAP);

const listed = (paths: string[]) =>
  `${listFirstNames(paths)} ${paths.length === 1 ? 'lists' : 'list'}`;

/** A note on compressed sitemaps, which the service does not update. */
function compressedNotes(paths: string[]): Note[] {
  if (paths.length === 0) return [];
  const [verb, pronoun] = paths.length === 1 ? ['is', 'it'] : ['are', 'them'];
  const text = `${listFirstNames(paths)} ${verb} compressed: update ${pronoun} with the changed pages`;
  return [{ kind: 'part', text, ...valueFields(paths) }];
}

/** The files that list pages, and the paths of the compressed ones that these files name. */
async function listingFiles(
  tree: Tree,
  pages: ListingCalls,
  changed: ReadonlySet<string>,
): Promise<{ files: ListingFile[]; compressed: string[] }> {
  const readAll = async (paths: string[]) => {
    const isReadable = (path: string) =>
      (tree.entries.get(path)?.size ?? Infinity) <= limits.pageBytes;
    const pendingFiles = paths.filter(isReadable).map(async (path): Promise<ListingFile[]> => {
      const source = await tree.read(path).catch(nullIfFinal);
      if (source === null) return [];
      return [{ path, slugs: new Set(await pages.listedSlugs({ path, source })) }];
    });
    return (await Promise.all(pendingFiles)).flat();
  };
  const isListing = (path: string) =>
    (listsPages(path) || hostRules.has(path)) && !changed.has(path);
  const paths = [...tree.entries.keys()].filter(isListing).toSorted(byIndexes);
  const files = await readAll(paths.slice(0, MOST_FILES));
  // an index of sitemaps, and the rules for robots, may name files of any name
  const indexes = files.filter(({ path }) => isDerived(path) || path === ROBOTS);
  const named = indexes.flatMap(({ slugs }) => [...slugs].map((slug) => slug.slice(1)));
  const known = new Set([...paths, ...changed]);
  const others = named.filter(
    (path) => path.endsWith('.xml') && tree.entries.has(path) && !known.has(path),
  );
  const compressed = named.filter((path) => path.endsWith('.xml.gz') && tree.entries.has(path));
  const otherFiles = await readAll(others.slice(0, MOST_FILES));
  return { files: [...files, ...otherFiles], compressed: [...new Set(compressed)] };
}

/** The URL paths that redirect to each page, by its slug. */
async function redirectsTo(
  tree: Tree,
  pages: Pick<PageMethods, 'readRedirects'>,
  isAsked: boolean,
): Promise<Map<string, string[]>> {
  if (!isAsked || !tree.entries.has(REDIRECTS)) return new Map();
  const source = await tree.read(REDIRECTS).catch(nullIfFinal);
  const rules = source === null ? [] : await pages.readRedirects(source);
  const leading = new Map<string, string[]>();
  for (const { from, to } of rules) {
    const slug = slugOfUrl(parseReference(to).path);
    if (to.startsWith('/')) leading.set(slug, [...(leading.get(slug) ?? []), from]);
  }
  return leading;
}
