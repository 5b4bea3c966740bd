import type { Creator } from '../contract/creator.ts';
import type { SitePage } from '../sites/pages/listing/sitePages.ts';
import type { SomeApiDeps } from './apiDeps.ts';

/**
 * The names of who last changed each page, in the order of the pages: the person who edited it by
 * hand, the creator of the task that changed it, or otherwise the author of the commit. Commits
 * name editors and tasks in trailers, which anyone who can push can forge. So only members of the
 * organization, and keys that created its tasks, are looked up.
 * @returns null for a page whose last change is unknown
 */
export async function changerNames(
  { knownTasks, creators }: SomeApiDeps<'knownTasks' | 'creators'>,
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
    creators.members(organizationId, [...new Set(userIds)]),
    creators.named(changers.map((changer) => (changer && 'keyId' in changer ? changer : null))),
  ]);
  return pages.map(({ changedBy }, index) => {
    const changer = changers[index];
    const name =
      changer && 'userId' in changer ? memberNames.get(changer.userId) : keyNames[index]?.name;
    return name ?? changedBy;
  });
}
