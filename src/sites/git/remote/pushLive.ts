import type { SiteClone } from '../siteClone.ts';
import { gitFailure } from '../command/gitFailure.ts';
import type { GitResult } from '../command/git.ts';
import { liveRef } from '../refNames.ts';
import {
  isMovedRefusal,
  isTooLarge,
  remoteName,
  type RefPush,
  pushRef,
  type PushRefusal,
  parseRefusal,
  runPush,
  pushTooLargeError,
} from './push.ts';

/**
 * Pushes one commit like `pushRef`, and moves the live commit's ref to it in the same atomic push.
 * The live ref only moves forward. If the remote refuses both together, pushes to the first ref
 * alone, and then tries the live ref.
 * @returns `pushed`, or `moved` if the first ref is not at the expected commit
 * @throws DomainError PUSH_REFUSED, GIT_FAILED for the first ref only
 */
export async function pushWithLive(
  clone: SiteClone,
  push: RefPush,
  signal?: AbortSignal,
): Promise<'pushed' | 'moved'> {
  const { commit, ref, expected } = push;
  const args = ['--atomic', `--force-with-lease=${ref}:${expected}`];
  const refs = [`${commit}:${ref}`, `${commit}:${liveRef(clone.owned.siteId)}`];
  const result = await runPush(clone, { args, refs }, signal);
  if (result.code === 0) return 'pushed';
  const refusal = parseRefusal(result, ref);
  if (refusal && isMovedRefusal(refusal)) return 'moved';
  if (isTooLarge(result)) throw pushTooLargeError(push);
  if (!mayGoAlone(result, refusal))
    throw gitFailure(`Pushing to ${remoteName(clone.remote)}`, result);
  const soloResult = await pushRef(clone, push, signal);
  if (soloResult === 'pushed') await moveLive(clone, commit, signal);
  return soloResult;
}

/** Whether the remote refused both refs together, but may accept the first one alone. */
const mayGoAlone = ({ stderr }: GitResult, refusal: PushRefusal | undefined) =>
  refusal ? refusal.kind !== 'remote failure' : stderr.includes('does not support --atomic');

/** Moves the live commit's ref forward. Does nothing if the remote refuses. */
export async function moveLive(
  clone: SiteClone,
  commit: string,
  signal?: AbortSignal,
): Promise<void> {
  await runPush(clone, { args: [], refs: [`${commit}:${liveRef(clone.owned.siteId)}`] }, signal);
}

/**
 * Points the live commit's ref at this commit, forward or back.
 * @throws DomainError PUSH_REFUSED, GIT_FAILED
 */
export async function setLive(
  clone: SiteClone,
  commit: string,
  signal?: AbortSignal,
): Promise<void> {
  const ref = liveRef(clone.owned.siteId);
  await pushRef(clone, { commit, ref, name: ref }, signal);
}
