import type Joi from 'joi';
import type { OpenableSite, Site } from '../contract/site.ts';
import type { Credentials } from '../organizations/credentials.ts';
import type { ApiKeys } from '../organizations/apiKeys.ts';
import type { Organizations } from '../organizations/organizations.ts';
import type { Role } from '../contract/roles.ts';
import type { Sites } from '../organizations/sites.ts';
import type { GitRepositories } from '../sites/git/repository.ts';
import type { PageCount } from '../sites/pages/listing/countPages.ts';

/** The services that operator commands use. */
export interface OperatorDeps {
  organizations: Organizations;
  keys: ApiKeys;
  sites: Sites;
  /**
   * The repository's URL in the form to store. Local addresses are allowed. Throws INVALID_INPUT.
   */
  checkRepositoryUrl(url: string): string;
  /** Stores with encrypted secrets. */
  secretStores: Pick<Credentials, 'reseal'>[];
  repositories: Pick<GitRepositories, 'checkPushable' | 'remove'>;
  /** Fetches the site's repository and counts its pages. Throws GIT_FAILED. */
  countPages(site: OpenableSite): Promise<PageCount>;
  /**
   * Creates a sign-in link for a person. With a membership, it also adds the person to the
   * organization, and creates an account for an unknown person. Throws NOT_FOUND.
   */
  createSignInLink: (
    email: string,
    membership?: { organizationId: string; role: Role },
  ) => Promise<{ url: string; expiresAt: string }>;
  /** Makes the head of the production branch live, if nothing is live yet. */
  ensureLive(site: Site): Promise<void>;
  /** Makes the head of the production branch live, whatever is live now. Returns its commit id. */
  deployHead(site: Site): Promise<string>;
}

/**
 * An operator command, such as `key create`. One schema validates its options and describes them in
 * the help. `run` returns the result, which is printed as JSON. Example: secretsCommands.ts.
 */
export interface OperatorCommand<Options = unknown, Deps = OperatorDeps> {
  /** A noun and a verb, such as `site list`. */
  name: string;
  summary: string;
  /** Each key becomes an option `--key`. The help shows its description and its example. */
  options: Joi.ObjectSchema;
  /** Whether the command creates the database if there is none. Other commands fail then. */
  makesData?: boolean;
  run(deps: Deps, options: Options): Promise<object>;
}
