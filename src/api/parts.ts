import type { Accounts } from '../accounts/accounts.ts';
import type { BuiltPage } from '../bundle/bundle.ts';
import type { FindExamples } from '../contract/check.ts';
import type { Site } from '../contract/site.ts';
import type { SendTest } from '../callbacks/sendTest.ts';
import type { Audit } from '../organizations/audit.ts';
import type { Credentials } from '../organizations/credentials.ts';
import type { Organizations } from '../organizations/organizations.ts';
import type { SiteList } from '../organizations/siteList.ts';
import type { TeamKeys } from '../organizations/teamKeys.ts';
import type { SitePages } from '../sites/pages/sitePages.ts';
import type { Ports } from '../tasks/ports.ts';
import type { TaskWatchers } from '../tasks/watch.ts';
import type { Authenticator } from './middleware/authenticate.ts';
import type { RateLimits } from './middleware/rateLimit.ts';
import type { SignInLimits } from './middleware/signInLimits.ts';
import type { SiteSettings } from './siteSettings.ts';

/** What the routes are built from: what the use cases work on, and what HTTP adds. */
export interface Parts extends Ports {
  /** The address that clients use. Its port may be known only after listening. */
  publicUrl: () => URL;
  /** For how many days Temporal keeps a finished task. */
  retentionDays: number;

  // who may ask, and how often
  keys: Authenticator;
  rateLimits: RateLimits;
  signInLimits: SignInLimits;
  /** Whether there is room on the disk for more work. */
  hasRoom: () => Promise<boolean>;

  // people and their organization
  accounts: Accounts;
  organizations: Pick<
    Organizations,
    'get' | 'rename' | 'callbackRotation' | 'rotateCallbackSecret'
  >;
  teamKeys: TeamKeys;
  audit: Audit;

  // tasks
  watchers: TaskWatchers;
  /** Milliseconds without an event after which a comment is sent; default 15 s. */
  heartbeatMs?: number;
  /** Where a task's run is in Temporal's web UI; null where the operator does not tell. */
  runAddress: (taskId: string) => string | null;
  /** Sends one signed test to a URL that may be called. */
  sendTest: SendTest;

  // sites
  siteList: SiteList;
  siteSettings: SiteSettings;
  credentials: Pick<Credentials, 'addDeployKey'>;
  sitePages: SitePages;
  findExamples: FindExamples;
  /** The origin of a site's live pages. */
  liveAddress: (site: Site) => string;

  // the console
  /** Bundles the console. Called once, at the first request, and again after a failure. */
  buildConsole: () => Promise<BuiltPage>;
  /**
   * Origins of live sites and previews, as sources of a policy: `http://*.sites.localhost:3000`.
   */
  frameSources: () => string[];
}

/** The parts of these names. */
export type Needs<Names extends keyof Parts> = Pick<Parts, Names>;
/** What a route needs that a key opens, besides the parts of these names. */
export type RouteNeeds<Names extends keyof Parts> = Pick<Parts, 'keys' | 'rateLimits' | Names>;
