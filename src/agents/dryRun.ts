import type { TaskChecked, TriedChanges } from '../contract/check.ts';
import { limits, type Note } from '../contract/task.ts';
import { DomainError, finalError } from '../errors.ts';
import { checkChanges } from '../sites/checks/checkChanges.ts';
import { commitNotes } from '../sites/checks/commitNotes.ts';
import type { Tree } from '../sites/git/repository.ts';
import type { PagesPool } from '../sites/pages/pages.ts';
import type { Work } from '../threads/threads.ts';
import { anySignal } from '../waiting.ts';
import type { Rules } from './port.ts';
import type { TextsPool } from './tools/textsPool.ts';
import { createWorkspace, type Workspace } from './workspace.ts';

export interface DryRunDeps {
  pages: Pick<PagesPool, 'for'>;
  texts: Pick<TextsPool, 'for'>;
  rules: Pick<Rules, 'carryOut'>;
}

interface DryRun {
  changes: TriedChanges;
  /** The notes that the task would have. */
  notes: Note[];
}

/** A site's commit on which prompts are tried. */
interface TryingGround {
  tree: Tree;
  work: Work;
}

const openGround = ({ pages, texts }: DryRunDeps, { tree, work }: TryingGround): Workspace =>
  createWorkspace({ tree, pages: pages.for(work), texts: texts.for(work) });

/**
 * Runs a prompt by the embedded rules, with the checks of a commit, but without writing anything.
 * @throws DomainError the error with which the task would fail
 */
async function dryRun(deps: DryRunDeps, prompt: string, ground: TryingGround): Promise<DryRun> {
  const { work } = ground;
  const workspace = openGround(deps, ground);
  await deps.rules.carryOut(workspace, prompt, work);
  const files = workspace.changes();
  if (files.length > limits.pagesPerTask)
    throw new DomainError(
      'LIMIT_EXCEEDED',
      `It changes ${files.length} pages; at most ${limits.pagesPerTask} are possible`,
    );
  const changed = workspace.touched();
  return {
    changes: slugsOf(changed),
    notes: [...(await workspace.notes()), ...(await notesOn(deps, prompt, ground, workspace))],
  };
}

/** The notes that the commit would have. */
async function notesOn(
  deps: DryRunDeps,
  prompt: string,
  { tree, work }: TryingGround,
  workspace: Workspace,
) {
  const files = workspace.changes();
  if (files.length === 0) return [];
  const pages = deps.pages.for(work);
  const gained = await checkChanges(pages, tree, {
    files,
    before: (path) => workspace.before(path),
    newLinks: true,
  });
  return commitNotes(pages, {
    tree,
    additions: gained,
    changed: workspace.touched(),
    moved: workspace.moved(),
    replaced: workspace.replaced(),
    redirects: workspace.redirected(),
    paths: files.map(({ path }) => path),
    request: () => Promise.resolve(prompt),
    isTrial: true,
  });
}

function slugsOf({ created, modified, deleted }: ReturnType<Workspace['touched']>): TriedChanges {
  const slugs = (files: { slug: string }[]) => files.map(({ slug }) => slug);
  return {
    pagesCreated: slugs(created),
    pagesModified: slugs(modified),
    pagesDeleted: slugs(deleted),
  };
}

/** Milliseconds for trying a prompt. On a very large site, the trial is cut short. */
const TRIED_WITHIN = 20_000;
/** Reports what a prompt would change, or why it would fail. */
export async function checkPrompt(
  deps: DryRunDeps,
  prompt: string,
  ground: TryingGround,
): Promise<TaskChecked> {
  const late = AbortSignal.timeout(TRIED_WITHIN);
  const { work } = ground;
  const signal = anySignal(work.signal, late);
  try {
    const tried = await dryRun(deps, prompt, { ...ground, work: { ...work, signal } });
    return { problems: [], items: [], ...tried };
  } catch (error) {
    work.signal?.throwIfAborted();
    if (late.aborted) return { problems: [], items: [] };
    const { code, message } = finalError(error);
    return { problems: [{ code, message }], items: [] };
  }
}
