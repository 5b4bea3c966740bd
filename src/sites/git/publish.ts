import { DomainError } from '../../errors.ts';
import { createAncestry } from './ancestry.ts';
import type { Clone } from './clone.ts';
import { repeatMerge, writeMerge } from './mergeCommit.ts';
import { DEPLOYED } from './refNames.ts';
import type { Production } from './production.ts';
import { moveLive, pushWithLive } from './pushLive.ts';
import { isOfOne } from './push.ts';
import type { PublishRequest } from './repository.ts';
import type { Caller } from './batchedWork.ts';

const attempts = 10;

type Asking = Caller<PublishRequest>;
type Outcome = PromiseSettledResult<string>;

/**
 * Merges the task's commit into the production branch. Serves all tasks of the site that wait for
 * the lock: merges them one after the other and pushes all at once. Repeatable: a commit that the
 * branch contains is not merged again.
 * @param requests the task's own, and others that the same push takes along: they do without the
 *   result
 * @returns a production head that contains the task's commit
 * @throws DomainError PAGE_CHANGED when others changed the same files, PUSH_REFUSED, GIT_FAILED
 */
export function publish(
  clone: Clone,
  production: Production,
  requests: [PublishRequest, ...PublishRequest[]],
  signal?: AbortSignal,
): Promise<string> {
  const { store, remote, root } = clone;
  const kind = `publish ${remote.url} ${remote.branch} ${root}`;
  return store.batched(
    kind,
    requests,
    async (callers, end) => {
      const all = callers.flatMap(({ argument, signal: own }) =>
        argument.map((one) => ({ argument: one, signal: own })),
      );
      const outcomes = await publishAll(clone, production, all, end);
      const ofOwn = ({ argument: [own] }: Caller<PublishRequest[]>) =>
        outcomes[all.findIndex(({ argument }) => argument === own)]!;
      return callers.map(ofOwn);
    },
    signal,
  );
}

async function publishAll(
  clone: Clone,
  production: Production,
  callers: Asking[],
  signal: AbortSignal,
): Promise<Outcome[]> {
  try {
    return await pushAll(clone, production, callers, signal);
  } catch (error) {
    if (callers.length === 1 || !isOfOne(error)) throw error;
    const alone: Outcome[] = []; // one commit may have caused the refusal
    for (const caller of callers) {
      const one = pushAll(clone, production, [caller], signal);
      alone.push(
        ...(await one.catch((reason: unknown): Outcome[] => [{ status: 'rejected', reason }])),
      );
    }
    return alone;
  }
}

async function pushAll(
  clone: Clone,
  production: Production,
  callers: Asking[],
  signal: AbortSignal,
): Promise<Outcome[]> {
  const { store, remote } = clone;
  const last = await production.lastHead();
  // try the last known head first, without a fetch: the push fails if it is outdated
  for (let attempt = last === null ? 1 : 0; attempt <= attempts; attempt++) {
    const head = attempt === 0 && last !== null ? last : await production.fetchHead(signal);
    const { tip, outcomes } = await mergeAll(clone, head, callers, signal);
    const isNews = outcomes.every(
      (outcome) => outcome.status === 'fulfilled' && outcome.value !== head,
    );
    if (attempt === 0 && !isNews) continue;
    if (tip === head) {
      if (outcomes.some(({ status }) => status === 'fulfilled'))
        await moveLive(clone, head, signal);
      return outcomes;
    }
    const push = {
      commit: tip,
      ref: production.refs.remote,
      expected: head,
      name: `branch ${remote.branch}`,
    };
    if ((await pushWithLive(clone, push, signal)) === 'moved') continue;
    // its deployment follows
    await store.setRefs({ [production.refs.local]: tip, [DEPLOYED + tip]: tip }, signal);
    return outcomes.map((outcome) =>
      outcome.status === 'fulfilled' ? { ...outcome, value: tip } : outcome,
    );
  }
  throw new DomainError(
    'GIT_FAILED',
    `Branch ${remote.branch} was moved by others, or locked, at each of ${attempts} attempts to publish`,
    { retryable: true },
  );
}

/**
 * Merges results one after the other. A conflict fails only its own result.
 * @returns the last merge, and for each result the commit that contains it: `head` if it was merged
 *   before
 */
export async function mergeAll(clone: Clone, head: string, callers: Asking[], signal: AbortSignal) {
  const ancestry = createAncestry(clone.store, head, signal);
  let tip = head;
  const merge = async ({ argument: request, signal: own }: Asking): Promise<string> => {
    own?.throwIfAborted();
    const { commit, base: root } = request;
    const base = await ancestry.mergeBase(tip, { root, commit });
    if (base === commit) {
      if (request.isRepeated) await repeatMerge(clone, tip, request, signal);
      return tip;
    }
    tip = tip === base ? commit : await writeMerge(clone, tip, { ...request, base }, signal);
    await ancestry.land(base, commit);
    return tip;
  };
  const outcomes: Outcome[] = [];
  for (const caller of callers) outcomes.push(...(await Promise.allSettled([merge(caller)])));
  signal.throwIfAborted();
  return { tip, outcomes };
}
