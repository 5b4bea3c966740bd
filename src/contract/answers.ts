/**
 * The bodies of the API's answers. The API's presenters make them, and the console reads them.
 * Types only. Times are ISO 8601 in UTC. Tests hold every answer to the OpenAPI document, so
 * describe new fields there too.
 */

import type { BatchOptions, BatchStatus, RowCounts, RowView } from './batch.ts';
import type { CallbackAttempt, CallbackDelivery } from './callback.ts';
import type { CellRemark, CheckProblem, StayingText, TriedChanges } from './check.ts';
import type { NamedMaker } from './maker.ts';
import type { NoteState } from './noteStates.ts';
import type { Membership } from './people.ts';
import type { Cost } from './prices.ts';
import type { Role } from './roles.ts';
import type { CredentialKind, OwnHost } from './site.ts';
import type {
  Note as NoteOfTask,
  Page,
  Question,
  TaskProgress,
  TaskStatus,
  TaskType,
  TaskUsage,
  Usage,
} from './task.ts';

/** A site in a list. */
export interface Site {
  siteId: string;
  name: string;
  liveUrl: string | null;
  deployment: {
    state: 'live' | 'failed';
    commit: string;
    taskId: string | null;
    at: string;
  } | null;
  repository: Repository | null;
  /** Git's message about the last failure. */
  problem: string | null;
}

export interface OneSite extends Site {
  host: SiteHost;
  /** Only in the answer that made it. */
  webhookSecret?: string;
  author: { name: string; email: string };
  createdAt: string;
}

/** What serves a site's pages: this service, or a host of the team's own. Without its secrets. */
export type SiteHost =
  | { type: 'embedded' }
  | ({ type: 'own' } & Omit<OwnHost, 'bypass' | 'webhook'> & {
        /** The header field that opens protected previews. */
        bypass: { header: string } | null;
        /** Where the forge's webhooks go. null: the site has no secret for them. */
        webhookUrl: string | null;
      });

export interface Repository {
  url: string;
  branch: string;
  root: string;
  access: 'open' | CredentialKind;
  publicKey?: string;
}

export interface Batch extends Omit<BatchOptions, 'callbackUrl' | 'model'> {
  batchId: string;
  siteId: string;
  status: BatchStatus;
  errorMessage?: string;
  /** How many rows are in each state. */
  rows: RowCounts;
  createdBy: NamedMaker;
  createdAt: string;
  finishedAt: string | null;
  /** Only with a canary. */
  canaryApproved?: boolean;
  model: string;
  callbackOrigin?: string;
  /** The origin of the preview. */
  previewUrl: string | null;
  /** Where the site's team merges the pages, if it publishes by pull requests. */
  pullRequestUrl?: string;
  /** Only of sites with a host of the team's own. */
  usage?: { builds: number };
}

export type BatchRow = Omit<RowView, 'notes'> & { notes?: Note[]; editUrl: string | null };

/** What would become of a batch's rows. */
export interface BatchChecked {
  ok: boolean;
  agent: string;
  problems: CheckProblem[];
  /** The rows with problems. */
  rows: { number: number; targetPageSlug: string; problems: CheckProblem[] }[];
  /** How many rows would be made, and how many would not. */
  make: number;
  fail: number;
  /** What a language model would use, roughly. */
  estimate?: { inputTokens: number; outputTokens: number; cost: Cost | null };
}

/** Whether a repository can be used for a site. */
export interface SiteCheck {
  ok: boolean;
  readable: boolean;
  pushable: boolean;
  branch: string | null;
  branches: string[];
  pages: number | null;
  format: string | null;
  problems: Finding[];
  /** Only for a host of the team's own, and a repository that has the branch. */
  host?: HostCheck;
}

export interface Finding {
  code: string;
  message: string;
}

/** What the check of a team's own host found. */
export interface HostCheck {
  /** What prevents tasks. */
  problems: Finding[];
  /** What may be wrong, or comes later. */
  warnings: Finding[];
  /** What was reported of the production branch's last commits, each name once. */
  reports: { of: 'deployment' | 'status' | 'check'; name: string; creator: string | null }[];
  /** The hosts of the addresses that were reported. */
  hosts: string[];
  /** A deployment of the past, as it answers now. null: there is none at the believed hosts. */
  proof: HostProof | null;
}

