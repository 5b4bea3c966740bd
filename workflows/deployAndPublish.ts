import { CancellationScope, CancelledFailure } from '@temporalio/workflow';
import { withoutUndefined } from '../src/contract/withoutUndefined.ts';
import type { PageFile } from '../src/contract/site.ts';
import {
  needsCheck,
  type TaskOutcome,
  type Note,
  type Page,
  type TaskInput,
  type TaskOutput,
} from '../src/contract/task.ts';
import type {
  ExpectedPage,
  DeploymentResult,
  DeploymentStatus,
  PendingMerge,
} from '../src/contract/deployment.ts';
import { packNotes } from '../src/contract/notes/packNotes.ts';
import type { DeployedPreview, PreviewNotes } from '../activities/deployPreview.ts';
import { deploymentActivities, gitActivities, taskRefOf, siteLabel } from './activityProxies.ts';
import { runOnPreferredWorker } from './preferredWorker.ts';
import { clientMessage, settle } from './failures.ts';
import { waitForMerge, waitForPages } from './waitForHost.ts';
import { type EventNotifier, pullRequestEvent, taskSubject } from './eventNotifier.ts';
import type { ProgressReporter } from './progress.ts';
import type { WithoutPermit } from './withoutPermit.ts';
import { rootCommit, type WorkResult } from './workResult.ts';

/** The work's commit. */
interface RetainedCommit {
  commit: string;
  /** The task whose hidden ref has it, if not this one. */
  retainedBy?: string;
}

interface PublishContext {
  progress: ProgressReporter;
  withoutPermit: WithoutPermit;
  notifier: EventNotifier;
}

interface PublishOutcome {
  published?: true;
  urls: Map<string, string | null>;
  notes: Note[];
}
type DeployedOutput = Pick<Extract<TaskOutcome, { status: 'completed' }>, 'output' | 'published'>;
type PagePreviewLinks = Pick<Page, 'slug' | 'previewUrl' | 'editUrl'>;
const nothingPublished: PublishOutcome = { urls: new Map(), notes: [] };

/**
 * Deploys a preview of the work's commit, and publishes it if the task asks for that and no note
 * (something that a person should check) puts it on hold.
 * @returns the task's output: its pages with their URLs, and all notes
 */
export async function deployAndPublish(
  task: TaskInput,
  result: WorkResult,
  context: PublishContext,
): Promise<DeployedOutput> {
  const { progress } = context;
  const { commit } = result;
  const notes = [...listBaseTaskNotes(task), ...(result.notes ?? [])];
  if (commit === null)
    return {
      output: taskOutputOf({ ...result, notes }, [], {
        ...nothingPublished,
        notes: unpublishedBaseNotes(task),
      }),
    };
  const pages = [...result.created, ...result.modified];

  progress.phase('deploying');
  const retained = { commit, ...retainingTask(task) };
  const previewNotes = {
    title: task.title,
    notes: packNotes(notes.filter(needsCheck).map(pullRequestNote)),
  };
  const previewInput = { pages, base: result.base, previewNotes, ...retained };
  const deployed = await deployVerifiedPreviews(task, previewInput, progress);
  const { pages: previews, unverified } = deployed;
  if (unverified) notes.push(unverified);
  const previewLinks = previews.map(({ slug, url, editUrl }) => ({
    slug,
    previewUrl: url,
    editUrl: isEditable(task, slug) ? editUrl : null,
  }));
  progress.previewed(previewLinks);
  const expectedPages = deployed.deploymentCheck?.pages ?? deployed.expectedPages;
  const liveChanges = { pages, deleted: result.deleted, ...withoutUndefined({ expectedPages }) };
  const publishNow = () =>
    publishCommit(task, { base: rootCommit(task, result.base), ...retained }, liveChanges, context);
  const publishOutcome = isOnHold(task, notes)
    ? onHoldOutcome(task)
    : task.publish
      ? await publishNow()
      : nothingPublished;
  return {
    output: {
      ...taskOutputOf({ ...result, notes }, previewLinks, publishOutcome),
      ...withoutUndefined({ pullRequestUrl: deployed.pullRequestUrl }),
    },
    ...(publishOutcome.published && { published: true }),
  };
}

/** The part of a note that a pull request shows. Pages often have the same notes. */
const pullRequestNote = ({ page, kind, text }: Note): Note => ({
  kind,
  text,
  ...withoutUndefined({ page }),
});

