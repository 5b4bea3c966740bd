import type {
  SiteResponse,
  RepositoryResponse,
  SiteSummary,
  SiteHost,
  SitePageResponse,
} from '../../../contract/responses.ts';
import { withoutUndefined } from '../../../contract/withoutUndefined.ts';
import type { Site, SiteRepository } from '../../../contract/site.ts';
import { webhookPath } from '../../../forges/storeHost.ts';
import type { SitePagesPart } from '../../../sites/pages/listing/sitePages.ts';
import type { ListedSite } from '../../../organizations/siteList.ts';
import { LOCAL_REPOSITORY } from '../../candidateRepository.ts';
import { siteCursor, slugCursor } from './sites.schema.ts';

/** The response body for a part of an organization's sites. */
export function presentSites(
  { sites, more: hasMore }: { sites: ListedSite[]; more: boolean },
  liveOriginOf: LiveUrlLookup,
) {
  const lastSite = sites.at(-1);
  return {
    sites: sites.map((site): SiteSummary => {
      const shownSite = presentSite(site, liveOriginOf);
      const { siteId, name, liveUrl, deployment, repository, problem, publishApproval } = shownSite;
      return { siteId, name, liveUrl, deployment, repository, problem, publishApproval };
    }),
    nextCursor: hasMore && lastSite ? siteCursor.at([lastSite.name, lastSite.siteId]) : null,
  };
}

/** The response body of one site. Of its credentials, only a deploy key's public key is shown. */
export const presentOneSite = (
  site: ListedSite,
  { liveOriginOf, publicUrl }: { liveOriginOf: LiveUrlLookup; publicUrl: () => URL },
): SiteResponse => ({ ...presentSite(site, liveOriginOf), host: presentHost(site, publicUrl()) });

type LiveUrlLookup = (site: ListedSite) => string | null;

function presentSite(site: ListedSite, liveOriginOf: LiveUrlLookup): Omit<SiteResponse, 'host'> {
  const { siteId, name, isLive, deployment, repository, author, createdAt } = site;
  const { publishApproval = 'none' } = site;
  const liveOrigin = isLive ? liveOriginOf(site) : null;
  return {
    siteId,
    name,
    deployment,
    createdAt,
    liveUrl: liveOrigin === null ? null : `${liveOrigin}/`,
    repository: repository && presentRepository(repository),
    author: { name: author.name, email: author.email },
    publishApproval,
    problem: repository?.problem?.text ?? null,
  };
}

function presentHost({ siteId, ownHost }: Site, publicUrl: URL): SiteHost {
  if (!ownHost) return { type: 'embedded' };
  const { bypass, webhook, ...settings } = ownHost;
  return {
    type: 'own',
    ...settings,
    bypass: bypass ? { header: bypass.header } : null,
    webhookUrl: webhook ? new URL(webhookPath(siteId), publicUrl).href : null,
  };
}

/** A site's repository. The path of a local one is hidden, since it is the operator's business. */
function presentRepository({ url, branch, root, credential }: SiteRepository): RepositoryResponse {
  const access = credential?.kind ?? 'open';
  const shownUrl = url.startsWith('file:') ? LOCAL_REPOSITORY : url;
  return {
    url: shownUrl,
    branch,
    root,
    access,
    ...withoutUndefined({ publicKey: credential?.publicKey }),
  };
}

/**
 * The response body for a part of a site's pages.
 * @param changerNames who last changed each page, in the order of the pages
 */
export function presentSitePages(
  siteId: string,
  { commit, pages, more: hasMore }: SitePagesPart,
  changerNames: (string | null)[],
) {
  const lastPage = pages.at(-1);
  return {
    siteId,
    commit,
    pages: pages.map(({ slug, title, template, changedAt, taskId }, index): SitePageResponse => ({
      slug,
      title,
      template,
      changedAt,
      changedBy: changerNames[index] ?? null,
      taskId,
    })),
    nextCursor: hasMore && lastPage ? slugCursor.at(lastPage.slug) : null,
  };
}
