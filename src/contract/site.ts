/**
 * A registered site: its repository, its host (what serves its pages) and the commits of its tasks.
 * Imports nothing.
 */

/**
 * The git repository of a site. `root` is the folder of the pages inside the repository: '' for the
 * repository's root, otherwise without slashes at both ends.
 */
export interface SiteRepository {
  url: string;
  branch: string;
  root: string;
  /**
   * Whether it was added over HTTP. If so, git connects only to public addresses, and never uses
   * the operator's credentials.
   */
  isGuarded?: true;
  /** The credential for the repository. Absent: the site has none. */
  credential?: SiteCredential;
  /** The host's ssh keys from the repository's check, as lines of known_hosts. */
  knownHosts?: string;
  /** The last failure. Absent: there is none. */
  problem?: SiteProblem;
}

export type CredentialKind = 'token' | 'deploy-key' | 'github-app';

/** A credential without its secret. */
export interface SiteCredential {
  credentialId: string;
  kind: CredentialKind;
  /** For a deploy key: a line of authorized_keys. */
  publicKey?: string;
}

/** What git takes, with its secret. Never log it, store it or return it to a client. */
export type GitCredential =
  | { kind: 'token'; username: string; token: string }
  | { kind: 'deploy-key'; privateKey: string };

/** A GitHub App, which gets tokens for an hour each. */
export interface GitHubApp {
  appId: string;
  /** null: the one that the repository names. */
  installationId: string | null;
  /** PEM. */
  privateKey: string;
}

/** A credential with its secret. Never log it, store it or return it to a client. */
export type RepositoryCredential = GitCredential | ({ kind: 'github-app' } & GitHubApp);

/** The last failure of a site's repository. A failed push is cleared only by a successful push. */
export interface SiteProblem {
  text: string;
  isOfPush: boolean;
}

export const forgeKinds = ['github', 'gitea', 'forgejo', 'gitlab'] as const;
export type ForgeKind = (typeof forgeKinds)[number];

/** The kinds of credentials that the API of each forge accepts. */
export const forgeCredentials: Record<ForgeKind, readonly CredentialKind[]> = {
  github: ['token', 'github-app'],
  gitea: ['token'],
  forgejo: ['token'],
  gitlab: ['token'],
};

/**
 * Says at which URLs a generator serves the Markdown files of a folder. `:slug` in the pattern is
 * the slug of the front matter, or the path of the file below the folder:
 * `{ folder: 'src/content/blog', pattern: '/blog/:slug' }`.
 */
export interface PageUrlRule {
  /**
   * From the root of the site, without slashes at its ends. '' for all files. The path of a data
   * file (`src/_data/cities.json`) makes each of its entries a page.
   */
  folder: string;
  pattern: string;
}

/**
 * An external host, such as Netlify. It builds the site from its repository at a forge (GitHub,
 * Gitea, Forgejo or GitLab), and reports there which URL shows which commit.
 */
export interface ExternalHost {
  forge: ForgeKind;
  /** The forge's API, without a slash at its end, e.g. `https://api.github.com`. */
  apiUrl: string;
  /** `owner/name` at the forge. At GitLab, also with subgroups, or the ID of the project. */
  project: string;
  /** How a task's commit reaches the production branch. */
  publish: 'push' | 'pull-request';
  /** Who merges pull requests. */
  merge: 'automatic' | 'by-people';
  /** The names (environment, context, check) of reports on previews. Empty: any name. */
  previewReports: string[];
  /** The names of reports on the live site. Empty: any name. */
  liveReports: string[];
  /** The login at the forge whose reports count. null: everybody's reports count. */
  reporter: string | null;
  /** The trusted hosts: names, or `*.name` for every subdomain. URLs at others are ignored. */
  hosts: string[];
  /** The URL of a task's preview, with `{branch}` or `{pullRequest}`. null: reports name it. */
  previewUrl: string | null;
  /** The URL of the live site. null: reports name it. */
  liveUrl: string | null;
  /** The header field that opens protected previews; its value is a credential. */
  bypass?: { header: string; credentialId: string };
  /**
   * The credential with which the forge signs its webhooks. `isHeard`: whether the service has
   * received a webhook with a valid signature.
   */
  webhook?: { credentialId: string; isHeard?: true };
  /** The rules for the URLs of pages in Markdown that do not follow from a configuration. */
  pageUrls: PageUrlRule[];
  /** Minutes to wait for a build. */
  buildMinutes: number;
  /** Whether the host builds branches. If not, nobody waits for previews. */
  hasPreviews: boolean;
  /**
   * Seconds that a push waits for other pushes of the site, so that they share one push and one
   * build.
   */
  publishWindow: number;
}

/** A registered site, as the database has it. */
export interface Site {
  siteId: string;
  organizationId: string;
  name: string;
  /** Label of the site in host names: at most 30 of [a-z0-9-], unique, no `--`. */
  label: string;
  /** null: the site has no repository, so no task can work on it. */
  repository: SiteRepository | null;
  /** Name of the host (`src/hosting/`) that serves the site's pages. */
  host: string;
  /** The external host. Set if `host` is `own`. */
  ownHost?: ExternalHost;
  /** Set if the site had an external host before: branches of tasks may be left at its forge. */
  hadOwnHost?: true;
  author: { name: string; email: string };
  /** Set if pages are published only after the approval of another person. */
  publishApproval?: 'another-person';
  createdAt: string;
}

/** A site with a repository. Tasks work only on these. */
export type SiteWithRepository = Site & { repository: SiteRepository };

/**
 * The fields that are needed to open a site's repository. The rules of its host name the data files
 * whose entries are pages.
 */
export type OpenableSite = Pick<SiteWithRepository, 'siteId' | 'organizationId' | 'repository'> & {
  ownHost?: Pick<ExternalHost, 'pageUrls'> | undefined;
};

export interface SiteRegister {
  /** Finds a site of the organization. null if it is unknown or another organization's. */
  find(organizationId: string, siteId: string): Promise<Site | null>;
}

/** Whether a text has the form of a site's id, a UUID. */
export const isSiteId = (text: string) =>
  /^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$/.test(text);

/** A commit with the ref that keeps it. A machine that lacks the commit can fetch it from there. */
export interface RetainedCommitRef {
  commit: string;
  /**
   * The task whose hidden ref in the remote repository (`refs/agent-tasks/<taskId>`) keeps the
   * commit. null: the production branch has it.
   */
  retainedBy: string | null;
}

/** The commit of a task's result, with the edits by hand on top of it. */
export interface ResultCommit extends RetainedCommitRef {
  retainedBy: string;
}

/**
 * The commit that a task's preview shows. It stays recorded after the preview is deleted, for diffs
 * and later publishes.
 */
export interface TaskPreview extends ResultCommit {
  /** The commit that the result is compared with: where the task began, or its base task is now. */
  base?: string | undefined;
  /** False once the preview was deleted or expired. */
  isShown: boolean;
  /** Set once the preview has expired: the task's commit is no longer kept. */
  isGone?: true;
}

/** A page of a site. `slug` starts with `/`. The file's path is relative to the site's root. */
export interface PageFile {
  slug: string;
  path: string;
}
