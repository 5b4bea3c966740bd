import { createHash } from 'node:crypto';
import type {
  ComparedPage,
  ComparisonRequest,
  PageComparison,
  PageReviewer,
  ReviewedPage,
} from '../../../contract/reviews/pageReviews.ts';
import { reviewLimits } from '../../../contract/reviews/pageReviews.ts';
import { withoutUndefined } from '../../../contract/withoutUndefined.ts';
import { DomainError } from '../../../errors.ts';
import { createSharedCache } from '../../../singleFlight.ts';
import type { GitRepositories, Tree } from '../../../sites/git/repository.ts';
import { unreadableSiteError } from '../../../sites/git/remote/productionHeads.ts';
import type { PageMethods, PagesPool } from '../../../sites/pages/pages.ts';
import { isRegular, readPageSource } from '../../../sites/pages/pageSource.ts';
import type { ComparedText } from '../../../sites/pages/texts/diffPageTexts.ts';
import type { TemplateDifferences } from '../../../sites/pages/texts/compareWithTemplate.ts';
import type { PageTextCalls, TextsPool } from '../../shared/texts/textsPool.ts';
import type { DifferingPlace, SiblingPage } from '../../shared/texts/findOddPages.ts';

interface PageReviewerDeps {
  repositories: GitRepositories;
  pages: Pick<PagesPool, 'for'>;
  texts: Pick<TextsPool, 'for'>;
}

const MAX_CACHED_LENGTH = 64_000_000;
/** Characters of all differences that are compared: enough for 1,000 usual pages. */
const MAX_TEXTS_LENGTH = 12_000_000;
/** Pages and bytes of one call. */
const PAGES_PER_CALL = 20;
const BYTES_PER_CALL = 1_000_000;

/**
 * Makes the reviewer: it compares the pages of a task or batch with their templates, and says what
 * is odd about each among its siblings. Commits never change, so comparisons are cached, and
 * concurrent callers share one.
 */
export function createPageReviewer({ repositories, pages, texts }: PageReviewerDeps): PageReviewer {
  const comparisons = createSharedCache<PageComparison>({
    maxSize: MAX_CACHED_LENGTH,
    sizeOf: (comparison) => JSON.stringify(comparison).length,
  });
  return {
    async compare(request, { organizationId, signal: callerSignal }) {
      const readComparison = async (signal: AbortSignal) => {
        const repository = repositories.open(request.site);
        const work = { organizationId, signal };
        return compareTrees(request, {
          pages: pages.for(work),
          texts: texts.for(work),
          shown: await repository.tree(request.shown, signal),
          base: await repository.tree(request.base, signal),
        });
      };
      try {
        return await comparisons.read(comparisonKey(request), readComparison, callerSignal);
      } catch (error) {
        throw unreadableSiteError(error);
      }
    },

    async versions({ site, shown }, { organizationId, signal }) {
      try {
        const tree = await repositories.open(site).tree(shown, signal);
        const paths = pathsBySlug(tree, pages.for({ organizationId, signal }));
        return new Map([...paths].map(([slug, path]) => [slug, tree.entries.get(path)!.id]));
      } catch (error) {
        throw unreadableSiteError(error);
      }
    },

    async frame({ site, commit, slug, ...framing }, { organizationId, signal }) {
      const sitePages = pages.for({ organizationId, signal });
      const tree = await repositories.open(site).tree(commit, signal);
      const path = pathsBySlug(tree, sitePages).get(slug);
      if (path === undefined) throw new DomainError('NOT_FOUND', `Page not found: ${slug}`);
      return sitePages.frame(await readPageSource(tree, path), framing);
    },
  };
}

function comparisonKey({ site, shown, base, pages }: ComparisonRequest): string {
  const digest = createHash('sha256').update(JSON.stringify(pages)).digest('hex');
  return [site.siteId, site.repository.root, base.commit, shown.commit, digest].join(' ');
}

interface ComparedTrees {
  pages: PageMethods;
  texts: PageTextCalls;
  shown: Tree;
  base: Tree;
}

/** The page files by slug. If several files have a slug, the one that visitors get. */
const pathsBySlug = (tree: Tree, pages: PageMethods): Map<string, string> =>
  new Map(
    [...tree.entries.keys()]
      .filter((path) => pages.isPage(path) && isRegular(tree, path))
      .toReversed()
      .map((path) => [pages.slugOf(path), path]),
  );

/** A page with its file in the shown commit. */
interface ShownFile {
  slug: string;
  path: string;
}

