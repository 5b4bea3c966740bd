import type { ExternalHost } from '../../contract/site.ts';
import { DomainError } from '../../errors.ts';
import type { ForgeProject, PullRequest, BuildReport } from '../../forges/forgeProject.ts';
import type { PendingMerge } from '../../contract/deployment.ts';

/** Milliseconds between two checks whether people have merged. A webhook starts one sooner. */
const PEOPLE_EVERY = 5 * 60_000;

/** Milliseconds until a forge shows that checks of a new commit have begun. */
const BEGIN_MS = 30_000;

/** The settings that decide which reports count. */
type ReportRules = Pick<
  ExternalHost,
  'previewReports' | 'reporter' | 'hasPreviews' | 'buildMinutes'
>;

/**
 * Asks the forge once to merge a pull request, or checks whether people have merged it. If a branch
 * is not protected, a forge also merges commits whose checks failed. So this first reads the
 * reports on the head. None of them may have failed, still be pending, or be missing.
 * @returns the commit of the production branch
 * @throws DomainError STILL_BUILDING before `until` if it is not merged yet, FORGE_REFUSED after it
 *   and for a closed pull request, BUILD_FAILED for a failed check
 */
export async function mergeOnce(
  forge: ForgeProject,
  host: ReportRules,
  merge: PendingMerge & { until: Date },
  signal: AbortSignal,
): Promise<string> {
  const { byPeople } = merge;
  const { state, mergeCommit, blocker } = await mergeOrRead(forge, host, merge, signal).catch(
    (error: unknown) => {
      // the task must end even if the forge stays down
      const mayWait = error instanceof DomainError && error.retryable;
      if (mayWait && merge.until.getTime() <= Date.now()) throw mergePending(merge, error.message);
      throw error;
    },
  );
  if (state === 'merged' && mergeCommit !== null) return mergeCommit;
  if (state === 'closed')
    throw new DomainError(
      'FORGE_REFUSED',
      `The pull request was closed without a merge. Reopen it, and publish the task again: ${merge.url}`,
    );
  throw mergePending(
    merge,
    byPeople ? 'nobody has merged it yet' : (blocker ?? 'the forge has not merged it yet'),
  );
}

async function mergeOrRead(
  forge: ForgeProject,
  host: ReportRules,
  merge: PendingMerge & { until: Date },
  signal: AbortSignal,
): Promise<PullRequest> {
  const { pullRequest, head, byPeople, isMerged } = merge;
  if (byPeople || isMerged) return forge.pullRequest(pullRequest, signal);
  await checkReports(forge, host, merge, signal);
  return forge.merge(pullRequest, head, signal);
}

/** @throws DomainError BUILD_FAILED, and as `mergePending` if reports are missing */
async function checkReports(
  forge: ForgeProject,
  host: ReportRules,
  merge: PendingMerge & { until: Date },
  signal: AbortSignal,
): Promise<void> {
  const { previewReports, reporter } = host;
  const isRelevant = ({ name }: BuildReport) =>
    previewReports.length === 0 || previewReports.includes(name);
  const reportsBefore = (await forge.reports(merge.previewed, signal)).filter(isRelevant);
  const currentReports = (await forge.reports(merge.head, signal)).filter(isRelevant);
  const failedReport = currentReports.find(({ state }) => state === 'failure');
  if (failedReport)
    throw new DomainError(
      'BUILD_FAILED',
      `The pull request was not merged, because the check ${failedReport.name.slice(0, 100)} failed: ${failedReport.logUrl ?? merge.url}`,
    );
  const expectedReports = reportsBefore.filter(
    ({ creator }) => reporter === null || creator === reporter,
  );
  const reportedKeys = new Set(
    currentReports.flatMap((report) => (report.state === 'pending' ? [] : [reportKey(report)])),
  );
  const missingReport = [...expectedReports, ...currentReports].find(
    (report) => !reportedKeys.has(reportKey(report)),
  );
  if (missingReport)
    throw mergePending(merge, `${missingReport.name.slice(0, 100)} has not reported yet`);
  if (currentReports.length === 0 && mayChecksBegin(host, merge))
    throw mergePending(merge, 'its checks may not have started yet');
}

/** Whether the first checks may still begin, because the task did not wait for a preview. */
function mayChecksBegin({ hasPreviews, buildMinutes }: ReportRules, { until }: { until: Date }) {
  const waitStart = until.getTime() - buildMinutes * 60_000;
  return !hasPreviews && Date.now() < waitStart + BEGIN_MS;
}

/** Anyone who may push can report under a host's name, so the creator is a part of the key. */
const reportKey = ({ of, name, creator }: BuildReport) => JSON.stringify([of, name, creator]);

/** The error for a pull request that is not merged: retryable before `until`, then final. */
function mergePending(
  { url, until, byPeople }: PendingMerge & { until: Date },
  reason: string,
): DomainError {
  const message = `The pull request is still open, because ${reason}: ${url}`;
  if (until.getTime() <= Date.now()) return new DomainError('FORGE_REFUSED', message);
  const retryAfter = byPeople ? { retryAfter: PEOPLE_EVERY } : {};
  return new DomainError('STILL_BUILDING', message, { retryable: true, ...retryAfter });
}
