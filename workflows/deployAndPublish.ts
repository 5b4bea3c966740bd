import { CancellationScope, CancelledFailure } from '@temporalio/workflow';
import { defined } from '../src/contract/defined.ts';
import type { PageFile } from '../src/contract/site.ts';
import {
  type FinishedView,
  type Note,
  type Page,
  type TaskInput,
  type TaskOutput,
} from '../src/contract/task.ts';
import type { AwaitedPage, Deployed, Looked, Merge } from '../src/contract/deployment.ts';
import { notesTogether } from '../src/contract/packedNotes.ts';
import type { Previewed, PreviewNotes } from '../activities/deployPreview.ts';
import { deploymentSteps, gitSteps, refOf, siteOf } from './activities.ts';
import { atHome } from './atHome.ts';
import { messageOf, settle } from './failures.ts';
import { waitForMerge, waitForPages } from './look.ts';
import type { Progress } from './progress.ts';
import type { WithoutPlace } from './withoutPlace.ts';
import { rootOf, type WorkResult } from './workResult.ts';

/** The work's commit. */
interface Held {
  commit: string;
  /** The task whose hidden ref has it, if not this one. */
  heldBy?: string;
}

interface Run {
  progress: Progress;
  withoutPlace: WithoutPlace;
}

interface Live {
  published?: true;
  urls: Map<string, string | null>;
  notes: Note[];
}
type Ended = Pick<Extract<FinishedView, { status: 'completed' }>, 'output' | 'published'>;
type Shown = Pick<Page, 'slug' | 'previewUrl' | 'editUrl'>;
const notLive: Live = { urls: new Map(), notes: [] };

/** Deploys previews of the work, and publishes it if the task asks for that. */
export async function deployAndPublish(
  task: TaskInput,
  result: WorkResult,
  run: Run,
): Promise<Ended> {
  const { progress } = run;
  const { commit } = result;
  const notes = [...notesBelow(task), ...(result.notes ?? [])];
  if (commit === null)
    return { output: outputOf({ ...result, notes }, [], { ...notLive, notes: unpublished(task) }) };
  const pages = [...result.created, ...result.modified];

  progress.phase('deploying');
  const held = { commit, ...heldBy(task) };
  const says = { title: task.title, notes: notesTogether(notes.map(textOnly)) };
  const asked = { pages, base: result.base, says, ...held };
  const deployed = await seenPreviews(task, asked, progress);
  const { pages: previews, unseen } = deployed;
  if (unseen) notes.push(unseen);
  const shown = previews.map(({ slug, url, editUrl }) => ({
    slug,
    previewUrl: url,
    editUrl: isEditable(task, slug) ? editUrl : null,
  }));
  progress.previewed(shown);
  const awaited = deployed.look?.pages ?? deployed.awaited;
  const going = { pages, deleted: result.deleted, ...defined({ awaited }) };
  const goLive = () => publish(task, { base: rootOf(task, result.base), ...held }, going, run);
  const live = isHeld(task, notes) ? heldBack(task) : task.publish ? await goLive() : notLive;
  return {
    output: {
      ...outputOf({ ...result, notes }, shown, live),
      ...defined({ pullRequestUrl: deployed.pullRequestUrl }),
    },
    ...(live.published && { published: true }),
  };
}

/** The part of a note that a pull request shows. Pages often have the same notes. */
const textOnly = ({ page, kind, text }: Note): Note => ({ kind, text, ...defined({ page }) });

/** Notes of the tasks that this one builds on: they go live with it, or it may drop some. */
const notesBelow = ({ publish, work, ontoNotes = [] }: TaskInput) =>
  publish || work.type === 'drop' ? ontoNotes : [];

interface Asked extends Held {
  base: string;
  pages: PageFile[];
  says: PreviewNotes;
}

/**
 * The pages as the host shows them. A host that builds is waited for. Where that fails, or the task
 * is cancelled meanwhile, its branch and pull request are taken back.
 */
async function seenPreviews(
  task: TaskInput,
  asked: Asked,
  progress: Progress,
): Promise<Previewed & { unseen?: Note }> {
  try {
    const deployed = await preview(task, asked);
    stopWhereCancelled();
    if (!deployed.look) return deployed;
    const seen = await waitForPages(task, deployed.look, progress);
    const urls = urlsOf(seen.pages);
    const pages = deployed.pages.map((page) => ({ ...page, url: urls.get(page.slug) ?? null }));
    const note = seen.unseen === undefined ? {} : { unseen: unseenNote(seen.unseen) };
    return { ...deployed, pages, ...note };
  } catch (error) {
    const title = `Take back the preview of ${siteOf(task)}`;
    await CancellationScope.nonCancellable(() =>
      settle(atHome(task, deploymentSteps.withdraw, title, { task: refOf(task) })),
    );
    throw error;
  }
}

const unseenNote = (text: string): Note => ({ kind: 'unpublished', text });

function preview(task: TaskInput, held: Asked) {
  const deploy = `Deploy the preview of ${held.commit.slice(0, 10)} of ${siteOf(task)}`;
  return atHome(task, deploymentSteps.deployPreview, deploy, { task: refOf(task), ...held });
}