/** Notes of the base tasks: their pages go live with this task. */
const listBaseTaskNotes = ({ publish, baseTaskNotes = [] }: TaskInput) =>
  publish ? baseTaskNotes : [];

interface PreviewInput extends RetainedCommit {
  base: string;
  pages: PageFile[];
  previewNotes: PreviewNotes;
}

/**
 * Deploys the preview, and waits for the build of an external host. If this fails, or the task is
 * cancelled meanwhile, removes the preview's branch and pull request.
 * @returns the pages with their preview URLs; in `unverified`, a note if the host did not
 *   show them all
 */
async function deployVerifiedPreviews(
  task: TaskInput,
  previewInput: PreviewInput,
  progress: ProgressReporter,
): Promise<DeployedPreview & { unverified?: Note }> {
  try {
    const deployed = await deployPreviewOf(task, previewInput);
    throwIfCancelled();
    if (!deployed.deploymentCheck) return deployed;
    const deploymentStatus = await waitForPages(task, deployed.deploymentCheck, progress);
    const urls = urlsBySlug(deploymentStatus.pages);
    const pages = deployed.pages.map((page) => ({ ...page, url: urls.get(page.slug) ?? null }));
    const note =
      deploymentStatus.unverified === undefined
        ? {}
        : { unverified: unverifiedNote(deploymentStatus.unverified) };
    return { ...deployed, pages, ...note };
  } catch (error) {
    const title = `Withdraw the preview of ${siteLabel(task)}`;
    await CancellationScope.nonCancellable(() =>
      settle(
        runOnPreferredWorker(task, deploymentActivities.deletePreview, title, {
          task: taskRefOf(task),
        }),
      ),
    );
    throw error;
  }
}

const unverifiedNote = (text: string): Note => ({ kind: 'unpublished', text });

function deployPreviewOf(task: TaskInput, retained: PreviewInput) {
  const deployTitle = `Deploy the preview of ${siteLabel(task)} at ${retained.commit.slice(0, 10)}`;
  return runOnPreferredWorker(task, deploymentActivities.deployPreview, deployTitle, {
    task: taskRefOf(task),
    ...retained,
  });
}

const isOnHold = ({ publish, onWarnings }: TaskInput, notes: Note[]) =>
  publish && onWarnings === 'hold' && notes.some(needsCheck);

function onHoldOutcome({ taskId }: TaskInput): PublishOutcome {
  return { ...nothingPublished, notes: [onHoldNote(taskId)] };
}

export const failedDeploymentNote = (reason: string): Note => ({
  kind: 'unpublished',
  text: `The production deployment failed: ${reason}`,
});

export const onHoldNote = (taskId: string): Note => ({
  kind: 'unpublished',
  text: `The task is on hold because of its notes, so nothing was published. Publish ${taskId} to put it live`,
});

/** Ends a cancelled task, even if its last activity completed before the cancel reached it. */
function throwIfCancelled(scope = CancellationScope.current()): void {
  if (scope.consideredCancelled)
    throw new CancelledFailure('The task was cancelled before it was published');
}

/**
 * Merges the commit into the production branch, and makes it live. A cancel has no effect from here
 * on, since publishing can't be undone, except while the task waits for people to merge. A failure
 * becomes a note: the task still completes.
 */
