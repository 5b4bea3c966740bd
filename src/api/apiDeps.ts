import type { Accounts } from '../accounts/accounts.ts';
import type { EventMails } from '../accounts/eventMails.ts';
import type { BundledPage } from '../bundle/bundle.ts';
import type { OutlineReader } from '../contract/checks.ts';
import type { Site } from '../contract/site.ts';
import type { SendTest } from '../callbacks/sendTest.ts';
import type { Audit } from '../organizations/audit.ts';
import type { Credentials } from '../organizations/credentials.ts';
import type { EventDeliveries } from '../organizations/eventDeliveries.ts';
import type { WebhookEndpoints } from '../organizations/webhookEndpoints.ts';
import type { DeliveryLog } from '../contract/events.ts';
import type { StartEvent } from '../temporal/tasks/startEvent.ts';
import type { Organizations } from '../organizations/organizations.ts';
import type { SiteList } from '../organizations/siteList.ts';
import type { UsageReporter } from '../organizations/usageReport.ts';
import type { TeamKeys } from '../organizations/teamKeys.ts';
import type { SitePages } from '../sites/pages/listing/sitePages.ts';
import type { TaskPorts } from '../tasks/ports.ts';
import type { TaskWatchers } from '../tasks/taskWatchers.ts';
import type { ApiContext } from './context.ts';
import type { KeyAuthenticator } from './middleware/authenticate.ts';
import type { LongLivedResponses } from './longLivedResponses.ts';
import type { RateLimits } from './middleware/rateLimit.ts';
import type { SignInLimits } from './middleware/signInLimits.ts';
import type { BatchReader } from './batches/batchReader.ts';
import type { ForgeEventReceiver } from './forgeEvents.ts';
import type { SiteSettings } from './siteSettings.ts';

/** The dependencies of all routes: the ports of the use cases (src/tasks), and what HTTP adds. */
export interface ApiDeps extends TaskPorts {
  /** The base address that clients use. Its port may be known only after listening. */
  publicUrl: () => URL;
  /** Days that Temporal keeps a finished task. */
  retentionDays: number;

  // access and limits
  keys: KeyAuthenticator;
  rateLimits: RateLimits;
  signInLimits: SignInLimits;
  /** Whether the disk has room for more work. */
  hasRoom: () => Promise<boolean>;

  // people and their organization
  accounts: Accounts;
  organizations: Pick<
    Organizations,
    'get' | 'change' | 'callbackRotation' | 'rotateCallbackSecret'
  >;
  teamKeys: TeamKeys;

  // events
  webhookEndpoints: Omit<WebhookEndpoints, 'reseal'>;
  eventDeliveries: EventDeliveries;
  eventLog: Pick<DeliveryLog, 'hasEndpoints' | 'storeAttempt'>;
  startEvent: StartEvent;
  eventMails: Pick<EventMails, 'areWanted' | 'setWanted'>;
  audit: Audit;
  reportUsage: UsageReporter;

  // tasks
  watchers: TaskWatchers;
  /** Requests that wait until a task has finished (`Prefer: wait=30`). */
  waits: LongLivedResponses;
  /** Milliseconds without an event after which a stream sends a comment; default 15 s. */
  heartbeatMs?: number;
  /** URL of a task's run in Temporal's web UI; null if the operator has not configured one. */
  runUrlOf: (taskId: string) => string | null;
  /** Sends one signed test callback to a URL that `checkCallbackUrl` has accepted. */
  sendTest: SendTest;

  // batches
  readBatch: BatchReader;

  // sites
  siteList: SiteList;
  siteSettings: SiteSettings;
  forgeEvents: ForgeEventReceiver;
  credentials: Pick<Credentials, 'addDeployKey'>;
  sitePages: SitePages;
  /** The origin of a site's live pages; null if it is not known. */
  liveOriginOf: (site: Site) => string | null;

  // assistants
  readOutline: OutlineReader;
  /** Answers an MCP message of an assistant (src/mcp). The caller is authenticated. */
  mcp: (ctx: ApiContext) => Promise<Response>;

  // the console
  /** Bundles the console. Called at the first request, and again only after a failure. */
  buildConsole: () => Promise<BundledPage>;
  /**
   * Origins of live sites and previews for the content security policy:
   * `http://*.sites.localhost:3000`.
   */
  frameSources: () => string[];
}

/** Some of the dependencies, by name. */
export type SomeApiDeps<Names extends keyof ApiDeps> = Pick<ApiDeps, Names>;
/** Some of the dependencies, by name, and those for authentication. */
export type RouteDeps<Names extends keyof ApiDeps> = Pick<ApiDeps, 'keys' | 'rateLimits' | Names>;
