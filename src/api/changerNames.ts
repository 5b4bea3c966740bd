import type { Creator } from '../contract/creator.ts';
import type { SitePage } from '../sites/pages/listing/sitePages.ts';
import type { SomeApiDeps } from './apiDeps.ts';

/**
 * The names of who last changed each page, in the order of the pages: the person who edited it, or
 * the maker of its task. Otherwise git's author. Anyone who can push can write any trailer into a
 * commit. So only members of the organization, and keys that made its tasks, are named.
 */
export async function changerNames(
  { knownTasks, makers }: SomeApiDeps<'knownTasks' | 'makers'>,
  organizationId: string,
  pages: SitePage[],
): Promise<(string | null)[]> {
  const tasks = await knownTasks(
    organizationId,
    pages.flatMap(({ isByHand, taskId }) => (isByHand || !taskId ? [] : [taskId])),
  );
  const changers = pages.map(({ isByHand, editor, taskId }): Creator | null => {
    if (isByHand) return editor ? { userId: editor } : null;
    return tasks.get(taskId ?? '')?.createdBy ?? null;
  });
  const userIds = changers.flatMap((changer) =>
    changer && 'userId' in changer ? [changer.userId] : [],
  );
  const [memberNames, keyNames] = await Promise.all([
    makers.members(organizationId, [...new Set(userIds)]),
    makers.named(changers.map((changer) => (changer && 'keyId' in changer ? changer : null))),
  ]);
  return pages.map(({ changedBy }, index) => {
    const changer = changers[index];
    const name =
      changer && 'userId' in changer ? memberNames.get(changer.userId) : keyNames[index]?.name;
    return name ?? changedBy;
  });
}