export interface HostProof {
  /** null: the live site's own address was looked at. */
  commit: string | null;
  name: string | null;
  url: string;
  /** 0: it did not answer. */
  status: number;
  /** Of the page; null where it has none. */
  title: string | null;
}

export interface SitePage {
  slug: string;
  title: string;
  /** Whether new pages can be generated from it. */
  template: boolean;
  changedAt: string | null;
  changedBy: string | null;
  taskId: string | null;
}

export interface Deployment {
  deploymentId: string;
  commit: string;
  name: string;
  /** For a restore: when the deployment that it restored went live. null: not a restore. */
  restores: string | null;
  /** Number of pages that it changed. */
  pages: { created: number; modified: number; deleted: number };
  at: string;
  taskId: string | null;
  isLive: boolean;
  canRestore: boolean;
  message: string | null;
}

/** The first names of a list of pages, and the length of the whole list. */
export interface PageNames {
  count: number;
  slugs: string[];
}

export interface PageChanges {
  created: PageNames;
  modified: PageNames;
  deleted: PageNames;
}

/** The changes that restoring a deployment would put live. */
export interface RestoreCheck extends PageChanges {
  deploymentId: string;
  name: string;
  at: string;
}

/** The changes that publishing a task would put live. */
export interface PublishCheck {
  taskId: string;
  pages: PageNames;
  /** Tasks below this one, whose pages go live with it. */
  tasks: { taskId: string; title: string; pages: PageNames }[];
  /** Changes that others pushed; null if the repository could not be read. */
  pushed: PageChanges | null;
}

/** How much of a published task is still live. */
export interface Publication {
  /** Whether all, some or none of its pages are still live as they were published. */
  state: 'live' | 'partly-live' | 'replaced';
  publishedAt: string;
  publishedBy: string;
  deploymentId: string;
  /**
   * When a page was last replaced, and by which task. null if all pages are live, or if no task
   * replaced them.
   */
  replacedAt: string | null;
  replacedBy: string | null;
}

/** The fields by which people tell tasks apart. */
export interface TaskName {
  title: string;
  createdBy: NamedMaker;
  follows: string | null;
}

/** Fields that a task's view has besides its status. */
export interface AboutTask extends TaskName {
  siteId: string;
  type: TaskType;
  createdAt: string;
  /** Slug of the page that the new pages are modelled on. */
  template?: string;
  /** For a restore: when the restored deployment went live. */
  restores?: string;
}

/** Whether and how a task's result is live. */
export interface LiveFacts {
  live: boolean;
  publication: (Publication & { livePages: string[]; isEdited: boolean }) | null;
  /**
   * The task that this one is built on, if that is not live. `previewUrl` is the origin of its
   * preview; null if it has none.
   */
  base: { taskId: string; previewUrl: string | null } | null;
}

/** The specification's status view. */
export type StatusView = { taskId: string } & (
  | { status: 'running'; progress?: TaskProgress; output?: never; errorMessage?: never }
  | { status: 'completed'; progress?: never; output: TaskOutput; errorMessage?: never }
  | {
      status: 'failed';
      progress?: never;
      output?: never;
      errorMessage: string;
      usage?: Used;
    }
);

export type Task = StatusView & AboutTask & LiveFacts;

export interface TaskOutput {
  pagesCreated: Page[];
  pagesModified: Page[];
  pagesDeleted: Page[];
  /** Texts of the open notes. */
  warnings?: string[];
  notes?: Note[];
  summary?: string;
  usage?: Used;
  /** Where the site's team merges the changes, if it publishes by pull requests. */
  pullRequestUrl?: string;
}

/** What a task used: of a language model, and of builds at a host of the team's own. */
export type Used =
  | (PricedUsage & { builds?: number })
  | ({ builds: number } & { [Name in keyof PricedUsage]?: never });

/** `cost` is null if the operator has set no price for the model. */
export type PricedUsage = TaskUsage & { cost: Cost | null };

