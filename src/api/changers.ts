import { LRUCache } from 'lru-cache';
import type { Maker } from '../contract/maker.ts';
import { DomainError } from '../errors.ts';
import type { Makers } from '../organizations/makers.ts';
import type { SitePage } from '../sites/pages/sitePages.ts';
import type { Tasks } from '../temporal/tasks/tasks.ts';

/** Tasks over their retention, which are not asked for again for a while. */
const GONE = { max: 10_000, ttl: 10 * 60_000 };

/** Tasks that are asked for at once. */
const AT_ONCE = 20;

export interface ChangerDeps {
  tasks: Pick<Tasks, 'find'>;
  makers: Makers;
}

/** Who changed pages last: names, in the pages' order. */
export type NameChangers = (organizationId: string, pages: SitePage[]) => Promise<(string | null)[]>;

/**
 * Finds the people and keys behind the last changes of pages: who edited by hand, or who made the task; for all others,
 * and where that is not known any more, git's author. Whoever may push may write any trailer, so only members of the
 * organization and makers of its own tasks are named.
 */
export function createChangers({ tasks, makers }: ChangerDeps): NameChangers {
  const gone = new LRUCache<string, true>(GONE);

  async function makerOf(organizationId: string, taskId: string): Promise<Maker | null> {
    const key = `${organizationId} ${taskId}`;
    if (gone.has(key)) return null;
    try {
      return (await tasks.find(organizationId, taskId)).createdBy ?? null;
    } catch (error) {
      if (!(error instanceof DomainError) || error.code !== 'NOT_FOUND') throw error;
      gone.set(key, true);
      return null;
    }
  }

  async function makersOf(organizationId: string, pages: SitePage[]): Promise<Map<string, string | null>> {
    const taskIds = [...new Set(pages.flatMap(({ isByHand, taskId }) => (isByHand || !taskId ? [] : [taskId])))];
    const found: (Maker | null)[] = [];
    try {
      while (found.length < taskIds.length) {
        const next = taskIds.slice(found.length, found.length + AT_ONCE);
        found.push(...(await Promise.all(next.map((taskId) => makerOf(organizationId, taskId)))));
      }
    } catch (error) {
      if (!(error instanceof DomainError)) throw error; // without Temporal there is a list, too
    }
    const named = await makers.named(found);
    return new Map(taskIds.map((taskId, i) => [taskId, named[i]?.name ?? null]));
  }

  return async (organizationId, pages) => {
    const editors = [...new Set(pages.flatMap(({ editor }) => editor ?? []))];
    const [people, byTask] = await Promise.all([
      makers.members(organizationId, editors),
      makersOf(organizationId, pages),
    ]);
    return pages.map(({ isByHand, editor, taskId, changedBy }) => {
      const known = isByHand ? people.get(editor ?? '') : byTask.get(taskId ?? '');
      return known ?? changedBy;
    });
  };
}
