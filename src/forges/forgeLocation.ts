import type { ForgeKind, ExternalHost } from '../contract/site.ts';

export type ForgePlace = Pick<ExternalHost, 'forge' | 'apiUrl' | 'project'>;

/** Characters of names at GitHub, Gitea and Forgejo. */
export const projectPattern = /^(?!\.{1,2}\/)[\w.-]{1,100}\/(?!\.{1,2}$)[\w.-]{1,100}$/;

/**
 * A repository's project and the forge's API, as the repository's https address tells them. Gitea
 * and Forgejo may be below a path; GitHub never is.
 * @returns nulls for an address that tells none, such as an ssh one
 */
export function forgePlaceOf(
  repositoryUrl: string,
  forge: ForgeKind,
): { apiUrl: string | null; project: string | null } {
  const url = URL.parse(repositoryUrl);
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

/** docs.github.com: github.com, GitHub Enterprise Cloud with data residency, and Server. */
function gitHubApiUrl({ host, hostname, origin }: URL): string {
  if (/^(www\.)?github\.com$/.test(hostname)) return 'https://api.github.com';
  return hostname.endsWith('.ghe.com') ? `https://api.${host}` : `${origin}/api/v3`;
}

/**
 * The address of a forge's pages, as the address of its API tells it: the reverse of
 * `forgePlaceOf`.
 * @returns without a slash at its end
 */
export function forgePagesUrl(apiUrl: string): string {
  const url = new URL(apiUrl.replace(/\/api\/v\d+$/, ''));
  if (url.hostname === 'api.github.com' || url.hostname.endsWith('.ghe.com'))
    url.host = url.host.replace(/^api\./, '');
  return url.href.replace(/\/$/, '');
}

/** Whether the forge of a repository may have its API at this host: a token goes there. */
export function isHostOfForge(apiHostname: string, repositoryUrl: string): boolean {
  const { hostname } = new URL(repositoryUrl);
  const forgeHost = hostname.replace(/^www\./, '');
  return apiHostname === forgeHost || apiHostname === `api.${forgeHost}`;
}
