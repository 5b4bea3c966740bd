import type { CallbackDelivery } from '../../../contract/callback.ts';
import type { Note, Page, TaskProgress, TaskStatus, TaskUsage } from '../../../contract/task.ts';
import type { Role } from '../../../contract/roles.ts';
export type { Invitation, Member } from '../../../contract/people.ts';

export type { CallbackDelivery, Note, Page, TaskProgress, TaskStatus };

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
  isLive: boolean;
  canRestore: boolean;
  message?: string | null;
}

export type Maker = { userId: string; name: string | null } | { keyId: string; name: string | null } | null;

/** What every task tells of itself, in lists and alone. */
interface About {
  taskId: string;
  status: TaskStatus;
  title?: string | null;
  createdBy?: Maker;
  follows?: string | null;
  siteId?: string;
  type?: TaskType;
  createdAt?: string;
  finishedAt?: string;
}

export type TaskType = 'prompt' | 'generate_pages' | 'publish' | 'restore';

export interface TaskSummary extends About {
  type: TaskType;
  siteId: string;
  publish: boolean;
  createdAt: string;
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
  /** The page that new ones are made like. */
  template?: string | null;
  progress?: TaskProgress;
  output?: TaskOutput;
  errorMessage?: string;
}

export interface Started {
  taskId: string;
}

export interface Stay {
  slot: string;
  label: string;
  text: string;
}

export interface Checked {
  ok: boolean;
  problems: Problem[];
  items?: { targetPageSlug: string; problems: Problem[]; unused: string[]; stays: Stay[] }[];
}

export type Problem = string | { code?: string; message: string };
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
  createdBy: string | { name: string } | null;
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
  createdBy: Maker;
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
  pages: { slug: string; previewUrl: string; editUrl: string | null }[];
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
