import type { ExternalHost } from '../../contract/site.ts';
import { DomainError } from '../../errors.ts';
import type { ForgeProject, PullRequest, BuildReport } from '../../forges/forgeProject.ts';
import type { PendingMerge } from '../../contract/deployment.ts';

/** Milliseconds between two looks at what people decide. Webhooks tell sooner. */
const PEOPLE_EVERY = 5 * 60_000;

/** Milliseconds until a forge shows the checks of a new commit. */
const BEGIN_MS = 30_000;

/** Which reports count. */
type ReportRules = Pick<
  ExternalHost,
  'previewReports' | 'reporter' | 'hasPreviews' | 'buildMinutes'
>;

/**
 * Asks once for the merge of a pull request, or looks whether people have merged it. Where the
 * branch is not protected, a forge merges what fails too: so the reports on the head come first.
 * @returns the commit of the production branch
 * @throws DomainError STILL_BUILDING before `until`, FORGE_REFUSED, BUILD_FAILED
 */
export async function mergeOnce(
  forge: ForgeProject,
  host: ReportRules,
  merge: PendingMerge & { until: Date },
  signal: AbortSignal,
): Promise<string> {
  const { byPeople } = merge;
  const { state, mergeCommit } = await mergeOrRead(forge, host, merge, signal).catch(
    (error: unknown) => {
      // a forge that is down for longer does not hold the task
      const mayWait = error instanceof DomainError && error.retryable;
      if (mayWait && merge.until.getTime() <= Date.now()) throw mergePending(merge, error.message);
      throw error;
    },
  );
  if (state === 'merged' && mergeCommit !== null) return mergeCommit;
  if (state === 'closed')
    throw new DomainError(
      'FORGE_REFUSED',
      `The pull request was closed without a merge: ${merge.url}`,
    );
  throw mergePending(
    merge,
    byPeople ? 'nobody has merged it yet' : 'the forge has not merged it yet',
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

/** Whether checks may begin that nobody has seen yet, since no preview was waited for. */
function mayChecksBegin({ hasPreviews, buildMinutes }: ReportRules, { until }: { until: Date }) {
  const waitStart = until.getTime() - buildMinutes * 60_000;
  return !hasPreviews && Date.now() < waitStart + BEGIN_MS;
}

/** Whoever may push can report under a host's name, and does not report in its place. */
const reportKey = ({ of, name, creator }: BuildReport) => JSON.stringify([of, name, creator]);

/** The error until `until`, retryable; then the final one. */
function mergePending(
  { url, until, byPeople }: PendingMerge & { until: Date },
  reason: string,
): DomainError {
  const message = `The pull request is still open, because ${reason}: ${url}`;
  if (until.getTime() <= Date.now()) return new DomainError('FORGE_REFUSED', message);
  const retryAfter = byPeople ? { retryAfter: PEOPLE_EVERY } : {};
  return new DomainError('STILL_BUILDING', message, { retryable: true, ...retryAfter });
}
