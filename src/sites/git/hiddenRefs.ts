import type { Clone } from './clone.ts';
import { type Push, pushRefs } from './remote.ts';

interface HiddenPush extends Push {
  /** A ref of this copy that goes when the commit is there. */
  needless?: string;
}

/** What becomes of a push of a ref that another one moves at the same time. */
const late = { status: 'fulfilled', value: 'moved' } as const;

/**
 * Pushes a commit under a hidden ref, together with those of the site's other tasks that wait for their turn, and holds
 * it here under the same ref.
 * @returns and throws as `pushRef`
 */
export function pushHidden(clone: Clone, push: HiddenPush, signal?: AbortSignal): Promise<'pushed' | 'moved'> {
  const { store, remote } = clone;
  const pushAll = async (askers: { argument: HiddenPush }[], end: AbortSignal) => {
    const pushes = askers.map(({ argument }) => argument);
    const firsts = [...new Map(pushes.toReversed().map((push) => [push.ref, push])).values()]; // git takes a ref once
    const done = await pushRefs(clone, firsts, end);
    const results = pushes.map((push) => done[firsts.indexOf(push)] ?? late);
    const refs = pushes.flatMap(({ ref, commit, needless }, at): [string, string | null][] => {
      const result = results[at];
      if (result?.status !== 'fulfilled' || result.value !== 'pushed') return [];
      return [[ref, commit], ...(needless === undefined ? [] : [[needless, null] satisfies [string, null]])];
    });
    await store.setRefs(Object.fromEntries(refs), end);
    return results;
  };
  return store.together(`push ${remote.url}`, push, pushAll, signal);
}