const isHeld = ({ publish, onWarnings }: TaskInput, notes: Note[]) =>
  publish && onWarnings === 'hold' && notes.length > 0;

function heldBack({ taskId }: TaskInput): Live {
  const text = `Held because of its warnings, so nothing was published: publish ${taskId} to put it live`;
  return { ...notLive, notes: [{ kind: 'unpublished', text }] };
}

/** Ends a cancelled task here, although its last step was faster than the cancel. */
function stopWhereCancelled(scope = CancellationScope.current()): void {
  if (scope.consideredCancelled) throw new CancelledFailure('Cancelled before publishing');
}

/**
 * A cancel has no effect from here on, except while people are waited for: publishing can't be
 * taken back.
 */
async function publish(
  task: TaskInput,
  work: Held & { base: string },
  going: { pages: PageFile[]; deleted: PageFile[]; awaited?: AwaitedPage[] },
  run: Run,
): Promise<Live> {
  const { progress } = run;
  const outer = CancellationScope.current();
  progress.phase('publishing');
  return CancellationScope.nonCancellable(async () => {
    const ref = refOf(task);
    const into = `Merge into the production branch of ${siteOf(task)} and push`;
    const published = await atHome(task, gitSteps.publish, into, { task: ref, ...work });
    const { notes = [], merge: pull } = published;
    if (pull?.byPeople && task.work.type !== 'publish') return { ...notLive, notes };
    const merged = pull
      ? await settle(
          pull.byPeople
            ? mergedByPeople(task, pull, { ...run, outer })
            : waitForMerge(task, pull, progress),
        )
      : ({ ok: true, value: published.commit } as const);
    if (!merged.ok) {
      if (pull?.byPeople) stopWhereCancelled(outer);
      const note: Note = { kind: 'unpublished', text: messageOf(merged.error) };
      return { ...notLive, notes: [...notes, note] };
    }
    const commit = merged.value;
    const deploy = `Deploy ${commit.slice(0, 10)} of ${siteOf(task)} to production`;
    const argument = { task: ref, ...nameOf(task), commit, ...going };
    const deployed = await settle(
      atHome(task, deploymentSteps.deployProduction, deploy, argument).then((live) =>
        seenLive(task, live, progress),
      ),
    );
    if (deployed.ok) {
      const { pages, unseen } = deployed.value;
      const all = unseen === undefined ? notes : [...notes, unseenNote(unseen)];
      return { published: true, urls: urlsOf(pages), notes: all };
    }
    const text = `The production deployment failed: ${messageOf(deployed.error)}`;
    return { urls: new Map(), notes: [...notes, { kind: 'unpublished', text }] };
  });
}

/** Waits for people, for days if need be. A cancel of the scope outside ends that. */
function mergedByPeople(
  task: TaskInput,
  pull: Merge,
  { outer, progress, withoutPlace }: Run & { outer: CancellationScope },
): Promise<string> {
  const waiting = new CancellationScope();
  outer.cancelRequested.catch(() => waiting.cancel());
  return withoutPlace(() =>
    progress.whilePeopleDecide(() => waiting.run(() => waitForMerge(task, pull, progress))),
  );
}

/** The live pages as the host shows them. */
const seenLive = (
  task: TaskInput,
  { pages, look }: Deployed,
  progress: Progress,
): Promise<Looked> => (look ? waitForPages(task, look, progress) : Promise.resolve({ pages }));

/** Warns that the result below was not published either, as the task changed nothing. */
function unpublished({ publish, onto }: TaskInput): Note[] {
  if (!publish || !onto) return [];
  const text = `Nothing was changed, so nothing was published: publish ${onto.taskId} itself`;
  return [{ kind: 'unpublished', text }];
}

/** The deployment's name, and the deployment that it restores. */
const nameOf = ({ title, work }: TaskInput) => ({
  name: work.type === 'publish' ? work.name : title,
  ...(work.type === 'restore' && { restores: work.at }),
});

const urlsOf = (pages: { slug: string; url: string | null }[]) =>
  new Map(pages.map(({ slug, url }) => [slug, url]));

/** Pages of the tasks below the published one can't be edited under it. */
const isEditable = ({ work }: TaskInput, slug: string) =>
  work.type !== 'publish' || work.ownPages.includes(slug);

/** The task whose hidden ref has the work's commit, if not this one. */
const heldBy = ({ work }: TaskInput) =>
  work.type === 'publish' ? { heldBy: work.result.taskId } : {};

function outputOf(result: WorkResult, shown: Shown[], live: Live): TaskOutput {
  const previews = new Map(shown.map((page) => [page.slug, page]));
  const present = ({ slug }: PageFile): Page => ({
    slug,
    previewUrl: previews.get(slug)?.previewUrl ?? null,
    editUrl: previews.get(slug)?.editUrl ?? null,
    publishedUrl: live.urls.get(slug) ?? null,
    ...defined({ externalId: result.externalIds?.[slug] }),
  });
  const notes = [...(result.notes ?? []), ...live.notes];
  return {
    pagesCreated: result.created.map(present),
    pagesModified: result.modified.map(present),
    pagesDeleted: result.deleted.map(present),
    ...(notes.length > 0 && { notes }),
    ...defined({ summary: result.summary, usage: result.usage }),
  };
}
