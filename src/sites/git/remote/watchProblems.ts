import type { OpenableSite, SiteProblem } from '../../../contract/site.ts';
import { DomainError } from '../../../errors.ts';
import type { GitRepository } from '../repository.ts';

/** Stores the current problem of a site's repository; null: the problem is solved. */
export type ProblemReporter = (siteId: string, problem: SiteProblem | null) => Promise<void>;

/**
 * Wraps a repository so that people see a problem at its remote, such as a revoked key. Calls
 * `reportProblem` when a fetch or a push fails because of the remote, and with null when it works
 * again. A fetch that works does not end a problem of pushes. Does not report the same problem
 * twice.
 * @param site the site as it is registered now, with its last problem
 */
export function watchProblems(
  site: OpenableSite,
  repository: GitRepository,
  reportProblem: ProblemReporter,
): GitRepository {
  let lastProblem = site.repository.problem ?? null;
  const recordProblem = async (problem: SiteProblem | null) => {
    if (problem?.text === lastProblem?.text && problem?.isOfPush === lastProblem?.isOfPush) return;
    lastProblem = problem;
    await reportProblem(site.siteId, problem).catch(() => undefined); // may be reported again later
  };
  async function watchCall<R>(call: Promise<R>, isOfPush: boolean): Promise<R> {
    try {
      const result = await call;
      if (lastProblem && (isOfPush || !lastProblem.isOfPush)) await recordProblem(null);
      return result;
    } catch (error) {
      if (isRemoteError(error)) await recordProblem({ text: error.message, isOfPush });
      throw error;
    }
  }
  return {
    ...repository,
    fetchBase: (...args) => watchCall(repository.fetchBase(...args), false),
    fetchHead: (...args) => watchCall(repository.fetchHead(...args), false),
    fetchResult: (...args) => watchCall(repository.fetchResult(...args), false),
    fetchMergeBase: (...args) => watchCall(repository.fetchMergeBase(...args), false),
    fetchBatch: (...args) => watchCall(repository.fetchBatch(...args), false),
    commitTask: (...args) => watchCall(repository.commitTask(...args), true),
    commitRestoring: (...args) => watchCall(repository.commitRestoring(...args), true),
    commitEdit: (...args) => watchCall(repository.commitEdit(...args), true),
    commitUpdate: (...args) => watchCall(repository.commitUpdate(...args), true),
    publish: (...args) => watchCall(repository.publish(...args), true),
    pushBatch: (...args) => watchCall(repository.pushBatch(...args), true),
    pushBranch: (...args) => watchCall(repository.pushBranch(...args), true),
    bringUpToDate: (...args) => watchCall(repository.bringUpToDate(...args), true),
    keepLive: (...args) => watchCall(repository.keepLive(...args), true),
  };
}

/**
 * Whether the repository caused the error, not the task, this machine, or a stop of the service.
 */
function isRemoteError(error: unknown): error is DomainError {
  if (!(error instanceof DomainError)) return false;
  const reason = error.details?.['reason'];
  return (
    error.code === 'PUSH_REFUSED' ||
    (error.code === 'GIT_FAILED' && reason !== undefined && reason !== 'disk')
  );
}
