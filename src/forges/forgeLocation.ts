import type { ForgeKind, ExternalHost } from '../contract/site.ts';
import { parseUrl } from '../contract/text/parseUrl.ts';

export type ForgeLocation = Pick<ExternalHost, 'forge' | 'apiUrl' | 'project'>;

/** A project, `owner/name`, in the characters that GitHub, Gitea and Forgejo allow. */
export const projectPattern = /^(?!\.{1,2}\/)[\w.-]{1,100}\/(?!\.{1,2}$)[\w.-]{1,100}$/;

/**
 * Derives the project and the URL of the forge's API from a repository's https URL. Gitea and
 * Forgejo may be below a path, and GitHub never is. `https://github.com/team/site.git` →
 * `{ apiUrl: 'https://api.github.com', project: 'team/site' }`
 * @returns nulls if the URL does not say it, such as an ssh URL
 */
export function forgeLocationOf(
  repositoryUrl: string,
  forge: ForgeKind,
): { apiUrl: string | null; project: string | null } {
  const url = parseUrl(repositoryUrl);
  const pathSegments =
    url?.pathname
      .replace(/\.git$/, '')
      .split('/')
      .filter(Boolean) ?? [];
  const project = pathSegments.slice(-2).join('/');
  if (url?.protocol !== 'https:' || !projectPattern.test(project))
    return { apiUrl: null, project: null };
  if (forge === 'github') return { apiUrl: gitHubApiUrl(url), project };
  return { apiUrl: [url.origin, ...pathSegments.slice(0, -2), 'api/v1'].join('/'), project };
}

/** For github.com, GitHub Enterprise Cloud with data residency, and Server (docs.github.com). */
function gitHubApiUrl({ host, hostname, origin }: URL): string {
  if (/^(www\.)?github\.com$/.test(hostname)) return 'https://api.github.com';
  return hostname.endsWith('.ghe.com') ? `https://api.${host}` : `${origin}/api/v3`;
}

/**
 * Derives the URL of a forge's pages for people from the URL of its API, the reverse of
 * `forgeLocationOf`. `https://api.github.com` → `https://github.com`
 */
export function forgePagesUrl(apiUrl: string): string {
  const url = new URL(apiUrl.replace(/\/api\/v\d+$/, ''));
  if (url.hostname === 'api.github.com' || url.hostname.endsWith('.ghe.com'))
    url.host = url.host.replace(/^api\./, '');
  return url.href.replace(/\/$/, '');
}

/** Whether a host may be the API of a repository's forge. We send the credential's token there. */
export function isHostOfForge(apiHostname: string, repositoryUrl: string): boolean {
  const { hostname } = new URL(repositoryUrl);
  const forgeHost = hostname.replace(/^www\./, '');
  return apiHostname === forgeHost || apiHostname === `api.${forgeHost}`;
}
