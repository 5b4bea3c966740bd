import type { ForgeKind, ExternalHost } from '../contract/site.ts';
import { parseUrl } from '../contract/text/parseUrl.ts';

export type ForgeLocation = Pick<ExternalHost, 'forge' | 'apiUrl' | 'project'>;

/** Where one kind of forge has its API, its projects and its pages. */
interface LocationRules {
  /** A project, in the characters that the forge allows. */
  projectPattern: RegExp;
  /** What a project is, for messages. */
  projectForm: string;
  /** The path of a project below the API. */
  projectRoot: (project: string) => string;
  /** The path of a commit's page below the page of its project. */
  commitPath: string;
  /**
   * Derives the API and the project from the URL of a repository.
   * @param segments the segments of the URL's path, without `.git`
   * @param apiUrl the URL of the API, if it is known
   */
  locate: (url: URL, segments: string[], apiUrl?: string) => { apiUrl: string; project: string };
}

const ownerAndName = {
  projectPattern: /^(?!\.{1,2}\/)[\w.-]{1,100}\/(?!\.{1,2}$)[\w.-]{1,100}$/,
  projectForm: 'owner/name',
  projectRoot: (project: string) => `/repos/${project}`,
  commitPath: '/commit/',
};

/** Gitea and Forgejo may be below a path. The last two segments are the project. */
const giteaRules: LocationRules = {
  ...ownerAndName,
  locate: ({ origin }, segments) => ({
    apiUrl: [origin, ...segments.slice(0, -2), 'api/v1'].join('/'),
    project: segments.slice(-2).join('/'),
  }),
};

const locationRules: Record<ForgeKind, LocationRules> = {
  github: {
    ...ownerAndName,
    locate: (url, segments) => ({
      apiUrl: gitHubApiUrl(url),
      project: segments.slice(-2).join('/'),
    }),
  },
  gitea: giteaRules,
  forgejo: giteaRules,
  /** A project may be in subgroups, so only the URL of the API tells the path of the instance. */
  gitlab: {
    projectPattern:
      /^(?:\d{1,18}|(?!\.{1,2}\/)[\w.-]{1,255}(?:\/(?!\.{1,2}(?:\/|$))[\w.-]{1,255}){1,20})$/,
    projectForm: 'group/name, with all subgroups, or the ID of the project',
    projectRoot: (project) => `/projects/${encodeURIComponent(project)}`,
    commitPath: '/-/commit/',
    locate: ({ origin }, segments, apiUrl = `${origin}/api/v4`) => {
      const instance = pathSegments(parseUrl(apiUrl)?.pathname.replace(/\/api\/v4\/*$/, ''));
      const isBelow = instance.every((segment, index) => segment === segments[index]);
      return { apiUrl, project: segments.slice(isBelow ? instance.length : 0).join('/') };
    },
  },
};

const pathSegments = (path: string | undefined) => path?.split('/').filter(Boolean) ?? [];

/**
 * Derives the project and the URL of the forge's API from a repository's https URL.
 * `https://github.com/team/site.git` → `{ apiUrl: 'https://api.github.com', project: 'team/site' }`
 * @param apiUrl the URL of the API, if it is known. For GitLab, it tells the path of the instance
 * @returns nulls if the URL does not say it, such as an ssh URL
 */
export function forgeLocationOf(
  repositoryUrl: string,
  forge: ForgeKind,
  apiUrl?: string,
): { apiUrl: string | null; project: string | null } {
  const url = parseUrl(repositoryUrl);
  const { locate, projectPattern } = locationRules[forge];
  if (url?.protocol !== 'https:') return { apiUrl: null, project: null };
  const location = locate(url, pathSegments(url.pathname.replace(/\.git$/, '')), apiUrl);
  return projectPattern.test(location.project) ? location : { apiUrl: null, project: null };
}

/** What is wrong with a project, as a text that follows its name. undefined: nothing. */
export function projectProblem(forge: ForgeKind, project: string): string | undefined {
  const { projectForm, projectPattern } = locationRules[forge];
  if (project === '') return `is required, because the URL of the repository has no ${projectForm}`;
  return projectPattern.test(project)
    ? undefined
    : `must be ${projectForm}, with the spelling of the forge`;
}

/** The path of a project below the API, and `projectForm` if the text is not a project. */
export const locateProject = (
  forge: ForgeKind,
  project: string,
): { root: string } | { projectForm: string } => {
  const { projectPattern, projectForm, projectRoot } = locationRules[forge];
  return projectPattern.test(project) ? { root: projectRoot(project) } : { projectForm };
};

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

/** The URL of a commit's page for people. */
export const forgeCommitUrl = (forge: ForgeKind, repositoryUrl: string, commit: string): string =>
  repositoryUrl.replace(/\/?(?:\.git)?\/?$/, '') + locationRules[forge].commitPath + commit;

/** Whether a host may be the API of a repository's forge. We send the credential's token there. */
export function isHostOfForge(apiHostname: string, repositoryUrl: string): boolean {
  const { hostname } = new URL(repositoryUrl);
  const forgeHost = hostname.replace(/^www\./, '');
  return apiHostname === forgeHost || apiHostname === `api.${forgeHost}`;
}
