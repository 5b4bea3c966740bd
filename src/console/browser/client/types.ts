import type { CallbackDelivery } from '../../../contract/callback.ts';
import type { Note as NoteOfTask, Page, TaskProgress, TaskStatus, TaskUsage } from '../../../contract/task.ts';
import type { NoteState } from '../../../contract/noteStates.ts';
import type { Role } from '../../../contract/roles.ts';
export type { Invitation, Member } from '../../../contract/people.ts';

export type { Page, TaskProgress, TaskStatus };

export interface Part<T> {
  items: T[];
  nextCursor: string | null;
}

export interface Repository {
  url: string;
  branch: string;
  root: string;
  access?: 'open' | 'token' | 'deploy-key';
  publicKey?: string;
}

export interface Site {
  siteId: string;
  name: string;
  liveUrl: string | null;
  deployment: { state: 'live' | 'failed'; commit: string; taskId: string | null; at: string } | null;
  repository?: Repository | null;
  /** What git said when it failed last. */
  problem?: string | null;
  author?: { name: string; email: string };
}

export interface SitePage {
  slug: string;
  title: string;
  template: boolean;
  changedAt?: string | null;
  changedBy?: string | null;
  taskId?: string | null;
}

export interface Deployment {
  deploymentId: string;
  commit: string;
  at: string;
  taskId: string | null;
  name: string;
  /** When the version that it put live again went live. */
  restores: string | null;
  /** How many pages it changed. */
  pages: { created: number; modified: number; deleted: number };
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

/** What publishing a task would put live. */
export interface PublishCheck {
  pages: PageNames;
  tasks: { taskId: string; title: string; pages: PageNames }[];
  /** What others pushed; null where the repository does not tell. */
  pushed: PageChanges | null;
}

/** How the pages of a task are live that went live once. */
interface Publication {
  state: 'live' | 'partly-live' | 'replaced';
  publishedAt: string;
  publishedBy: string;
  replacedAt: string | null;
  replacedBy: string | null;
}

export type Maker = { userId: string; name: string | null } | { keyId: string; name: string | null };

/** One delivery of a callback. Those after the first were asked for. */
export interface TaskDelivery extends CallbackDelivery {
  requestedAt?: string;
  requestedBy?: Maker;
}

export interface Callback {
  deliveries: TaskDelivery[];
  /** Null while the task runs. Of the address it has the origin only. */
  request: { method: string; origin: string; headers: Record<string, string>; body: string } | null;
}

/** What every task tells of itself, in lists and alone. */
interface About {
  taskId: string;
  status: TaskStatus;
  title: string;
  createdBy: Maker;
  follows: string | null;
  siteId: string;
  type: TaskType;
  createdAt: string;
  finishedAt?: string;
  /** Of a restore: when the version that it puts live again went live. */
  restores?: string;
}

export type TaskType = 'prompt' | 'generate_pages' | 'publish' | 'restore' | 'drop';

export interface TaskSummary extends About {
  publish: boolean;
  /** The state of the latest delivery of its callback. */
  callback?: 'pending' | 'accepted' | 'failed' | null;
  publication: Publication | null;
  pages?: number;
}

/** What a check finds, which nobody settles. */
export type CheckedNote = NoteOfTask;

/** Something to check, and what became of it. */
export interface Note extends NoteOfTask {
  id: string;
  state: NoteState;
  /** Who settled it. */
  by?: Maker;
  droppedIn?: string;
}

export interface TaskOutput {
  pagesCreated: Page[];
  pagesModified: Page[];
  pagesDeleted: Page[];
  notes?: Note[];
  summary?: string;
  usage?: TaskUsage;
}

export interface Task extends About {
  publication: (Publication & { livePages: string[]; isEdited: boolean }) | null;
  /** The task that it is built on, while that is not live. */
  base: { taskId: string; previewUrl: string | null } | null;
  /** The page that new ones are made like. */
  template?: string;
  /** What the tasks of one table have in common. */
  group?: string;
  progress?: TaskProgress;
  output?: TaskOutput;
  errorMessage?: string;
}

/** What a task was asked for. */
export interface TaskRequest {
  prompt?: string;
  /** The task that it works on top of. */
  baseTaskId: string | null;
  publish: boolean;
  onWarnings: 'publish' | 'hold';
}

export interface Started {
  taskId: string;
}

export interface Stay {
  slot: string;
  label: string;
  text: string;
}

/** What is wrong with a value of a row. */
export interface CellRemark {
  /** The key of the value, in lower case. */
  label: string;
  value: string;
  /** What it would fill: `telephone number`. */
  fills: string;
  message: string;
  severity: 'error' | 'warning';
}

export interface CheckedItem {
  problems: Problem[];
  unused: string[];
  stays: Stay[];
  remarks: CellRemark[];
  notes: CheckedNote[];
}

export interface Checked {
  ok: boolean;
  /** The template's: BCP 47 tag, and the host and folder of the site. */
  template?: { language: string | null; home: string | null } | null;
  /** Who would do the work: `rules`, or a language model. */
  agent?: string;
  /** Of instructions that were tried. */
  changes?: TriedChanges;
  notes?: CheckedNote[];
  problems: Problem[];
  items?: CheckedItem[];
}

/** Slugs of the pages that instructions would change. */
export interface TriedChanges {
  pagesCreated: string[];
  pagesModified: string[];
  pagesDeleted: string[];
}

/** Instructions that work on a site. */
export interface SiteExamples {
  examples: { prompt: string; changes: TriedChanges }[];
}

export type Problem = string | { code?: string; message: string; part?: string; suggestions?: string[] };
export const problemText = (problem: Problem) => (typeof problem === 'string' ? problem : problem.message);

export interface Diff {
  patch: string | null;
  pages: {
    slug: string;
    change: 'created' | 'modified' | 'deleted';
    texts: { role: string; section: string | null; before: string | null; after: string | null }[];
  }[];
  warnings?: string[];
}

export interface SiteCheck {
  ok: boolean;
  readable: boolean;
  pushable: boolean;
  branch: string | null;
  branches?: string[];
  pages: number | null;
  format: string | null;
  problems: Problem[];
}

export interface Key {
  keyId: string;
  prefix: string;
  name: string;
  role: Role;
  createdBy: Maker | null;
  createdAt: string;
  lastUsedAt: string | null;
  expiresAt: string | null;
  revokedAt: string | null;
}

/** Whether a key works no more. */
export const isOver = ({ revokedAt, expiresAt }: Key) =>
  revokedAt !== null || (expiresAt !== null && Date.parse(expiresAt) <= Date.now());

/** A link for people without an account. */
export interface Share {
  shareId: string;
  access: 'view' | 'edit';
  createdAt: string;
  expiresAt: string;
}

/** A link of the organization's list. */
export interface ListedShare extends Share {
  taskId: string;
  createdBy: Maker | null;
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
  pages: { slug: string; previewUrl: string; editUrl: string | null; live: boolean; published: boolean }[];
}

export interface AuditEntry {
  at: string;
  person: string | { name: string } | null;
  key: string | { name: string } | null;
  action: string;
  subject: string | null;
  address: string | null;
}

/** A name that stands alone or in an object. */
export const nameOf = (of: string | { name: string | null } | null | undefined) =>
  typeof of === 'string' ? of : (of?.name ?? '');
