import type Joi from 'joi';
import type { OpenableSite, Site } from '../contract/site.ts';
import type { Credentials } from '../organizations/credentials.ts';
import type { Keys } from '../organizations/keys.ts';
import type { Organizations } from '../organizations/organizations.ts';
import type { Role } from '../contract/roles.ts';
import type { Sites } from '../organizations/sites.ts';
import type { Repositories } from '../sites/git/repository.ts';

/** What operator commands work on. */
export interface OperatorDeps {
  organizations: Organizations;
  keys: Keys;
  sites: Sites;
  /**
   * The address to store, in its normal form; local ones are allowed here. Throws INVALID_INPUT.
   */
  checkRepositoryUrl(url: string): string;
  credentials: Pick<Credentials, 'reseal'>;
  repositories: Pick<Repositories, 'checkPushable' | 'remove'>;
  /**
   * Fetches the site's repository and counts its pages. Throws GIT_FAILED where it can't be read.
   */
  countPages(site: OpenableSite): Promise<number>;
  /**
   * A link that signs a person in. With a membership, the person joins the organization, and is
   * made where unknown. Throws NOT_FOUND.
   */
  linkUser: (
    email: string,
    membership?: { organizationId: string; role: Role },
  ) => Promise<{ url: string; expiresAt: string }>;
  /** Makes the head of the production branch the live one, where nothing is live yet. */
  ensureLive(site: Site): Promise<void>;
  /**
   * Makes the head of the production branch the live one, whatever is live. Returns its commit id.
   */
  deployHead(site: Site): Promise<string>;
}

/**
 * An operator command: its options, checked and described by one schema, and what it does with
 * them.
 */
export interface Command<Options = unknown, Deps = OperatorDeps> {
  /** Noun and verb. */
  name: string;
  summary: string;
  /** Each key becomes `--key`; its description and its example go into the help. */
  options: Joi.ObjectSchema;
  /** Whether it makes the data where there is none. Other commands fail there. */
  makesData?: boolean;
  run(deps: Deps, options: Options): Promise<object>;
}