/** A note of a check. It has no state, because nobody can settle it. */
export type CheckedNote = Omit<NoteOfTask, 'task'>;

/** Something that a person should look at, with its state. */
export interface Note extends NoteOfTask {
  id: string;
  state: NoteState;
  /** The person or key that settled it. */
  by?: NamedMaker | null;
  at?: string;
  droppedIn?: string;
}

/** Whether a listed task's result is live. */
export interface ListedLive {
  live: boolean;
  publication: Publication | null;
  pages?: number;
}

/** A task in a list. */
export interface TaskSummary extends TaskName, ListedLive {
  taskId: string;
  type: TaskType;
  siteId: string;
  status: TaskStatus;
  publish: boolean;
  createdAt: string;
  finishedAt?: string;
  /** The state of the latest delivery of its callback. */
  callback: 'pending' | 'accepted' | 'failed' | null;
  restores?: string;
  /** Whether it waits for an answer to a question. */
  asks?: true;
}

export interface Started {
  taskId: string;
  status: 'running';
  createdAt: string;
}

/** An event of a task's stream. */
export type TaskEventAnswer =
  | { event: 'status'; data: { at: string; status: TaskStatus } }
  | { event: 'progress'; data: { at: string } & TaskProgress }
  | { event: 'page'; data: { at: string } & PreviewedPage }
  | { event: 'question'; data: { at: string } & Omit<Question, 'since'> }
  /** null: nobody answered in time. */
  | { event: 'answer'; data: { at: string; questionId: string; answer: string | null } }
  | { event: 'done'; data: StatusView };

/** A page whose preview can be opened while its task runs. */
export type PreviewedPage = Pick<Page, 'slug' | 'previewUrl' | 'editUrl'>;

/** Address of a task's run in Temporal's web UI; null if the operator has not configured one. */
export interface TaskRun {
  taskId: string;
  runUrl: string | null;
}

/** The request that created a task. */
export interface TaskRequest {
  taskId: string;
  siteId: string;
  command: TaskType;
  /** The task that it builds on. */
  baseTaskId: string | null;
  publish: boolean;
  onWarnings: 'publish' | 'hold';
  ask: 'allowed' | 'never';
  prompt?: string;
}

/** The result of a check: the effects that a request would have. */
export interface Checked {
  ok: boolean;
  /** `rules`, or the language model that would do the work. */
  agent: string;
  problems: CheckProblem[];
  items: CheckedItem[];
  /** The template page's language (BCP 47 tag), and its site's host and folder. */
  template: { language: string | null; home: string | null } | null;
  /** For a prompt that was tried. */
  changes?: TriedChanges;
  notes?: CheckedNote[];
}

export interface CheckedItem {
  targetPageSlug: string | null;
  problems: CheckProblem[];
  /** Parts of the context for which the page has no place. */
  unused: string[];
  /** Texts of the template that would remain on the page. */
  stays: StayingText[];
  remarks: CellRemark[];
  notes: CheckedNote[];
}

/** The changes of a task. */
export interface Diff {
  taskId: string;
  base: string | null;
  commit: string | null;
  patch: string | null;
  pages: PageDiff[];
  warnings?: string[];
}

export interface PageDiff {
  slug: string;
  change: 'created' | 'modified' | 'deleted';
  texts: { role: string; section: string | null; before: string | null; after: string | null }[];
}

export interface Callback {
  taskId: string;
  deliveries: Delivery[];
  /**
   * The request as it is sent; null while the task runs. It has only the origin of the callback
   * URL.
   */
  request: { method: 'POST'; origin: string; headers: Record<string, string>; body: string } | null;
}

/** One delivery of a callback. All but the first were requested with a redelivery. */
export interface Delivery extends CallbackDelivery {
  attempts: (CallbackAttempt & { timestamp: number })[];
  requestedAt?: string;
  requestedBy?: NamedMaker;
}

export interface Key {
  keyId: string;
  prefix: string;
  name: string | null;
  role: Role;
  createdBy: NamedMaker | null;
  createdAt: string;
  lastUsedAt: string | null;
  expiresAt: string | null;
  revokedAt: string | null;
}

/** A key in the answer to its creation. `apiKey` is never shown again. */
export type NewKey = Key & { apiKey: string };

