import type { Assign } from '../agents/assignment.ts';
import type { CheckTask } from '../contract/check.ts';
import type { NoteStates } from '../contract/noteStates.ts';
import type { PublicationReader } from '../contract/published.ts';
import type { Preview, Site, SiteRegister } from '../contract/site.ts';
import type { TaskState } from '../editor/editableTask.ts';
import type { Editor } from '../editor/editor.ts';
import type { Grants } from '../editor/grants.ts';
import type { DeploymentList } from '../hosting/deploymentList.ts';
import type { Hosting } from '../hosting/hosting.ts';
import type { SiteComparison } from '../hosting/siteComparison.ts';
import type { Makers } from '../organizations/makers.ts';
import type { Shares } from '../organizations/shares.ts';
import type { SiteDiffs } from '../sites/pages/siteDiff.ts';
import type { TaskRecord, Tasks } from '../temporal/tasks/tasks.ts';

/** What the use cases of tasks work on, whoever asks for them: the API, or another room. */
export interface Ports {
  tasks: Tasks;
  sites: SiteRegister;
  /** Decides who does the work of a task. */
  assign: Assign;
  checkTask: CheckTask;
  /** Throws INVALID_CALLBACK_URL for a URL that no callback may go to. */
  checkCallbackUrl: (url: string) => Promise<void>;
  hosting: Pick<Hosting, 'endPreview'>;
  deployments: Previews;
  publications: PublicationReader;
  siteDeployments: DeploymentList;
  siteComparison: SiteComparison;
  diffs: SiteDiffs;
  /** The origin of a task's preview. */
  previewAddress: (site: Site, taskId: string) => string;
  noteStates: NoteStates;
  makers: Makers;
  shares: Shares;
  knownTasks: KnownTasks;
  editing: Editing;
}

/** The ports of these names. */
export type Needs<Names extends keyof Ports> = Pick<Ports, Names>;

/**
 * The commits that tasks' previews show, and whether they are still shown. A preview shows another
 * commit than the task's own where it was edited by hand.
 */
export interface Previews {
  preview(taskId: string): Promise<Preview | null>;
  /**
   * The same for what only tells of the preview: a moment ago another process may have changed it.
   */
  knownPreview(taskId: string): Promise<Preview | null>;
}

/** Editing by hand. */
export interface Editing {
  editor: Editor;
  grants: Grants;
  /** Throws NOT_FOUND for an unknown task and for another organization's. */
  findTask(organizationId: string, taskId: string): Promise<TaskState>;
  /** The address that clients use. */
  publicUrl(): URL;
}

/**
 * What is known of an organization's tasks, by their ids, for lists of what they made. Those are
 * missing that are over their retention; where Temporal does not answer, all or some of the others.
 */
export type KnownTasks = (
  organizationId: string,
  taskIds: string[],
) => Promise<Map<string, TaskRecord>>;
