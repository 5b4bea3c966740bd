/**
 * What the API answers: its presenters make these, and the console reads them. Types only. Times
 * are ISO 8601, UTC. Fields that are added must be described in the OpenAPI document too, to which
 * tests hold every answer.
 */

import type { CallbackAttempt, CallbackDelivery } from './callback.ts';
import type { CellRemark, CheckProblem, Example, StayingText, TriedChanges } from './check.ts';
import type { NamedMaker } from './maker.ts';
import type { NoteState } from './noteStates.ts';
import type { Membership } from './people.ts';
import type { Role } from './roles.ts';
import type { CredentialKind } from './site.ts';
import type {
  Note as NoteOfTask,
  Page,
  TaskProgress,
  TaskStatus,
  TaskType,
  TaskUsage,
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
  /** What git said when it failed last. */
  problem: string | null;
}

export interface OneSite extends Site {
  author: { name: string; email: string };
  createdAt: string;
}

export interface Repository {
  url: string;
  branch: string;
  root: string;
  access: 'open' | CredentialKind;
  publicKey?: string;
}

/** Whether a repository can be a site's. */
export interface SiteCheck {
  ok: boolean;
  readable: boolean;
  pushable: boolean;
  branch: string | null;
  branches: string[];
  pages: number | null;
  format: string | null;
  problems: { code: string; message: string }[];
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

/** Instructions that work on a site. */
export interface SiteExamples {
  siteId: string;
  commit: string;
  examples: Example[];
}

export interface Deployment {
  deploymentId: string;
  commit: string;
  name: string;
  /** When the version that it put live again went live. */
  restores: string | null;
  /** How many pages it changed. */
  pages: { created: number; modified: number; deleted: number };
  at: string;
  taskId: string | null;
  isLive: boolean;
  canRestore: boolean;
  message: string | null;
}

/** The first of some pages, and how many there are. */
export interface PageNames {
  count: number;
  slugs: string[];
}

export interface PageChanges {
  created: PageNames;
  modified: PageNames;
  deleted: PageNames;
}

/** What putting a deployment live again would change. */
export interface RestoreCheck extends PageChanges {
  deploymentId: string;
  name: string;
  at: string;
}

/** What publishing a task would put live. */
export interface PublishCheck {
  taskId: string;
  pages: PageNames;
  /** Those that it is built on. */
  tasks: { taskId: string; title: string; pages: PageNames }[];
  /** What others pushed; null where the repository does not tell. */
  pushed: PageChanges | null;
}

/** How the pages of a task are live that went live once. */
export interface Publication {
  /** Whether the live site has all of its pages as they went live, some, or none. */
  state: 'live' | 'partly-live' | 'replaced';
  publishedAt: string;
  publishedBy: string;
  deploymentId: string;
  /**
   * When a page was last replaced, and by which task; null where all are live, or no task replaced
   * it.
   */
  replacedAt: string | null;
  replacedBy: string | null;
}

/** By what people tell tasks apart. */
export interface TaskName {
  title: string;
  createdBy: NamedMaker;
  follows: string | null;
}

/** What a task's view tells beside its status. */
export interface AboutTask extends TaskName {
  siteId: string;
  type: TaskType;
  createdAt: string;
  /** The page that new ones are made like. */
  template?: string;
  /** Of a restore: when the version that it puts live again went live. */
  restores?: string;
  /** What the tasks of one table have in common. */
  group?: string;
}

/** What of a task is live. */
export interface LiveFacts {
  live: boolean;
  publication: (Publication & { livePages: string[]; isEdited: boolean }) | null;
  /**
   * The task that it is built on, while that is not live, with the origin of its preview while
   * there is one.
   */
  base: { taskId: string; previewUrl: string | null } | null;
}

/** The specification's status view. */
export type StatusView = { taskId: string } & (
  | { status: 'running'; progress?: TaskProgress; output?: never; errorMessage?: never }
  | { status: 'completed'; progress?: never; output: TaskOutput; errorMessage?: never }
  | { status: 'failed'; progress?: never; output?: never; errorMessage: string }
);

export type Task = StatusView & AboutTask & LiveFacts;

export interface TaskOutput {
  pagesCreated: Page[];
  pagesModified: Page[];
  pagesDeleted: Page[];
  /** The texts of the open notes. */
  warnings?: string[];
  notes?: Note[];
  summary?: string;
  usage?: TaskUsage;
}

/** What a check finds, which nobody settles. */
export type CheckedNote = Omit<NoteOfTask, 'task'>;

/** Something to look at, and what became of it. */
export interface Note extends NoteOfTask {
  id: string;
  state: NoteState;
  /** Who settled it. */
  by?: NamedMaker | null;
  at?: string;
  droppedIn?: string;
}

/** What of a listed task is live. */
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
}

