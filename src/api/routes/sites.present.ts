import type { OneSite, Repository, Site, SiteHost, SitePage } from '../../contract/answers.ts';
import { defined } from '../../contract/defined.ts';
import type { Site as KnownSite, SiteRepository } from '../../contract/site.ts';
import { webhookPath } from '../../forges/keepHost.ts';
import type { SitePagesPart } from '../../sites/pages/sitePages.ts';
import type { ListedSite } from '../../organizations/siteList.ts';
import { LOCAL } from '../candidateRepository.ts';
import { siteCursor, slugCursor } from './sites.schema.ts';

/** A part of an organization's sites. */
export function presentSites(
  { sites, more }: { sites: ListedSite[]; more: boolean },
  liveAddress: LiveAddress,
) {
  const last = sites.at(-1);
  return {
    sites: sites.map((site): Site => {
      const { siteId, name, liveUrl, deployment, repository, problem } = presentSite(
        site,
        liveAddress,
      );
      return { siteId, name, liveUrl, deployment, repository, problem };
    }),
    nextCursor: more && last ? siteCursor.at([last.name, last.siteId]) : null,
  };
}

/** One site. Of its credentials only the public key of a deploy key is shown. */
export const presentOneSite = (
  site: ListedSite,
  { liveAddress, publicUrl }: { liveAddress: LiveAddress; publicUrl: () => URL },
): OneSite => ({ ...presentSite(site, liveAddress), host: presentHost(site, publicUrl()) });

type LiveAddress = (site: ListedSite) => string | null;

function presentSite(site: ListedSite, liveAddress: LiveAddress): Omit<OneSite, 'host'> {
  const { siteId, name, isLive, deployment, repository, author, createdAt } = site;
  const address = isLive ? liveAddress(site) : null;
  return {
    siteId,
    name,
    deployment,
    createdAt,
    liveUrl: address === null ? null : `${address}/`,
    repository: repository && presentRepository(repository),
    author: { name: author.name, email: author.email },
    problem: repository?.problem?.text ?? null,
  };
}

function presentHost({ siteId, ownHost }: KnownSite, publicUrl: URL): SiteHost {
  if (!ownHost) return { type: 'embedded' };
  const { bypass, webhook, ...settings } = ownHost;
  return {
    type: 'own',
    ...settings,
    bypass: bypass ? { header: bypass.header } : null,
    webhookUrl: webhook ? new URL(webhookPath(siteId), publicUrl).href : null,
  };
}

/** A site's repository. The path of a local one is hidden: it is about the operator's machine. */
function presentRepository({ url, branch, root, credential }: SiteRepository): Repository {
  const access = credential?.kind ?? 'open';
  const shown = url.startsWith('file:') ? LOCAL : url;
  return { url: shown, branch, root, access, ...defined({ publicKey: credential?.publicKey }) };
}

/**
 * A part of a site's pages.
 * @param names who last changed each page, in the order of the pages
 */
export function presentSitePages(
  siteId: string,
  { commit, pages, more }: SitePagesPart,
  names: (string | null)[],
) {
  const last = pages.at(-1);
  return {
    siteId,
    commit,
    pages: pages.map(({ slug, title, template, changedAt, taskId }, i): SitePage => ({
      slug,
      title,
      template,
      changedAt,
      changedBy: names[i] ?? null,
      taskId,
    })),
    nextCursor: more && last ? slugCursor.at(last.slug) : null,
  };
}
