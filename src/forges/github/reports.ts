import { onStatus } from '../apiErrors.ts';
import type { BuildReport } from '../forgeProject.ts';
import { isSkippedDescription, readableReports, sortNewestFirst, webUrl } from '../buildReports.ts';
import type { GitHubRequests } from './requests.ts';
import type {
  GitHubCheckRun,
  GitHubDeployment,
  GitHubDeploymentStatus,
  GitHubStatus,
} from './schemas.ts';

/** The most deployments of one commit whose states are read. */
const MAX_DEPLOYMENTS = 20;

/**
 * Reads the deployments, commit statuses and check runs of a commit. Does not read the combined
 * status, which stays `pending` if nobody reports. Leaves out the kinds that the credential may not
 * read: fine-grained tokens can't read check runs.
 * @throws DomainError FORGE_REFUSED if the credential may read none of them
 */
export const readGitHubReports = (
  requests: GitHubRequests,
  commit: string,
  signal: AbortSignal,
): Promise<BuildReport[]> =>
  readableReports([
    readDeploymentReports(requests, commit, signal),
    requests
      .readStatuses(commit, signal)
      .catch(onStatus(unknownCommit, []))
      .then((statuses) => sortNewestFirst(statuses).map(statusReport)),
    requests
      .readCheckRuns(commit, signal)
      .catch(onStatus(unknownCommit, []))
      .then((checkRuns) => sortNewestFirst(checkRuns).map(checkRunReport)),
  ]);

/** The statuses for an unknown commit. GitHub may not know a commit yet that was just pushed. */
const unknownCommit = [404, 422];

async function readDeploymentReports(
  requests: GitHubRequests,
  commit: string,
  signal: AbortSignal,
): Promise<BuildReport[]> {
  const foundDeployments = sortNewestFirst(await requests.readDeployments(commit, signal));
  return Promise.all(
    foundDeployments
      .slice(0, MAX_DEPLOYMENTS)
      .map(async (deployment) =>
        deploymentReport(
          deployment,
          sortNewestFirst(await requests.readDeploymentStatuses(deployment.id, signal)),
        ),
      ),
  );
}

/** Converts a deployment. Its creator is the account that set its state, which names the URL. */
function deploymentReport(
  { environment, creator }: GitHubDeployment,
  statuses: GitHubDeploymentStatus[],
): BuildReport {
  const status = statuses.find(({ state }) => state !== 'inactive') ?? statuses[0];
  return {
    of: 'deployment',
    name: environment,
    creator: (status?.creator ?? creator)?.login ?? null,
    state: status ? deploymentState(status) : 'pending',
    url: webUrl(status?.environment_url),
    logUrl: webUrl(status?.log_url) ?? webUrl(status?.target_url),
  };
}

/** The state of a deployment. `inactive` is its last state after another one has replaced it. */
function deploymentState({ state, description }: GitHubDeploymentStatus): BuildReport['state'] {
  if (state === 'inactive') return 'skipped';
  if (state === 'failure' || state === 'error')
    return isSkippedDescription(description) ? 'skipped' : 'failure';
  if (state !== 'success') return 'pending';
  return isSkippedDescription(description) ? 'skipped' : 'success';
}

function statusReport({
  state,
  context,
  creator,
  description,
  target_url: url,
}: GitHubStatus): BuildReport {
  const isSkipped = state === 'success' && isSkippedDescription(description);
  return {
    of: 'status',
    name: context,
    creator: creator?.login ?? null,
    state: isSkipped ? 'skipped' : state === 'success' || state === 'pending' ? state : 'failure',
    url: webUrl(url),
    logUrl: webUrl(url),
  };
}

const skippedConclusions = ['skipped', 'neutral', 'cancelled'];

function checkRunReport(checkRun: GitHubCheckRun): BuildReport {
  return {
    of: 'check',
    name: checkRun.name,
    // an app acts as the account `<slug>[bot]`
    creator: checkRun.app?.slug ? `${checkRun.app.slug}[bot]` : null,
    state: checkState(checkRun),
    url: webUrl(checkRun.details_url),
    logUrl: webUrl(checkRun.html_url) ?? webUrl(checkRun.details_url),
  };
}

function checkState({ status, conclusion }: GitHubCheckRun): BuildReport['state'] {
  if (status !== 'completed' || conclusion === null) return 'pending';
  if (conclusion === 'success') return 'success';
  return skippedConclusions.includes(conclusion) ? 'skipped' : 'failure';
}