export interface Started {
  taskId: string;
  status: 'running';
  createdAt: string;
}

/** What was started to take something out of all pages of a table. */
export interface DroppedFromAll {
  tasks: (Started & { drops: string })[];
  refused: { taskId: string; error: string }[];
}

/** An event of a task's stream. */
export type TaskEventAnswer =
  | { event: 'status'; data: { at: string; status: TaskStatus } }
  | { event: 'progress'; data: { at: string } & TaskProgress }
  | { event: 'page'; data: { at: string } & PreviewedPage }
  | { event: 'done'; data: StatusView };

/** A page whose preview can be opened while its task runs. */
export type PreviewedPage = Pick<Page, 'slug' | 'previewUrl' | 'editUrl'>;

/** A task's run in Temporal's web UI; null where the operator does not tell. */
export interface TaskRun {
  taskId: string;
  runUrl: string | null;
}

/** What a task was asked for. */
export interface TaskRequest {
  taskId: string;
  siteId: string;
  command: TaskType;
  /** The task that it works on top of. */
  baseTaskId: string | null;
  publish: boolean;
  onWarnings: 'publish' | 'hold';
  prompt?: string;
}

/** What a request would do. */
export interface Checked {
  ok: boolean;
  /** Who would do the work: `rules`, or a language model. */
  agent: string;
  problems: CheckProblem[];
  items: CheckedItem[];
  /** The template's: BCP 47 tag, and the host and folder of the site. */
  template: { language: string | null; home: string | null } | null;
  /** Of instructions that were tried. */
  changes?: TriedChanges;
  notes?: CheckedNote[];
}

export interface CheckedItem {
  targetPageSlug: string | null;
  problems: CheckProblem[];
  /** Parts of the context that would find no place. */
  unused: string[];
  /** Texts of the template that the page would still have. */
  stays: StayingText[];
  remarks: CellRemark[];
  notes: CheckedNote[];
}

/** What a task changed. */
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
  /** Null while the task runs. Of the address it has the origin only. */
  request: { method: 'POST'; origin: string; headers: Record<string, string>; body: string } | null;
}

/** One delivery of a callback. Those after the first were asked for. */
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

/** A key that was made just now: nothing shows `apiKey` again. */
export type NewKey = Key & { apiKey: string };

/** When the secret that signs callbacks was made, and until when the one before works too. */
export interface CallbackSecret {
  rotatedAt: string | null;
  previousUntil: string | null;
}

export interface NewCallbackSecret {
  callbackSecret: string;
  previousUntil: string | null;
}

/** A link for people without an account. */
export interface Share {
  shareId: string;
  taskId: string;
  access: 'view' | 'edit';
  createdAt: string;
  expiresAt: string;
}

/** A link that was made just now: nothing shows `url` again. */
export type NewShare = Share & { url: string };

/** A link of the organization's list. */
export interface ListedShare extends Share {
  createdBy: NamedMaker | null;
  title: string | null;
  siteId: string | null;
}

/** What such a link opens. */
export interface SharedPages {
  access: Share['access'];
  expiresAt: string;
  /** The site's name. */
  site: string;
  /** `editUrl` opens the editor for ten minutes; null where the link is for looking only. */
  pages: {
    slug: string;
    previewUrl: string;
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

/** The person who is signed in. */
export interface Account {
  user: { userId: string; name: string; email: string };
  organizations: Membership[];
}

/** How people sign in here. */
export interface SignInOptions {
  signUp: 'open' | 'invite' | 'closed';
  oidc: { name: string } | null;
  mail: boolean;
}

/** A key that was made of a session. */
export interface SessionKey {
  apiKey: string;
  organizationId: string;
  expiresAt: string;
}

/** What a one-time link is for. */
export interface OneTimeLink {
  purpose: 'sign-in' | 'first-organization';
  email?: string;
  needsPassword?: boolean;
}

/** A link for looking, as members of the organization see it. */
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
