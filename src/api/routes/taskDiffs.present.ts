import type { Diff, PageDiff as PageAnswer } from '../../contract/answers.ts';
import type { PageDiff, SiteDiff } from '../../sites/pages/siteDiff.ts';

/**
 * A task's changes, from the commit that it began from to its present result. Both are null if it
 * changed nothing.
 */
export function presentDiff(
  taskId: string,
  commits: { base: string; commit: string } | null,
  { patch, pages, warnings }: SiteDiff,
): Diff {
  const { base, commit } = commits ?? { base: null, commit: null };
  return {
    taskId,
    base,
    commit,
    patch,
    pages: pages.map(presentPage),
    ...(warnings.length > 0 && { warnings }),
  };
}

const presentPage = ({ slug, change, texts }: PageDiff): PageAnswer => ({
  slug,
  change,
  texts: texts.map(({ role, section, before, after }) => ({ role, section, before, after })),
});
