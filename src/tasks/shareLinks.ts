import type { OpenedShareResponse } from '../contract/responses.ts';
import type { NamedCreator } from '../contract/creator.ts';
import type { Site } from '../contract/site.ts';
import { type Batch, editableStates, type RowView } from '../contract/batches/batch.ts';
import { onCode } from '../errors.ts';
import type { ShareLink, ShareListPart } from '../organizations/shareLinks.ts';
import { findSite, hasRepository } from '../sites/git/registeredSite.ts';
import { rowEditUrl } from './batches/editRow.ts';
import type { NeededPorts } from './ports.ts';
import { type EditPagePorts, findEditable } from './editLink.ts';
import { requirePreview } from './previews.ts';

export type SharedTaskPorts = EditPagePorts &
  NeededPorts<'shares' | 'knownTasks' | 'sites' | 'creators' | 'publications' | 'siteComparison'>;

/** A share link with its creator, its task or batch, and its site. */
export interface ShareListing {
  share: ShareLink;
  /** null: a program created the link, or its creator is not known. */
  createdBy: NamedCreator | null;
  /**
   * The title of the task or batch. null if it is no longer stored, or if Temporal does not answer.
   */
  title: string | null;
  /** null like `title`, or if the site was removed. */
  site: Site | null;
}

/**
 * Lists a part of an organization's valid links.
 * @returns `next`: the creation time and id of the last link if there are more links, otherwise
 *   null
 */
export async function listShareLinks(
  { shares, knownTasks, batches, sites, creators }: SharedTaskPorts,
  organizationId: string,
  listPart: ShareListPart,
): Promise<{ shares: ShareListing[]; next: { at: string; id: string } | null }> {
  const { shares: foundShares, more } = await shares.listAll(organizationId, listPart);
  const namedCreators = await creators.named(foundShares.map(({ createdBy }) => createdBy));
  const [batchShares, taskShares] = [true, false].map((isBatch) =>
    foundShares.filter((share) => share.isBatch === isBatch).map(({ taskId }) => taskId),
  );
  const [tasks, foundBatches] = await Promise.all([
    knownTasks(organizationId, taskShares!),
    Promise.all([...new Set(batchShares)].map((batchId) => findKnownBatch(batchId))),
  ]);
  function findKnownBatch(batchId: string): Promise<Batch | null> {
    return batches.find(organizationId, batchId).catch(onCode(['NOT_FOUND'], null));
  }
  const titled = new Map<string, { title: string; siteId: string }>(tasks);
  for (const batch of foundBatches) if (batch) titled.set(batch.batchId, batch);
  const siteIds = [...new Set([...titled.values()].map(({ siteId }) => siteId))];
  const knownSites = await Promise.all(siteIds.map((siteId) => sites.find(organizationId, siteId)));
  const taskFacts = (taskId: string) => {
    const { title = null, siteId } = titled.get(taskId) ?? {};
    return { title, site: knownSites.find((site) => site?.siteId === siteId) ?? null };
  };
  const lastShare = foundShares.at(-1);
  return {
    shares: foundShares.map((share, i) => ({
      share,
      createdBy: namedCreators[i] ?? null,
      ...taskFacts(share.taskId),
    })),
    next: more && lastShare ? { at: lastShare.createdAt, id: lastShare.shareId } : null,
  };
}

export type OpenedSharePorts = EditPagePorts &
  NeededPorts<'sites' | 'publications' | 'siteComparison'>;

/** Which pages of an opened link to read. `cursor` is the position after the previous pages. */
export interface SharedPagesPart {
  limit: number;
  cursor?: number;
}

/** A part of the pages that a link opens. */
interface OpenedPages extends Omit<OpenedShareResponse, 'nextCursor'> {
  /** The position of the next page. null: there are no more. */
  next: number | null;
}

/**
 * A part of the pages that a link opens.
 * @param editUrlOf returns the URL at which a page can be edited; null for links without editing
 * @throws DomainError NOT_FOUND, CONFLICT if the preview is gone
 */
