import type { RemovableNote, Note } from '../src/contract/task.ts';
import { DomainError } from '../src/errors.ts';
import { createTemplatePage } from '../src/agents/shared/agentTypes.ts';
import { findTemplate, readSiteTemplate } from '../src/sites/pages/templates.ts';
import type { ActivityDependencies, TaskRef } from './deps.ts';
import { openBase } from './openSite.ts';

interface RemoveFactsInput {
  task: TaskRef;
  base: string;
  slug: string;
  notes: RemovableNote[];
}

/** What to remove from a page. `page.removed` has the ids of its blocks. */
export interface DroppedFacts {
  /** Absent if nothing on the page can be removed. */
  page?: { slug: string; path: string; digest: string; removed: string[] };
  /** Ids of the notes whose facts will be gone from the page. */
  dropped: string[];
  /** Sentences for the task's summary. */
  sentences: string[];
  notes: Note[];
}

/**
 * Finds the blocks of a page with the facts that its notes name, such as a price of the template,
 * so that `commitChanges` can remove them. If the page no longer exists, all its notes count as
 * resolved. Repeatable: it only reads. Throws PAGE_UNREADABLE, LIMIT_EXCEEDED, GIT_FAILED.
 */
export function createRemoveFacts(
  deps: Pick<ActivityDependencies, 'sites' | 'repositories' | 'pages' | 'agents'>,
) {
  return async (
    { task, base, slug, notes }: RemoveFactsInput,
    signal: AbortSignal,
  ): Promise<DroppedFacts> => {
    const { tree } = await openBase(deps, { task, base }, signal);
    const jobOwner = { organizationId: task.organizationId, signal };
    const pages = deps.pages.for(jobOwner);
    const path = findTemplatePath(() => findTemplate(tree, pages, slug));
    if (path === null) return { dropped: notes.map(({ id }) => id), sentences: [], notes: [] };
    const { digest, ...templateContent } = await readSiteTemplate(tree, pages, path);
    const rules = deps.agents.of();
    if (!('findNotedParts' in rules)) throw new Error('The worker does not run the rules');
    const { removed, ...dropResult } = await rules.findNotedParts(
      { page: createTemplatePage(templateContent), notes },
      jobOwner,
    );
    return { ...dropResult, ...(removed.length > 0 && { page: { slug, path, digest, removed } }) };
  };
}

function findTemplatePath(findPath: () => string): string | null {
  try {
    return findPath();
  } catch (error) {
    if (error instanceof DomainError && error.code === 'TEMPLATE_NOT_FOUND') return null;
    throw error;
  }
}
