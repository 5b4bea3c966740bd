import type { AssignModel } from '../agents/modelAssignment.ts';
import type { BatchStore } from '../contract/batches/batchStore.ts';
import type { BatchChecker, TaskChecker } from '../contract/checks.ts';
import type { Approvals, CurrentVersionReader } from '../contract/approvals.ts';
import type { GuestComments } from '../contract/reviews/guestComments.ts';
import type { NoteStates } from '../contract/notes/noteStates.ts';
import type { CostCalculator } from '../contract/prices.ts';
import type { PublicationReader } from '../contract/publication.ts';
import type { PageMarks, PageReviewer } from '../contract/reviews/pageReviews.ts';
import type { TaskPreview, SiteRegister } from '../contract/site.ts';
import type { EditorTaskState } from '../editor/editableTask.ts';
import type { PageEditor } from '../editor/editor.ts';
import type { EditGrants } from '../editor/grants.ts';
import type { DeploymentListReader } from '../hosting/deploymentList.ts';
import type { SiteHosting } from '../hosting/hosting.ts';
import type { SiteComparison } from '../hosting/siteComparison.ts';
import type { CreatorNames } from '../organizations/creatorNames.ts';
import type { TokenLimits } from '../organizations/tokenLimits.ts';
import type { ShareLinks } from '../organizations/shareLinks.ts';
import type { SiteDiffs } from '../sites/pages/siteDiff.ts';
import type { BatchRuns } from '../temporal/batches/batches.ts';
import type { TaskRecord, TaskService } from '../temporal/tasks/taskService.ts';

/**
 * The ports of the use cases: everything that they depend on. This module has a file for each use
 * case of tasks and batches. The REST API, the console and the tools of assistants call the same
 * use cases, so these know no HTTP. A use case gets its caller, the ports that it needs, and a
 * request. It returns plain data, or throws a `DomainError` with a code.
 *
 * - Start a task: `createTask.ts`, `publishTask.ts`, `retryTask.ts`, `restoreTask.ts`, all by
 *   `startTask.ts`. `checkTask.ts` only checks a request.
 * - Versions of its result: `taskVersions.ts` (list, undo, update), `removeTaskFacts.ts`.
 * - Read: `readTask.ts`, `taskWatchers.ts` (live), `diff.ts`, `publications.ts`,
 *   `previewPublish.ts`.
 * - Notes: `openNotes.ts`, `changeNoteStates.ts`, `pageNotes.ts`. Links: `editLink.ts`,
 *   `shareLinks.ts`.
 * - Approvals before publishing: `approvals/`. The review of pages: `reviews/`. Batches of pages:
 *   `batches/`.
 *
 * For example, `createTask(caller, ports, { siteId, command: 'prompt', prompt, … }, idempotency)`
 * returns `{ taskId: 'bg-…', createdAt: '…' }` once Temporal has the task.
 */
export interface TaskPorts {
  tasks: TaskService;
  batches: BatchStore;
  batchRuns: BatchRuns;
  /** How many builds tasks and batches caused at external hosts, in the order of the ids. */
  builds: { countsOf(taskIds: string[]): Promise<number[]> };
  sites: SiteRegister;
  /** Decides which agent does a task. */
  assign: AssignModel;
  checkTask: TaskChecker;
  checkBatch: BatchChecker;
  costOf: CostCalculator;
  /** Throws INVALID_CALLBACK_URL for a URL to which callbacks are not allowed. */
  checkCallbackUrl: (url: string) => Promise<void>;
  hosting: Pick<SiteHosting, 'endPreview'>;
  deployments: TaskPreviews;
  publications: PublicationReader;
  siteDeployments: DeploymentListReader;
  siteComparison: SiteComparison;
  diffs: SiteDiffs;
  /**
   * The origin of a task's preview, e.g. `https://bg-…--acme.example.com`. null if it is not
   * known, and for an unknown site. For display only: it may miss a change that another process
   * just made.
   */
  previewOriginOf: (preview: PreviewKey) => Promise<string | null>;
  noteStates: NoteStates;
  pageMarks: PageMarks;
  reviewer: PageReviewer;
  approvals: Approvals;
  guestComments: GuestComments;
  readCurrentVersion: CurrentVersionReader;
  creators: CreatorNames;
  tokenLimits: Pick<TokenLimits, 'refusal'>;
  shares: ShareLinks;
  knownTasks: KnownTasks;
  editing: EditingPorts;
}

/** Some of the ports, by name. */
export type NeededPorts<Names extends keyof TaskPorts> = Pick<TaskPorts, Names>;

/** A task and its site. */
interface PreviewKey {
  organizationId: string;
  siteId: string;
  taskId: string;
}

/**
 * The previews of tasks: which commit a preview shows, and whether it is still shown. After an edit
 * by hand, it shows a later commit than the task's own.
 */
export interface TaskPreviews {
  preview(taskId: string): Promise<TaskPreview | null>;
  /**
   * The preview of one task, for display only: it may miss a change that another process just made.
   */
  knownPreview(taskId: string): Promise<TaskPreview | null>;
}

/** Ports for editing by hand. */
export interface EditingPorts {
  editor: PageEditor;
  grants: EditGrants;
  /** Throws NOT_FOUND if the task is unknown or another organization's. */
  findTask(organizationId: string, taskId: string): Promise<EditorTaskState>;
  /** The base address that clients use. */
  publicUrl(): URL;
}

/**
 * Looks up an organization's tasks by id, for lists that show their titles. Tasks past their
 * retention are missing. If Temporal does not answer, more or all are missing.
 */
export type KnownTasks = (
  organizationId: string,
  taskIds: string[],
) => Promise<Map<string, TaskRecord>>;