/** When the signing secret of callbacks was made, and until when the previous one stays valid. */
export interface CallbackSecret {
  rotatedAt: string | null;
  previousUntil: string | null;
}

export interface NewCallbackSecret {
  callbackSecret: string;
  previousUntil: string | null;
}

/** A link that opens a task's pages without an account. */
export interface Share {
  shareId: string;
  taskId: string;
  access: 'view' | 'edit';
  createdAt: string;
  expiresAt: string;
}

/** A link in the answer to its creation. `url` is never shown again. */
export type NewShare = Share & { url: string };

/** A link in the list of the whole organization. */
export interface ListedShare extends Share {
  createdBy: NamedMaker | null;
  title: string | null;
  siteId: string | null;
}

/** The pages that a share link opens. */
export interface SharedPages {
  access: Share['access'];
  expiresAt: string;
  /** The site's name. */
  site: string;
  /** Whether this service shows the pages, or a host of the team's own. */
  host: SiteHost['type'];
  /** `editUrl` opens the editor, for ten minutes. null if the link only allows viewing. */
  pages: {
    slug: string;
    previewUrl: string | null;
    editUrl: string | null;
    live: boolean;
    published: boolean;
  }[];
}

export interface AuditEntry {
  at: string;
  person: NamedMaker | null;
  key: NamedMaker | null;
  action: string;
  subject: string | null;
  address: string;
}

/** What an organization uses of language models. */
export interface UsageReport {
  /** The limit of this month. null: there is none. */
  limit: {
    month: string;
    usedTokens: number;
    tokensPerMonth: number;
    setBy: 'organization' | 'operator';
    /** Whether 80 % are used. */
    isNear: boolean;
  } | null;
  /** The latest first. */
  months: UsageMonth[];
}

export interface UsageMonth extends UsageCounts {
  /** `YYYY-MM`, UTC. */
  month: string;
  /** Builds at hosts of the organization's own. */
  builds: number;
  models: (UsageCounts & { model: string })[];
}

export interface UsageCounts extends Usage {
  tasks: number;
  calls: number;
  /** Calls of which only an estimate of their input counts. */
  estimatedCalls: number;
  /** null: the operator has set no price for a model. */
  cost: Cost | null;
}

/** The person who is signed in. */
export interface Account {
  user: { userId: string; name: string; email: string };
  organizations: Membership[];
}

/** The ways to sign in on this server. */
export interface SignInOptions {
  signUp: 'open' | 'invite' | 'closed';
  oidc: boolean;
  mail: boolean;
}

/** A key that a person's session created. */
export interface SessionKey {
  apiKey: string;
  organizationId: string;
  expiresAt: string;
}

/** The purpose of a one-time link. */
export interface OneTimeLink {
  purpose: 'sign-in' | 'first-organization';
  email?: string;
  needsPassword?: boolean;
}

/** A view-only link, as members of the organization see it. */
export interface SharedLink {
  shareId: string;
  title: string | null;
  /** The site's name. */
  site: string | null;
  sharedBy: string | null;
  createdAt: string;
  expiresAt: string;
}

export interface DeployKey {
  deployKeyId: string;
  /** A line of authorized_keys. */
  publicKey: string;
  fingerprint: string;
}

/** What a person is asked: whether this program may act for them. */
export interface ConsentRequest {
  /** As the program calls itself. */
  name: string;
  /** The host that gets access; null for a program on the person's computer. */
  host: string | null;
  /** The host of the document that describes it; null for a program that registered. */
  publisher: string | null;
}

/** A program that a person connected by OAuth, and that acts for this person. */
export interface Assistant {
  assistantId: string;
  /** As the program calls itself. */
  name: string;
  /** The hosts that it registered. Empty for a program on the person's computer. */
  hosts: string[];
  /** Who connected it. */
  person: { userId: string; name: string; email: string };
  /** The person's present role, which the program has too. */
  role: Role;
  connectedAt: string;
  lastUsedAt: string | null;
}

/** One of a person's assistants, which may be in several organizations. */
export type OwnAssistant = Assistant & { organization: { organizationId: string; name: string } };
