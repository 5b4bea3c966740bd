import { defined } from '../src/contract/defined.ts';
import type { PageFile } from '../src/contract/site.ts';
import type { Note } from '../src/contract/task.ts';
import type { DeployedPage } from '../src/hosting/hosting.ts';
import { changedPages, deriveSitemap } from '../src/sites/pages/derived.ts';
import { isDerived } from '../src/sites/pages/derivedFiles.ts';
import { mergeLinks } from '../src/sites/pages/mergeLinks.ts';
import type { Attempt } from './attempt.ts';
import { deployAtOnce } from './deployAtOnce.ts';
import type { ActivityDeps } from './deps.ts';
import { openSite, type ResultArgument, resultOf } from './site.ts';

interface Publish extends ResultArgument {
  /** The commit of the production branch that the work began from. */
  base: string;
  /** Deployed to production once they are pushed. Absent: a step of its own does that, as in earlier versions. */
  pages?: PageFile[];
}

interface Merged {
  commit: string;
  notes?: Note[];
}
interface Published extends Merged {
  /** The live pages, absent where they could not be deployed at once. */
  live?: DeployedPage[];
}

type Deps = Pick<ActivityDeps, 'sites' | 'repositories' | 'pages' | 'hosting' | 'log'>;

/**
 * Merges the task's commit into the production branch, and deploys that. Repeatable: a commit that is merged already is
 * not merged again, and the live pointer only moves to descendants. What was merged is kept for later attempts, since
 * a merge that is found again tells no notes.
 * Throws PAGE_CHANGED, PUSH_REFUSED, GIT_FAILED.
 */
export function createPublish(deps: Deps) {
  return async (
    { pages, ...argument }: Publish,
    signal: AbortSignal,
    attempt: Pick<Attempt, 'earlier' | 'keep' | 'beat'>,
  ): Promise<Published> => {
    const { task } = argument;
    const opened = await openSite(deps, task);
    const { merged = await merge(deps, opened, argument, signal) } = (attempt.earlier ?? {}) as { merged?: Merged };
    if (!pages) return merged;
    attempt.keep({ merged });
    attempt.beat();
    const deployment = { site: opened.site, taskId: task.taskId, commit: merged.commit, pages };
    const deploying = deps.hosting.deployProduction(deployment, signal);
    return { ...merged, ...defined({ live: await deployAtOnce(deploying, { task, log: deps.log, signal }) }) };
  };
}

async function merge(
  deps: Deps,
  { site, repository }: Awaited<ReturnType<typeof openSite>>,
  argument: Publish,
  signal: AbortSignal,
): Promise<Merged> {
  const { taskId, organizationId, createdAt } = argument.task;
  const pages = deps.pages.for({ organizationId, signal });
  const left = new Map<string, Note[]>();
  const commit = await repository.publish(
    {
      taskId,
      base: argument.base,
      ...resultOf(argument),
      author: site.author,
      createdAt,
      isDerived,
      derive: (before, merged, changedPaths) =>
        deriveSitemap(merged, changedPages(pages, before, merged, changedPaths), {
          pages,
          createdAt,
        }),
      merge: async (path, versions, changedPaths) => {
        const merged = await mergeLinks(pages, path, versions, changedPaths);
        if (merged) left.set(path, merged.notes);
        return merged?.content;
      },
      nameOf: (path) => (pages.isPage(path) ? pages.slugOf(path) : path),
    },
    signal,
  );
  const notes = [...left.values()].flat();
  return { commit, ...(notes.length > 0 && { notes }) };
}