async function compareTrees(
  { pages: reviewedPages }: ComparisonRequest,
  trees: ComparedTrees,
): Promise<PageComparison> {
  const shownPaths = pathsBySlug(trees.shown, trees.pages);
  const basePaths = pathsBySlug(trees.base, trees.pages);
  const shownPages = reviewedPages.filter(({ slug }) => shownPaths.has(slug));
  const comparison: PageComparison = { places: [], pages: [], omitted: 0 };
  const groups = Map.groupBy(
    shownPages.slice(0, reviewLimits.pages),
    ({ template }) => basePaths.get(template ?? '') ?? null,
  );
  let textsLength = 0;
  for (const [templatePath, groupPages] of groups) {
    const files = groupPages.map(({ slug }) => ({ slug, path: shownPaths.get(slug)! }));
    const group: ComparedGroup = { siblings: [], unreadable: [] };
    for (const chunk of chunkFiles(files, trees.shown)) {
      if (textsLength > MAX_TEXTS_LENGTH) break;
      const differences = await compareFiles(trees, templatePath, chunk);
      textsLength += JSON.stringify(differences).length;
      chunk.forEach((file, index) => {
        const difference = differences[index];
        if (difference) group.siblings.push({ ...file, ...difference });
        else group.unreadable.push(file);
      });
    }
    await addGroup(comparison, trees, group);
  }
  comparison.omitted = shownPages.length - comparison.pages.length;
  comparison.pages = sortOddFirst(comparison.pages, reviewedPages);
  return comparison;
}

/** Odd pages first, then in the order of the request. */
function sortOddFirst(pages: ComparedPage[], reviewedPages: ReviewedPage[]): ComparedPage[] {
  const positions = new Map(reviewedPages.map(({ slug }, index) => [slug, index]));
  const rank = ({ slug, oddities }: ComparedPage) =>
    (oddities.length === 0 ? reviewedPages.length : 0) + positions.get(slug)!;
  return pages.toSorted((page, other) => rank(page) - rank(other));
}

/** The pages of one template, and those that can't be read. */
interface ComparedGroup {
  siblings: (SiblingPage & ShownFile)[];
  unreadable: ShownFile[];
}

/** Adds the pages of one template. Ids of places begin with the number of places before it. */
async function addGroup(
  comparison: PageComparison,
  { texts, shown }: ComparedTrees,
  { siblings, unreadable }: ComparedGroup,
): Promise<void> {
  const version = ({ path }: ShownFile) => shown.entries.get(path)!.id;
  const prefix = comparison.places.length;
  const placeId = (place: string) => `${prefix} ${place}`;
  const { places, oddities } = await texts.findOddPages(
    siblings.map(({ slug, texts: differingTexts, ownShare }) => ({
      slug,
      texts: differingTexts,
      ownShare,
    })),
  );
  const knownPlaces = new Set(places.map(({ place }) => place));
  comparison.places.push(...places.map((place) => presentPlace(place, placeId(place.place))));
  siblings.forEach((sibling, index) => {
    comparison.pages.push({
      slug: sibling.slug,
      version: version(sibling),
      texts: sibling.texts
        .filter(({ place }) => knownPlaces.has(place))
        .map(({ place, after }) => ({
          placeId: placeId(place),
          slot: after?.id ?? null,
          text: cutText(after),
        })),
      oddities: oddities[index]!.map(({ code, place }) =>
        place === undefined ? { code } : { code, placeId: placeId(place) },
      ),
    });
  });
  for (const file of unreadable)
    comparison.pages.push({
      slug: file.slug,
      version: version(file),
      texts: [],
      oddities: [{ code: 'unreadable' }],
    });
}

const cutText = (text: ComparedText | null) =>
  text &&
  (text.plain.length > reviewLimits.textLength
    ? `${text.plain.slice(0, reviewLimits.textLength - 1)}…`
    : text.plain);

function presentPlace({ before, words, example }: DifferingPlace, placeId: string) {
  const { role, level, section } = (before ?? example)!;
  return {
    placeId,
    role,
    section: section?.slice(0, reviewLimits.textLength) ?? null,
    slot: before?.id ?? null,
    text: cutText(before),
    ...withoutUndefined({ level, words: words?.slice(0, reviewLimits.wordsLength) }),
  };
}

/**
 * Compares files with their template in one call. Where one of them can't be read, compares each
 * alone: null for a file that can't be read.
 */
async function compareFiles(
  trees: ComparedTrees,
  templatePath: string | null,
  files: ShownFile[],
): Promise<(TemplateDifferences | null)[]> {
  const { pages, shown, base } = trees;
  try {
    const template =
      templatePath !== null && isRegular(base, templatePath)
        ? await readPageSource(base, templatePath)
        : null;
    const sources = await Promise.all(files.map(({ path }) => readPageSource(shown, path)));
    return await pages.compareAll(sources[0]!, template, sources.slice(1));
  } catch (error) {
    const isOfPage =
      error instanceof DomainError && !error.retryable && error.code !== 'GIT_FAILED';
    if (!isOfPage) throw error;
    if (files.length === 1) return [null];
    const results: (TemplateDifferences | null)[] = [];
    for (const file of files) results.push(...(await compareFiles(trees, templatePath, [file])));
    return results;
  }
}

function chunkFiles(files: ShownFile[], { entries }: Tree): ShownFile[][] {
  const chunks: ShownFile[][] = [];
  let bytes = Infinity;
  for (const file of files) {
    const { size } = entries.get(file.path)!;
    if (bytes + size > BYTES_PER_CALL || chunks.at(-1)!.length === PAGES_PER_CALL) {
      chunks.push([]);
      bytes = 0;
    }
    chunks.at(-1)!.push(file);
    bytes += size;
  }
  return chunks;
}
