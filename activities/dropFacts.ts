import type { DropNote, Note } from '../src/contract/task.ts';
import { DomainError } from '../src/errors.ts';
import { templatePageOf } from '../src/agents/agent.ts';
import { findTemplate, readTemplate } from '../src/sites/pages/template.ts';
import type { ActivityDeps, TaskRef } from './deps.ts';
import { baseOf, openSite, treeOfBase } from './taskRepository.ts';

interface DropFacts {
  task: TaskRef;
  base: string;
  slug: string;
  notes: DropNote[];
}

export interface DroppedFacts {
  /** Absent where the page has nothing that can go. */
  page?: { slug: string; path: string; digest: string; removed: string[] };
  /** Ids of the notes of which nothing is left. */
  dropped: string[];
  says: string[];
  notes: Note[];
}

/**
 * Finds what of a page goes with some of its notes. Repeatable: it only reads. A page that is not
 * there any more has nothing left of them. Throws PAGE_UNREADABLE, LIMIT_EXCEEDED, GIT_FAILED.
 */
export function createDropFacts(
  deps: Pick<ActivityDeps, 'sites' | 'repositories' | 'pages' | 'agents'>,
) {
  return async (
    { task, base, slug, notes }: DropFacts,
    signal: AbortSignal,
  ): Promise<DroppedFacts> => {
    const { repository } = await openSite(deps, task);
    const tree = await treeOfBase(repository, baseOf({ task, base }), signal);
    const work = { organizationId: task.organizationId, signal };
    const pages = deps.pages.for(work);
    const path = pathOf(() => findTemplate(tree, pages, slug));
    if (path === null) return { dropped: notes.map(({ id }) => id), says: [], notes: [] };
    const { digest, ...read } = await readTemplate(tree, pages, path);
    const rules = deps.agents.of();
    if (!('dropNoted' in rules)) throw new Error('The embedded rules are missing');
    const { removed, ...done } = await rules.dropNoted({ page: templatePageOf(read), notes }, work);
    return { ...done, ...(removed.length > 0 && { page: { slug, path, digest, removed } }) };
  };
}

function pathOf(find: () => string): string | null {
  try {
    return find();
  } catch (error) {
    if (error instanceof DomainError && error.code === 'TEMPLATE_NOT_FOUND') return null;
    throw error;
  }
}