export async function openSharedPages(
  deps: OpenedSharePorts,
  share: ShareLink,
  { part, editUrlOf }: { part: SharedPagesPart; editUrlOf: (slug: string) => string | null },
): Promise<OpenedPages> {
  const { access, expiresAt, organizationId, isBatch } = share;
  const found = await (isBatch ? findBatchPages : findTaskPages)(deps, share, part);
  const { siteId, pagesOf, ...shownPart } = found;
  const site = await findSite(deps.sites, { organizationId, siteId });
  const publication = (await deps.publications.of([pagesOf])).get(pagesOf);
  const livePages = publication ? await findLivePages(deps, site, { pagesOf, ...shownPart }) : [];
  const pages = shownPart.pages.map(({ slug, previewUrl, isEditable, isPublished }) => ({
    slug,
    previewUrl,
    editUrl: isEditable ? editUrlOf(slug) : null,
    live: isPublished && livePages.includes(slug),
    published: isPublished && publication !== undefined,
  }));
  const host = site.ownHost ? 'own' : 'embedded';
  return { access, expiresAt, site: site.name, host, ...shownPart, pages };
}

interface SharedPage {
  slug: string;
  previewUrl: string | null;
  isEditable: boolean;
  /** For a page of a batch: whether its row was published. */
  isPublished: boolean;
}

interface SharedPagesFound {
  siteId: string;
  /** The task or batch that has the pages. */
  pagesOf: string;
  pages: SharedPage[];
  total: number;
  next: number | null;
}

async function findTaskPages(
  deps: OpenedSharePorts,
  { organizationId, taskId }: ShareLink,
  { limit, cursor = 0 }: SharedPagesPart,
): Promise<SharedPagesFound> {
  const { siteId, pages, taskId: pagesOf } = await findEditable(deps, organizationId, taskId);
  const end = cursor + limit;
  return {
    siteId,
    pagesOf,
    total: pages.length,
    next: end < pages.length ? end : null,
    pages: pages
      .slice(cursor, end)
      .map((page) => ({ ...page, isEditable: true, isPublished: true })),
  };
}

/** The rows of one read of the database. */
const ROWS_AT_ONCE = 500;

async function findBatchPages(
  deps: OpenedSharePorts,
  { organizationId, taskId: pagesOf }: ShareLink,
  { limit, cursor = 0 }: SharedPagesPart,
): Promise<SharedPagesFound> {
  const batch = await findShareableBatch(deps, organizationId, pagesOf);
  const { committed, published, held } = await deps.batches.counts(pagesOf);
  const shownRows: RowView[] = [];
  for (let after = cursor, isEnd = false; !isEnd && shownRows.length <= limit;) {
    const rows = await deps.batches.rows(pagesOf, { after, limit: ROWS_AT_ONCE });
    shownRows.push(...rows.filter(({ state }) => shownStates.has(state)));
    after = rows.at(-1)?.number ?? after;
    isEnd = rows.length < ROWS_AT_ONCE;
  }
  return {
    siteId: batch.siteId,
    pagesOf,
    total: committed + published + held,
    next: shownRows.length > limit ? shownRows[limit - 1]!.number : null,
    pages: shownRows.slice(0, limit).map((row) => ({
      slug: row.targetPageSlug,
      previewUrl: row.previewUrl,
      isEditable: rowEditUrl(deps, batch, row) !== null,
      isPublished: row.state === 'published',
    })),
  };
}

const shownStates: ReadonlySet<string> = new Set(editableStates);

/**
 * Finds a batch whose pages a link can show.
 * @throws DomainError NOT_FOUND; CONFLICT if it has no preview
 */
export async function findShareableBatch(
  deps: NeededPorts<'batches' | 'deployments'>,
  organizationId: string,
  batchId: string,
): Promise<Batch> {
  const batch = await deps.batches.find(organizationId, batchId);
  await requirePreview(deps, batchId);
  return batch;
}

/** The pages that the live site has exactly as the preview shows them. None if it can't be read. */
async function findLivePages(
  { deployments, siteComparison }: NeededPorts<'deployments' | 'siteComparison'>,
  site: Site,
  { pagesOf, pages }: Pick<SharedPagesFound, 'pagesOf' | 'pages'>,
): Promise<string[]> {
  const preview = await deployments.preview(pagesOf);
  if (!preview || !hasRepository(site)) return [];
  const slugs = pages.map(({ slug }) => slug);
  return siteComparison
    .livePages(site, preview, slugs)
    .catch(onCode(['UNAVAILABLE', 'CONFLICT'], []));
}