async function publishCommit(
  task: TaskInput,
  retained: RetainedCommit & { base: string },
  liveChanges: { pages: PageFile[]; deleted: PageFile[]; expectedPages?: ExpectedPage[] },
  context: PublishContext,
): Promise<PublishOutcome> {
  const { progress } = context;
  const outer = CancellationScope.current();
  progress.phase('publishing');
  return CancellationScope.nonCancellable(async () => {
    const taskRef = taskRefOf(task);
    const mergeTitle = `Merge into the production branch of ${siteLabel(task)}`;
    const published = await runOnPreferredWorker(task, gitActivities.publish, mergeTitle, {
      task: taskRef,
      ...retained,
    });
    const { notes = [], merge: pullRequest } = published;
    if (pullRequest?.byPeople)
      await context.notifier.notify(
        pullRequestEvent({ ...taskSubject(task), pullRequestUrl: pullRequest.url }),
      );
    if (pullRequest?.byPeople && task.work.type !== 'publish')
      return { ...nothingPublished, notes };
    const mergeResult = pullRequest
      ? await settle(
          pullRequest.byPeople
            ? waitForMergeByPeople(task, pullRequest, { ...context, outer })
            : waitForMerge(task, pullRequest, progress),
        )
      : ({ ok: true, value: published.commit } as const);
    if (!mergeResult.ok) {
      if (pullRequest?.byPeople) throwIfCancelled(outer);
      const note: Note = { kind: 'unpublished', text: clientMessage(mergeResult.error) };
      return { ...nothingPublished, notes: [...notes, note] };
    }
    const commit = mergeResult.value;
    const deployTitle = `Deploy ${siteLabel(task)} at ${commit.slice(0, 10)} to production`;
    const argument = { task: taskRef, ...deploymentNames(task), commit, ...liveChanges };
    const deployed = await settle(
      runOnPreferredWorker(task, deploymentActivities.deployProduction, deployTitle, argument).then(
        (liveDeployment) => waitForLivePages(task, liveDeployment, progress),
      ),
    );
    if (deployed.ok) {
      const { pages, unverified } = deployed.value;
      const allNotes = unverified === undefined ? notes : [...notes, unverifiedNote(unverified)];
      return { published: true, urls: urlsBySlug(pages), notes: allNotes };
    }
    const failureNote = failedDeploymentNote(clientMessage(deployed.error));
    return { urls: new Map(), notes: [...notes, failureNote] };
  });
}

/** Waits until people merge, for days if necessary. A cancel of the `outer` scope ends the wait. */
function waitForMergeByPeople(
  task: TaskInput,
  pullRequest: PendingMerge,
  { outer, progress, withoutPermit }: PublishContext & { outer: CancellationScope },
): Promise<string> {
  const waitingScope = new CancellationScope();
  outer.cancelRequested.catch(() => waitingScope.cancel());
  return withoutPermit(() =>
    progress.whilePeopleDecide(() =>
      waitingScope.run(() => waitForMerge(task, pullRequest, progress)),
    ),
  );
}

/** The live pages with their URLs, after waiting for the build of an external host. */
const waitForLivePages = (
  task: TaskInput,
  { pages, deploymentCheck }: DeploymentResult,
  progress: ProgressReporter,
): Promise<DeploymentStatus> =>
  deploymentCheck ? waitForPages(task, deploymentCheck, progress) : Promise.resolve({ pages });

/** A note that the base task was not published either, because this task changed nothing. */
function unpublishedBaseNotes({ publish, baseTask }: TaskInput): Note[] {
  if (!publish || !baseTask) return [];
  const text = `Nothing was published, because the task changed nothing. Publish its base task ${baseTask.taskId} instead`;
  return [{ kind: 'unpublished', text }];
}

/** The deployment's name, and the deployment that it restores. */
const deploymentNames = ({ title, work }: TaskInput) => ({
  name: work.type === 'publish' ? work.name : title,
  ...(work.type === 'restore' && { restores: work.at }),
});

const urlsBySlug = (pages: { slug: string; url: string | null }[]) =>
  new Map(pages.map(({ slug, url }) => [slug, url]));

/** A publish task also shows pages of base tasks, which can only be edited in those tasks. */
const isEditable = ({ work }: TaskInput, slug: string) =>
  work.type !== 'publish' || work.ownPages.includes(slug);

/** The task whose hidden ref has the work's commit, if not this one. */
const retainingTask = ({ work }: TaskInput) =>
  work.type === 'publish' ? { retainedBy: work.result.taskId } : {};

function taskOutputOf(
  result: WorkResult,
  previewLinks: PagePreviewLinks[],
  publishOutcome: PublishOutcome,
): TaskOutput {
  const previews = new Map(previewLinks.map((page) => [page.slug, page]));
  const presentPage = ({ slug }: PageFile): Page => ({
    slug,
    previewUrl: previews.get(slug)?.previewUrl ?? null,
    editUrl: previews.get(slug)?.editUrl ?? null,
    publishedUrl: publishOutcome.urls.get(slug) ?? null,
    ...withoutUndefined({ externalId: result.externalIds?.[slug] }),
  });
  const notes = [...(result.notes ?? []), ...publishOutcome.notes];
  return {
    pagesCreated: result.created.map(presentPage),
    pagesModified: result.modified.map(presentPage),
    pagesDeleted: result.deleted.map(presentPage),
    ...(notes.length > 0 && { notes }),
    ...withoutUndefined({ summary: result.summary, usage: result.usage }),
  };
}
