import type { SiteClone } from '../siteClone.ts';
import { type RefPush, pushRefs } from './push.ts';

interface HiddenPush extends RefPush {
  /** A ref of the clone that is removed after the push, because it is no longer needed. */
  needless?: string;
}

/**
 * Pushes a commit under a hidden ref, and sets the same ref in the clone. One push serves all tasks
 * of the site that wait for the lock.
 * @returns `pushed`, or `moved` if the remote's ref is not at the expected commit
 * @throws DomainError PUSH_REFUSED, GIT_FAILED
 */
export function pushHidden(
  clone: SiteClone,
  push: HiddenPush,
  signal?: AbortSignal,
): Promise<'pushed' | 'moved'> {
  const { store, remote } = clone;
  const pushGroup = async (callers: { argument: HiddenPush }[], endSignal: AbortSignal) => {
    const pushes = callers.map(({ argument }) => argument);
    const results = await pushEach(clone, pushes, endSignal);
    const refs: Record<string, string | null> = {};
    for (const [index, { ref, commit, needless }] of pushes.entries()) {
      const result = results[index];
      if (result?.status !== 'fulfilled' || result.value !== 'pushed') continue;
      refs[ref] = commit;
      if (needless !== undefined) refs[needless] = null;
    }
    await store.setRefs(refs, endSignal);
    return results;
  };
  return store.batched(`push ${remote.url}`, push, pushGroup, signal);
}

/**
 * Like `pushRefs`, but allows several pushes to one ref. One command can move a ref only once, so
 * later pushes to the same ref follow in another command.
 */
async function pushEach(
  clone: SiteClone,
  pushes: RefPush[],
  signal: AbortSignal,
): ReturnType<typeof pushRefs> {
  const firstPushes = [...new Map(pushes.toReversed().map((push) => [push.ref, push])).values()];
  const firstResults = await pushRefs(clone, firstPushes, signal);
  const laterPushes = pushes.filter((push) => !firstPushes.includes(push));
  if (laterPushes.length === 0)
    return pushes.map((push) => firstResults[firstPushes.indexOf(push)]!);
  const rejectAll = (reason: unknown) =>
    laterPushes.map(() => ({ status: 'rejected' as const, reason }));
  const laterResults = await pushEach(clone, laterPushes, signal).catch(rejectAll);
  return pushes.map(
    (push) => firstResults[firstPushes.indexOf(push)] ?? laterResults[laterPushes.indexOf(push)]!,
  );
}
