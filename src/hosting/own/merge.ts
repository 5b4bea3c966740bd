import type { OwnHost } from '../../contract/site.ts';
import { DomainError } from '../../errors.ts';
import type { Forge, PullRequest, Report } from '../../forges/forge.ts';
import type { Merge } from '../../contract/deployment.ts';

/** Milliseconds between two looks at what people decide. Webhooks tell sooner. */
const PEOPLE_EVERY = 5 * 60_000;

/** Milliseconds until a forge shows the checks of a new commit. */
const BEGIN_MS = 30_000;

/** Which reports count. */
type Judging = Pick<OwnHost, 'previewReports' | 'reporter' | 'hasPreviews' | 'buildMinutes'>;

/**
 * Asks once for the merge of a pull request, or looks whether people have merged it. Where the
 * branch is not protected, a forge merges what fails too: so the reports on the head come first.
 * @returns the commit of the production branch
 * @throws DomainError STILL_BUILDING before `until`, FORGE_REFUSED, BUILD_FAILED
 */
export async function mergeOnce(
  forge: Forge,
  host: Judging,
  merge: Merge & { until: Date },
  signal: AbortSignal,
): Promise<string> {
  const { byPeople } = merge;
  const { state, mergeCommit } = await mergedOrOpen(forge, host, merge, signal).catch(
    (error: unknown) => {
      // a forge that is down for longer does not hold the task
      const mayWait = error instanceof DomainError && error.retryable;
      if (mayWait && merge.until.getTime() <= Date.now()) throw waiting(merge, error.message);
      throw error;
    },
  );
  if (state === 'merged' && mergeCommit !== null) return mergeCommit;
  if (state === 'closed')
    throw new DomainError(
      'FORGE_REFUSED',
      `The pull request was closed without a merge: ${merge.url}`,
    );
  throw waiting(merge, byPeople ? 'nobody has merged it yet' : 'the forge does not merge it yet');
}

async function mergedOrOpen(
  forge: Forge,
  host: Judging,
  merge: Merge & { until: Date },
  signal: AbortSignal,
): Promise<PullRequest> {
  const { pullRequest, head, byPeople, isMerged } = merge;
  if (byPeople || isMerged) return forge.pullRequest(pullRequest, signal);
  await checkReports(forge, host, merge, signal);
  return forge.merge(pullRequest, head, signal);
}

async function checkReports(
  forge: Forge,
  host: Judging,
  merge: Merge & { until: Date },
  signal: AbortSignal,
): Promise<void> {
  const { previewReports, reporter } = host;
  const counts = ({ name }: Report) => previewReports.length === 0 || previewReports.includes(name);
  const before = (await forge.reports(merge.previewed, signal)).filter(counts);
  const now = (await forge.reports(merge.head, signal)).filter(counts);
  const failed = now.find(({ state }) => state === 'failure');
  if (failed)
    throw new DomainError(
      'BUILD_FAILED',
      `The pull request was not merged, because ${failed.name.slice(0, 100)} failed: ${failed.logUrl ?? merge.url}`,
    );
  const awaited = before.filter(({ creator }) => reporter === null || creator === reporter);
  const done = new Set(now.flatMap((report) => (report.state === 'pending' ? [] : [idOf(report)])));
  const missing = [...awaited, ...now].find((report) => !done.has(idOf(report)));
  if (missing) throw waiting(merge, `${missing.name.slice(0, 100)} has not reported yet`);
  if (now.length === 0 && mayStillBegin(host, merge))
    throw waiting(merge, 'checks may not have begun yet');
}

/** Whether checks may begin that nobody has seen yet, since no preview was waited for. */
function mayStillBegin({ hasPreviews, buildMinutes }: Judging, { until }: { until: Date }) {
  const since = until.getTime() - buildMinutes * 60_000;
  return !hasPreviews && Date.now() < since + BEGIN_MS;
}

/** Whoever may push can report under a host's name, and does not report in its place. */
const idOf = ({ of, name, creator }: Report) => JSON.stringify([of, name, creator]);

/** The error until `until`, retryable; then the final one. */
function waiting({ url, until, byPeople }: Merge & { until: Date }, why: string): DomainError {
  const text = `The pull request is open, since ${why}: ${url}`;
  if (until.getTime() <= Date.now()) return new DomainError('FORGE_REFUSED', text);
  const retryAfter = byPeople ? { retryAfter: PEOPLE_EVERY } : {};
  return new DomainError('STILL_BUILDING', text, { retryable: true, ...retryAfter });
}
