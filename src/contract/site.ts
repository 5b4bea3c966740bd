/** A registered site and its parts, as every layer names them. Imports nothing. */

/**
 * Where a site's pages live. `root` is the folder of the pages inside the repository, '' for all of
 * it, else without slashes at its ends.
 */
export interface SiteRepository {
  url: string;
  branch: string;
  root: string;
  /**
   * Whether it was added over HTTP: then only public addresses are dialled, and nothing of the
   * operator's lets one in.
   */
  isGuarded?: true;
  /** What lets the service in. Absent: nothing of its own. */
  credential?: SiteCredential;
  /** The host's ssh keys, as lines of known_hosts, from when the repository was checked. */
  knownHosts?: string;
  /** What went wrong there last. Absent: nothing. */
  problem?: SiteProblem;
}

export type CredentialKind = 'token' | 'deploy-key';

/** A credential without its secret. */
export interface SiteCredential {
  credentialId: string;
  kind: CredentialKind;
  /** Of a deploy key, as a line of authorized_keys. */
  publicKey?: string;
}

/** A credential with its secret: never logged, kept or answered. */
export type Credential =
  | { kind: 'token'; username: string; token: string }
  | { kind: 'deploy-key'; privateKey: string };

/**
 * The last failure of a site's repository, in words. Only a push that succeeds ends one of a push.
 */
export interface SiteProblem {
  text: string;
  isOfPush: boolean;
}

export interface Site {
  siteId: string;
  organizationId: string;
  name: string;
  /** The site's host label: at most 30 of [a-z0-9-], unique, no `--`. */
  label: string;
  /** null: the site has no repository information. */
  repository: SiteRepository | null;
  /** The name of the host that shows its pages. */
  host: string;
  author: { name: string; email: string };
  createdAt: string;
}

/** A site whose pages live somewhere: the only kind that tasks work on. */
export type SiteWithRepository = Site & { repository: SiteRepository };

/** The data needed to open a site's repository. */
export type OpenableSite = Pick<SiteWithRepository, 'siteId' | 'organizationId' | 'repository'>;

export interface SiteRegister {
  /** The organization's site, null for an unknown one and for another organization's. */
  find(organizationId: string, siteId: string): Promise<Site | null>;
}

/**
 * A commit, and where a machine that lacks it finds it. They go together: a bare id is not enough
 * to find a commit.
 */
export interface HeldCommit {
  commit: string;
  /**
   * The task whose hidden ref at the remote has the commit; null: only the production branch has
   * it.
   */
  heldBy: string | null;
}

/** A task's result: its own commit, or an edit by hand on top of it. */
export interface ResultCommit extends HeldCommit {
  heldBy: string;
}

/**
 * The commit that a task's preview shows. It is kept after the preview's deletion, for diffs and
 * later publishes.
 */
export interface Preview extends ResultCommit {
  /** False once the preview was deleted or has expired. */
  isShown: boolean;
  /** Once it has expired: the task's commit is not kept any more. */
  isGone?: true;
}

/** A page of a site: its slug (starts with `/`) and its file, relative to the site's root. */
export interface PageFile {
  slug: string;
  path: string;
}
