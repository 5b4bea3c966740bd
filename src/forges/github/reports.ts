import { DomainError, hasCode } from '../../errors.ts';
import { onStatus, statusOf } from '../apiErrors.ts';
import type { Report } from '../forge.ts';
import { firstOfEachName, saysSkipped, webAddress } from '../reports.ts';
import type { GitHubRequests } from './requests.ts';
import type {
  GitHubCheckRun,
  GitHubDeployment,
  GitHubDeploymentStatus,
  GitHubStatus,
} from './schemas.ts';

/** Deployments of one commit whose states are read. */
const DEPLOYMENTS = 20;

/**
 * Deployments, commit statuses and check runs of a commit. The combined status is not read: it says
 * `pending` for ever where nobody reports. Kinds that the credential may not read are left out:
 * fine-grained tokens can't read check runs.
 * @throws DomainError FORGE_REFUSED if it may read none of them
 */
export async function readReports(
  requests: GitHubRequests,
  commit: string,
  signal: AbortSignal,
): Promise<Report[]> {
  const read = await Promise.all(
    [
      deployments(requests, commit, signal),
      requests
        .readStatuses(commit, signal)
        .catch(onStatus(unknownCommit, []))
        .then((found) => newestFirst(found).map(ofStatus)),
      requests
        .readCheckRuns(commit, signal)
        .catch(onStatus(unknownCommit, []))
        .then((found) => newestFirst(found).map(ofCheckRun)),
    ].map((reading) => reading.catch(forbidden)),
  );
  const refusals = read.filter((found) => found instanceof DomainError);
  if (refusals.length === read.length) throw refusals[0]!;
  return firstOfEachName(read.flatMap((found) => (found instanceof DomainError ? [] : found)));
}

/** GitHub does not know a commit at once that was just pushed. */
const unknownCommit = [404, 422];

function forbidden(error: unknown): DomainError {
  if (hasCode(error, 'FORGE_REFUSED') && statusOf(error) === 403) return error;
  throw error;
}

const newestFirst = <T extends { id: number }>(found: T[]) => found.sort((a, b) => b.id - a.id);

async function deployments(
  requests: GitHubRequests,
  commit: string,
  signal: AbortSignal,
): Promise<Report[]> {
  const found = newestFirst(await requests.readDeployments(commit, signal));
  return Promise.all(
    found
      .slice(0, DEPLOYMENTS)
      .map(async (deployment) =>
        ofDeployment(
          deployment,
          newestFirst(await requests.readDeploymentStatuses(deployment.id, signal)),
        ),
      ),
  );
}

/** Whoever set the state names the address, and counts as the creator. */
function ofDeployment(
  { environment, creator }: GitHubDeployment,
  statuses: GitHubDeploymentStatus[],
): Report {
  const status = statuses.find(({ state }) => state !== 'inactive') ?? statuses[0];
  return {
    of: 'deployment',
    name: environment,
    creator: (status?.creator ?? creator)?.login ?? null,
    state: status ? deploymentState(status) : 'pending',
    url: webAddress(status?.environment_url),
    logUrl: webAddress(status?.log_url) ?? webAddress(status?.target_url),
  };
}

/** A deployment becomes inactive once another one replaces it: what it was before counts. */
function deploymentState({ state, description }: GitHubDeploymentStatus): Report['state'] {
  if (state === 'inactive') return 'skipped';
  if (state === 'failure' || state === 'error')
    return saysSkipped(description) ? 'skipped' : 'failure';
  if (state !== 'success') return 'pending';
  return saysSkipped(description) ? 'skipped' : 'success';
}

function ofStatus({ state, context, creator, description, target_url: url }: GitHubStatus): Report {
  const isSkipped = state === 'success' && saysSkipped(description);
  return {
    of: 'status',
    name: context,
    creator: creator?.login ?? null,
    state: isSkipped ? 'skipped' : state === 'success' || state === 'pending' ? state : 'failure',
    url: webAddress(url),
    logUrl: webAddress(url),
  };
}

const skippedConclusions = ['skipped', 'neutral', 'cancelled'];

function ofCheckRun(run: GitHubCheckRun): Report {
  return {
    of: 'check',
    name: run.name,
    // an app acts as the account `<slug>[bot]`
    creator: run.app?.slug ? `${run.app.slug}[bot]` : null,
    state: checkState(run),
    url: webAddress(run.details_url),
    logUrl: webAddress(run.html_url) ?? webAddress(run.details_url),
  };
}

function checkState({ status, conclusion }: GitHubCheckRun): Report['state'] {
  if (status !== 'completed' || conclusion === null) return 'pending';
  if (conclusion === 'success') return 'success';
  return skippedConclusions.includes(conclusion) ? 'skipped' : 'failure';
}
