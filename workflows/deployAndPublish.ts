import { CancellationScope, CancelledFailure } from '@temporalio/workflow';
import { defined } from '../src/contract/defined.ts';
import type { PageFile, ResultCommit } from '../src/contract/site.ts';
import type { FinishedView, Page, TaskInput, TaskOutput } from '../src/contract/task.ts';
import { deployment, git, refOf, summary } from './activities.ts';
import { attempt, messageOf } from './failures.ts';
import type { Progress } from './progress.ts';
import { rootOf, type WorkResult } from './result.ts';

interface Live {
  published?: true;
  urls: Map<string, string>;
  warnings: string[];
}
type Deployed = Pick<Extract<FinishedView, { status: 'completed' }>, 'output' | 'published'>;
type Shown = Pick<Page, 'slug' | 'previewUrl' | 'editUrl'>;
const notLive: Live = { urls: new Map(), warnings: [] };

/** Previews of the work, and the live pages where the task asks for them. */
export async function deployAndPublish(task: TaskInput, result: WorkResult, progress: Progress): Promise<Deployed> {
  const { commit } = result;
  if (commit === null) return { output: outputOf(result, [], { ...notLive, warnings: unpublished(task) }) };
  const pages = [...result.created, ...result.modified];

  progress.phase('deploying');
  const deploy = summary(`Deploy the preview of ${commit.slice(0, 10)}`);
  const held = { commit, heldBy: heldBy(task) };
  const previews = await deployment.deployPreview.executeWithOptions(deploy, [{ task: refOf(task), pages, ...held }]);
  const shown = previews.map(({ slug, url, editUrl = null }) => ({
    ...{ slug, previewUrl: url },
    editUrl: isEditable(task, slug) ? editUrl : null,
  }));
  progress.previewed(shown);
  const live = task.publish
    ? await publish(task, { base: rootOf(task, result.base), ...held }, pages, progress)
    : notLive;
  return { output: outputOf(result, shown, live), ...(live.published && { published: true }) };
}

/** Once publishing has begun nothing takes it back: a cancel before stops the task here, a later one is not heard. */
async function publish(
  task: TaskInput,
  work: ResultCommit & { base: string },
  pages: PageFile[],
  progress: Progress,
): Promise<Live> {
  if (CancellationScope.current().consideredCancelled) throw new CancelledFailure('Cancelled before publishing');
  progress.phase('publishing');
  return CancellationScope.nonCancellable(async () => {
    const merge = summary('Merge into the production branch and push');
    const published = await git.publish.executeWithOptions(merge, [{ task: refOf(task), ...work }]);
    const deploy = summary(`Deploy ${published.commit.slice(0, 10)} to production`);
    const deployed = await attempt(
      deployment.deployProduction.executeWithOptions(deploy, [{ task: refOf(task), commit: published.commit, pages }]),
    );
    if (deployed.ok) return { published: true, urls: urlsOf(deployed.value), warnings: [] };
    return { urls: new Map(), warnings: [`The production deployment failed: ${messageOf(deployed.error)}`] };
  });
}

/** Who asked to publish what is built on another task is told that nothing of that one went live either. */
const unpublished = ({ publish, onto }: TaskInput) =>
  publish && onto ? [`Nothing was changed, so nothing was published: publish ${onto.taskId} itself`] : [];

const urlsOf = (pages: { slug: string; url: string }[]) => new Map(pages.map(({ slug, url }) => [slug, url]));

/** Pages of the tasks that the published one was built on are not edited under that one. */
const isEditable = ({ work }: TaskInput, slug: string) =>
  work.type !== 'publish' || (work.ownPages?.includes(slug) ?? true);

/** The task under whose hidden ref the work's commit is found. */
const heldBy = ({ taskId, work }: TaskInput) => (work.type === 'publish' ? work.result.taskId : taskId);

function outputOf(result: WorkResult, shown: Shown[], live: Live): TaskOutput {
  const previews = new Map(shown.map((page) => [page.slug, page]));
  const present = ({ slug }: PageFile): Page => ({
    slug,
    previewUrl: previews.get(slug)?.previewUrl ?? null,
    editUrl: previews.get(slug)?.editUrl ?? null,
    publishedUrl: live.urls.get(slug) ?? null,
    ...defined({ externalId: result.externalIds?.[slug] }),
  });
  const warnings = [...result.warnings, ...live.warnings];
  return {
    pagesCreated: result.created.map(present),
    pagesModified: result.modified.map(present),
    pagesDeleted: result.deleted.map(present),
    ...(warnings.length > 0 && { warnings }),
  };
}
