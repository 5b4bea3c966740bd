import type { Clone } from './clone.ts';
import { type Push, pushRefs } from './push.ts';

interface HiddenPush extends Push {
  /** A ref of this copy that is no longer needed after the push. */
  needless?: string;
}

/**
 * Pushes a commit under a hidden ref, and sets the same ref here. Serves all tasks of the site that
 * wait for the lock.
 * @returns as `pushRef`, and throws as `pushRef`
 */
export function pushHidden(
  clone: Clone,
  push: HiddenPush,
  signal?: AbortSignal,
): Promise<'pushed' | 'moved'> {
  const { store, remote } = clone;
  const pushAll = async (callers: { argument: HiddenPush }[], end: AbortSignal) => {
    const pushes = callers.map(({ argument }) => argument);
    const results = await pushEach(clone, pushes, end);
    const refs: Record<string, string | null> = {};
    for (const [at, { ref, commit, needless }] of pushes.entries()) {
      const result = results[at];
      if (result?.status !== 'fulfilled' || result.value !== 'pushed') continue;
      refs[ref] = commit;
      if (needless !== undefined) refs[needless] = null;
    }
    await store.setRefs(refs, end);
    return results;
  };
  return store.batched(`push ${remote.url}`, push, pushAll, signal);
}

/**
 * As `pushRefs`, but allows several pushes to one ref. One push can move a ref only once, so the
 * later ones follow in another push.
 */
async function pushEach(
  clone: Clone,
  pushes: Push[],
  signal: AbortSignal,
): ReturnType<typeof pushRefs> {
  const firsts = [...new Map(pushes.toReversed().map((push) => [push.ref, push])).values()];
  const done = await pushRefs(clone, firsts, signal);
  const rest = pushes.filter((push) => !firsts.includes(push));
  if (rest.length === 0) return pushes.map((push) => done[firsts.indexOf(push)]!);
  const failed = (reason: unknown) => rest.map(() => ({ status: 'rejected' as const, reason }));
  const later = await pushEach(clone, rest, signal).catch(failed);
  return pushes.map((push) => done[firsts.indexOf(push)] ?? later[rest.indexOf(push)]!);
}
