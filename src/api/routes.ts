import type { Accounts } from '../accounts/accounts.ts';
import type { Assign } from '../agents/assignment.ts';
import type { CheckTask, FindExamples } from '../contract/check.ts';
import type { NoteStates } from '../contract/noteStates.ts';
import type { PublicationReader } from '../contract/published.ts';
import type { Site, SiteRegister } from '../contract/site.ts';
import type { DeploymentList } from '../hosting/deploymentList.ts';
import type { SiteComparison } from '../hosting/siteComparison.ts';
import type { Audit } from '../organizations/audit.ts';
import type { Credentials } from '../organizations/credentials.ts';
import type { Makers } from '../organizations/makers.ts';
import type { Organizations } from '../organizations/organizations.ts';
import type { Shares } from '../organizations/shares.ts';
import type { SiteList } from '../organizations/siteList.ts';
import type { TeamKeys } from '../organizations/teamKeys.ts';
import type { SiteDiffs } from '../sites/pages/siteDiff.ts';
import type { SitePages } from '../sites/pages/sitePages.ts';
import type { Editing } from '../tasks/editLink.ts';
import type { KnownTasks } from '../tasks/knownTasks.ts';
import type { Previews, RemovePreviewDeps } from '../tasks/previews.ts';
import type { TaskWatchers } from '../tasks/watch.ts';
import type { Tasks } from '../temporal/tasks/tasks.ts';
import type { ApiRouter } from './context.ts';
import type { Authenticator } from './middleware/authenticate.ts';
import type { RateLimits } from './middleware/rateLimit.ts';
import type { SignInLimits } from './middleware/signInLimits.ts';
import { accountRoutes } from './routes/account.ts';
import { auditRoutes } from './routes/audit.ts';
import { authRoutes } from './routes/auth.ts';
import { callbackSecretRoutes } from './routes/callbackSecret.ts';
import { callbackRoutes, type CallbackRouteDeps } from './routes/callbacks.ts';
import { consoleRoutes, type ConsoleDeps } from './routes/console.ts';
import { deploymentRoutes } from './routes/deployments.ts';
import { documentRoutes } from './routes/document.ts';
import { editLinkRoutes } from './routes/editLink.ts';
import { editorRoutes } from './routes/editor.ts';
import { followUpRoutes } from './routes/followUps.ts';
import { goingLiveRoutes } from './routes/goingLive.ts';
import { keyRoutes } from './routes/keys.ts';
import { noteRoutes } from './routes/notes.ts';
import { peopleRoutes } from './routes/people.ts';
import { previewRoutes } from './routes/previews.ts';
import { referenceRoutes } from './routes/reference.ts';
import { sharedRoutes, shareRoutes } from './routes/shares.ts';
import { sharedWithMeRoutes } from './routes/sharedWithMe.ts';
import { siteRoutes } from './routes/sites.ts';
import { siteSettingRoutes } from './routes/siteSettings.ts';
import { taskDiffRoutes } from './routes/taskDiffs.ts';
import { taskEventRoutes } from './routes/taskEvents.ts';
import { taskListRoutes } from './routes/taskLists.ts';
import { taskRequestRoutes } from './routes/taskRequests.ts';
import { taskRunRoutes } from './routes/taskRuns.ts';
import { taskRoutes } from './routes/tasks.ts';
import type { SiteSettings } from './siteSettings.ts';

/** What the routes are built from. Each asks for what it needs of these. */
export interface Parts {
  /** The address that clients use. Its port may be known only after listening. */
  publicUrl: () => URL;
  /** For how many days Temporal keeps a finished task. */
  retentionDays: number;

  // who may ask, and how often
  keys: Authenticator;
  rateLimits: RateLimits;
  signInLimits: SignInLimits;
  hasRoom: () => Promise<boolean>;

  // people and their organization
  accounts: Accounts;
  organizations: Pick<
    Organizations,
    'get' | 'rename' | 'callbackRotation' | 'rotateCallbackSecret'
  >;
  teamKeys: TeamKeys;
  makers: Makers;
  shares: Shares;
  audit: Audit;

  // tasks
  assign: Assign;
  tasks: Tasks;
  checkTask: CheckTask;
  knownTasks: KnownTasks;
  watchers: TaskWatchers;
  /** Milliseconds without an event after which a comment is sent; default 15 s. */
  heartbeatMs?: number;
  diffs: SiteDiffs;
  noteStates: NoteStates;
  editing: Editing;
  runAddress: (taskId: string) => string | null;
  checkCallbackUrl: (url: string) => Promise<void>;
  sendTest: CallbackRouteDeps['sendTest'];

  // sites, and what is live of them
  sites: SiteRegister;
  siteList: SiteList;
  siteSettings: SiteSettings;
  credentials: Pick<Credentials, 'addDeployKey'>;
  sitePages: SitePages;
  findExamples: FindExamples;
  deployments: Previews;
  hosting: RemovePreviewDeps['hosting'];
  publications: PublicationReader;
  siteDeployments: DeploymentList;
  siteComparison: SiteComparison;
  liveAddress: (site: Site) => string;
  previewAddress: (site: Site, taskId: string) => string;

  // the console
  buildConsole: ConsoleDeps['buildConsole'];
  frameSources: ConsoleDeps['frameSources'];
}

/** Routers, grouped by the middlewares that come before them. */
export interface Routes {
  /** Below `/api/v1`. */
  api: ApiRouter[];
  /** What the console, the editor and the pages of shared links ask for outside of the API. */
  browser: ApiRouter[];
  /** Pages for everyone. Their paths and the API's are proposed for misspelled ones. */
  screens: ApiRouter[];
}

/** Every route of the service but those of its health. */
export const createRoutes = (parts: Parts): Routes => ({
  api: [
    taskRoutes(parts),
    followUpRoutes(parts),
    goingLiveRoutes(parts),
    noteRoutes(parts),
    previewRoutes(parts),
    callbackRoutes(parts),
    siteRoutes(parts),
    siteSettingRoutes(parts),
    deploymentRoutes(parts),
    peopleRoutes(parts),
    taskListRoutes(parts),
    taskDiffRoutes(parts),
    taskEventRoutes(parts),
    taskRunRoutes(parts),
    taskRequestRoutes(parts),
    editLinkRoutes(parts),
    shareRoutes(parts),
    keyRoutes(parts),
    callbackSecretRoutes(parts),
    auditRoutes(parts),
    documentRoutes(parts),
  ],
  browser: [
    authRoutes(parts),
    accountRoutes(parts),
    sharedWithMeRoutes(parts),
    editorRoutes(parts),
    sharedRoutes(parts),
  ],
  screens: [referenceRoutes(), consoleRoutes(parts)],
});
