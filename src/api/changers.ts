import type { Maker } from '../contract/maker.ts';
import type { SitePage } from '../sites/pages/sitePages.ts';
import type { Needs } from './parts.ts';

/**
 * The names of the people and keys behind the last changes of pages, in the pages' order: who
 * edited by hand, or who made the task; for all others, and where that is not known any more, git's
 * author. Whoever may push may write any trailer, so only members of the organization and keys that
 * made its own tasks are named.
 */
export async function namesOfChangers(
  { knownTasks, makers }: Needs<'knownTasks' | 'makers'>,
  organizationId: string,
  pages: SitePage[],
): Promise<(string | null)[]> {
  const tasks = await knownTasks(
    organizationId,
    pages.flatMap(({ isByHand, taskId }) => (isByHand || !taskId ? [] : [taskId])),
  );
  const changers = pages.map(({ isByHand, editor, taskId }): Maker | null => {
    if (isByHand) return editor ? { userId: editor } : null;
    return tasks.get(taskId ?? '')?.createdBy ?? null;
  });
  const userIds = changers.flatMap((changer) =>
    changer && 'userId' in changer ? [changer.userId] : [],
  );
  const [people, named] = await Promise.all([
    makers.members(organizationId, [...new Set(userIds)]),
    makers.named(changers.map((changer) => (changer && 'keyId' in changer ? changer : null))),
  ]);
  return pages.map(({ changedBy }, i) => {
    const changer = changers[i];
    const name = changer && 'userId' in changer ? people.get(changer.userId) : named[i]?.name;
    return name ?? changedBy;
  });
}
