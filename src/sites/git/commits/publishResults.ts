import { DomainError } from '../../../errors.ts';
import { createAncestry } from '../history/ancestry.ts';
import type { SiteClone } from '../siteClone.ts';
import { repeatMerge, writeMerge } from './mergeCommit.ts';
import { DEPLOYED } from '../refNames.ts';
import type { ProductionBranch } from '../remote/productionBranch.ts';
import { moveLive, pushWithLive } from '../remote/pushLive.ts';
import { isSingleRefusal } from '../remote/push.ts';
import type { PublishRequest } from '../repository.ts';
import type { CoalescedCaller } from '../clones/coalescedWork.ts';

const MAX_ATTEMPTS = 10;

type PublishCaller = CoalescedCaller<PublishRequest>;
type PublishResult = PromiseSettledResult<string>;

/**
 * Merges the task's commit into the production branch and pushes the branch. One run serves all
 * tasks of the site that wait for the lock: it merges them one after the other and pushes once. If
 * somebody else pushed meanwhile, it merges again. Repeatable: a commit that the branch contains is
 * not merged again.
 * @param requests first the task's own, whose outcome is returned; then others for the same push
 * @returns a production head that contains the task's commit
 * @throws DomainError PAGE_CHANGED when others changed the same files, PUSH_REFUSED, GIT_FAILED
 */
export function publishResults(
  clone: SiteClone,
  production: ProductionBranch,
  requests: [PublishRequest, ...PublishRequest[]],
  signal?: AbortSignal,
): Promise<string> {
  const { store, remote, root } = clone;
  const kind = `publish ${remote.url} ${remote.branch} ${root}`;
  return store.batched(
    kind,
    requests,
    async (callers, endSignal) => {
      const publishCallers = callers.flatMap(({ argument, signal: callerSignal }) =>
        argument.map((publishRequest) => ({ argument: publishRequest, signal: callerSignal })),
      );
      const outcomes = await publishTogether(clone, production, publishCallers, endSignal);
      const outcomeOfCaller = ({ argument: [ownRequest] }: CoalescedCaller<PublishRequest[]>) =>
        outcomes[publishCallers.findIndex(({ argument }) => argument === ownRequest)]!;
      return callers.map(outcomeOfCaller);
    },
    signal,
  );
}

async function publishTogether(
  clone: SiteClone,
  production: ProductionBranch,
  callers: PublishCaller[],
  signal: AbortSignal,
): Promise<PublishResult[]> {
  try {
    return await pushMerges(clone, production, callers, signal);
  } catch (error) {
    if (callers.length === 1 || !isSingleRefusal(error)) throw error;
    const soloOutcomes: PublishResult[] = []; // one commit may have caused the refusal
    for (const caller of callers) {
      const soloPush = pushMerges(clone, production, [caller], signal);
      soloOutcomes.push(
        ...(await soloPush.catch((reason: unknown): PublishResult[] => [
          { status: 'rejected', reason },
        ])),
      );
    }
    return soloOutcomes;
  }
}

async function pushMerges(
  clone: SiteClone,
  production: ProductionBranch,
  callers: PublishCaller[],
  signal: AbortSignal,
): Promise<PublishResult[]> {
  const { store, remote } = clone;
  const lastHead = await production.lastHead();
  // try the last known head first, without a fetch: the push fails if it is outdated
  for (let attempt = lastHead === null ? 1 : 0; attempt <= MAX_ATTEMPTS; attempt++) {
    const headCommit =
      attempt === 0 && lastHead !== null ? lastHead : await production.fetchHead(signal);
    const { tip, outcomes } = await mergeResults(clone, headCommit, callers, signal);
    const isAllNew = outcomes.every(
      (outcome) => outcome.status === 'fulfilled' && outcome.value !== headCommit,
    );
    if (attempt === 0 && !isAllNew) continue;
    if (tip === headCommit) {
      if (outcomes.some(({ status }) => status === 'fulfilled'))
        await moveLive(clone, headCommit, signal);
      return outcomes;
    }
    const push = {
      commit: tip,
      ref: production.refs.remote,
      expected: headCommit,
      name: `branch ${remote.branch}`,
    };
    if ((await pushWithLive(clone, push, signal)) === 'moved') continue;
    // keep the commit here: it is deployed next
    await store.setRefs({ [production.refs.local]: tip, [DEPLOYED + tip]: tip }, signal);
    return outcomes.map((outcome) =>
      outcome.status === 'fulfilled' ? { ...outcome, value: tip } : outcome,
    );
  }
  throw new DomainError(
    'GIT_FAILED',
    `The branch ${remote.branch} could not be updated in ${MAX_ATTEMPTS} attempts, because others pushed to it or had locked it each time`,
    { retryable: true },
  );
}

/**
 * Merges results one after the other, without a push. A conflict fails only its own result.
 * @returns `tip`, the last merge; and for each result the commit that contains it: `headCommit` if
 *   it was merged before
 */
export async function mergeResults(
  clone: SiteClone,
  headCommit: string,
  callers: PublishCaller[],
  signal: AbortSignal,
) {
  const ancestry = createAncestry(clone.store, headCommit, signal);
  let tip = headCommit;
  const mergeOne = async ({
    argument: request,
    signal: callerSignal,
  }: PublishCaller): Promise<string> => {
    callerSignal?.throwIfAborted();
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
  const outcomes: PublishResult[] = [];
  for (const caller of callers) outcomes.push(...(await Promise.allSettled([mergeOne(caller)])));
  signal.throwIfAborted();
  return { tip, outcomes };
}
