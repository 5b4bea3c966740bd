import type { Clone } from './clone.ts';
import { type Push, pushRefs } from './remote.ts';

/**
 * Pushes a commit under a hidden ref, together with those of the site's other tasks that wait for their turn, and holds
 * it here under the same ref.
 * @returns and throws as `pushRef`
 */
export function pushHidden(clone: Clone, push: Push, signal?: AbortSignal): Promise<'pushed' | 'moved'> {
  const { store, remote } = clone;
  const pushAll = async (askers: { argument: Push }[], end: AbortSignal) => {
    const pushes = askers.map(({ argument }) => argument);
    const results = await pushRefs(clone, pushes, end);
    const isPushed = (at: number) => results[at]?.status === 'fulfilled' && results[at].value === 'pushed';
    const held = pushes.filter((_, at) => isPushed(at)).map(({ ref, commit }) => [ref, commit]);
    await store.setRefs(Object.fromEntries(held) as Record<string, string>, end);
    return results;
  };
  return store.together(`push ${remote.url}`, push, pushAll, signal);
}
