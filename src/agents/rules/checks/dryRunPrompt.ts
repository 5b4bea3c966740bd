import type { TaskCheck, TriedChanges } from '../../../contract/checks.ts';
import { limits, type Note } from '../../../contract/task.ts';
import { DomainError, finalError } from '../../../errors.ts';
import { checkChanges } from '../../../sites/checks/checkChanges.ts';
import { createCommitNotes } from '../../../sites/checks/commitNotes.ts';
import type { Tree } from '../../../sites/git/repository.ts';
import type { PagesPool } from '../../../sites/pages/pages.ts';
import type { JobOwner } from '../../../threads/threadPool.ts';
import { anySignal } from '../../../waitCounters.ts';
import type { RulesAgent } from '../../agentPorts.ts';
import type { TextsPool } from '../../shared/texts/textsPool.ts';
import { createWorkspace, type Workspace } from '../../workspace.ts';

export interface DryRunDependencies {
  pages: Pick<PagesPool, 'for'>;
  texts: Pick<TextsPool, 'for'>;
  rules: Pick<RulesAgent, 'carryOut'>;
}

interface DryRunResult {
  changes: TriedChanges;
  /** The notes that the task would have. */
  notes: Note[];
}

/** The site on which a prompt is tried, and the request that it is tried for. */
interface TrialSite {
  tree: Tree;
  work: JobOwner;
}

const openTrialWorkspace = (
  { pages, texts }: DryRunDependencies,
  { tree, work }: TrialSite,
): Workspace => createWorkspace({ tree, pages: pages.for(work), texts: texts.for(work) });

/**
 * Lets the rules carry out a prompt in memory, and checks the changes as for a commit. Nothing is
 * written.
 * @throws DomainError the error with which the task would fail
 */
async function dryRunPrompt(
  dependencies: DryRunDependencies,
  prompt: string,
  trialSite: TrialSite,
): Promise<DryRunResult> {
  const { work } = trialSite;
  const workspace = openTrialWorkspace(dependencies, trialSite);
  await dependencies.rules.carryOut(workspace, prompt, work);
  const changedFiles = workspace.changes();
  if (changedFiles.length > limits.pagesPerTask)
    throw new DomainError(
      'LIMIT_EXCEEDED',
      `The task would change ${changedFiles.length} pages, and at most ${limits.pagesPerTask} are allowed`,
    );
  const touchedPages = workspace.touched();
  return {
    changes: listTouchedSlugs(touchedPages),
    notes: [
      ...(await workspace.notes()),
      ...(await listTrialCommitNotes(dependencies, prompt, trialSite, workspace)),
    ],
  };
}

/** The notes that the commit of these changes would have. Throws if the changes fail its checks. */
async function listTrialCommitNotes(
  dependencies: DryRunDependencies,
  prompt: string,
  { tree, work }: TrialSite,
  workspace: Workspace,
) {
  const changedFiles = workspace.changes();
  if (changedFiles.length === 0) return [];
  const pages = dependencies.pages.for(work);
  const additions = await checkChanges(pages, tree, {
    files: changedFiles,
    before: (path) => workspace.before(path),
    mayAddLinks: true,
  });
  return createCommitNotes(pages, {
    tree,
    additions,
    changed: workspace.touched(),
    moved: workspace.moved(),
    replaced: workspace.replaced(),
    redirects: workspace.redirected(),
    paths: changedFiles.map(({ path }) => path),
    request: () => Promise.resolve(prompt),
    isTrial: true,
  });
}

function listTouchedSlugs({
  created,
  modified,
  deleted,
}: ReturnType<Workspace['touched']>): TriedChanges {
  const toSlugs = (files: { slug: string }[]) => files.map(({ slug }) => slug);
  return {
    pagesCreated: toSlugs(created),
    pagesModified: toSlugs(modified),
    pagesDeleted: toSlugs(deleted),
  };
}

/** How long a prompt may be tried, in milliseconds. On a very large site, this is too short. */
const TRIAL_TIMEOUT_MS = 20_000;
/**
 * Reports which pages a prompt would change, or why its task would fail. If trying the prompt takes
 * too long, the report is empty: no problems and no changes.
 */
export async function checkPrompt(
  dependencies: DryRunDependencies,
  prompt: string,
  trialSite: TrialSite,
): Promise<TaskCheck> {
  const timeout = AbortSignal.timeout(TRIAL_TIMEOUT_MS);
  const { work } = trialSite;
  const signal = anySignal(work.signal, timeout);
  try {
    const dryRunResult = await dryRunPrompt(dependencies, prompt, {
      ...trialSite,
      work: { ...work, signal },
    });
    return { problems: [], items: [], ...dryRunResult };
  } catch (error) {
    work.signal?.throwIfAborted();
    if (timeout.aborted) return { problems: [], items: [] };
    const { code, message } = finalError(error);
    return { problems: [{ code, message }], items: [] };
  }
}
