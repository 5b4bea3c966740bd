import { isSkippedDescription, readableReports, webUrl } from '../buildReports.ts';
import type { BuildReport } from '../forgeProject.ts';
import type { GitLabRequests } from './requests.ts';
import type { GitLabDeployment, GitLabPages, GitLabPipeline, GitLabStatus } from './schemas.ts';

/** The status with which GitLab reports that Pages shows a commit. It has no URL of the site. */
const PAGES_STATUS = 'pages:deploy';

/**
 * Reads the deployments of a commit (review apps are deployments to an environment of their own),
 * its statuses, which include the jobs of pipelines, and its pipelines. Leaves out the kinds that
 * the role of the credential may not read.
 * @throws DomainError FORGE_REFUSED if the credential may read none of them
 */
export const readGitLabReports = (
  requests: GitLabRequests,
  commit: string,
  signal: AbortSignal,
): Promise<BuildReport[]> =>
  readableReports([
    requests
      .readDeployments(commit, signal)
      .then((deployments) => deployments.map(deploymentReport)),
    readStatusReports(requests, commit, signal),
    requests.readPipelines(commit, signal).then((pipelines) => pipelines.map(pipelineReport)),
  ]);

/** The states of deployments, statuses and pipelines. Every other state is pending. */
const finalStates = new Map<string, BuildReport['state']>([
  ['success', 'success'],
  ['failed', 'failure'],
  ['canceled', 'skipped'],
  ['skipped', 'skipped'],
  // nobody has started the job yet, and perhaps nobody ever will
  ['manual', 'skipped'],
]);

const reportState = (status: string): BuildReport['state'] => finalStates.get(status) ?? 'pending';

const deploymentReport = ({
  environment,
  user,
  status,
  deployable,
}: GitLabDeployment): BuildReport => ({
  of: 'deployment',
  name: environment.name,
  creator: user?.username ?? null,
  state: reportState(status),
  url: webUrl(environment.external_url),
  logUrl: webUrl(deployable?.web_url),
});

async function readStatusReports(
  requests: GitLabRequests,
  commit: string,
  signal: AbortSignal,
): Promise<BuildReport[]> {
  const statuses = await requests.readStatuses(commit, signal);
  const isOnPages = statuses.some(
    ({ name, status }) => isPagesStatus(name) && status === 'success',
  );
  const pages = isOnPages ? await requests.readPages(signal) : null;
  return statuses.map((status) => statusReport(status, pages));
}

const isPagesStatus = (name: string) => name === PAGES_STATUS;

function statusReport(status: GitLabStatus, pages: GitLabPages | null): BuildReport {
  const targetUrl = webUrl(status.target_url);
  return {
    of: 'status',
    name: status.name,
    creator: status.author?.username ?? null,
    state: statusState(status),
    url: isPagesStatus(status.name) ? pagesUrl(pages, status) : targetUrl,
    logUrl: targetUrl,
  };
}

/**
 * The URL at which Pages shows a branch. If each branch has a deployment of its own, the prefix of
 * its path is the name of the branch. Otherwise the deployment is the live site.
 */
function pagesUrl(pages: GitLabPages | null, { ref: branch }: GitLabStatus): string | null {
  const ofBranch = pages?.deployments?.find(
    ({ path_prefix: prefix }) => prefix && prefix === branch,
  );
  return webUrl(ofBranch?.url ?? pages?.url);
}

function statusState({ status, description, allow_failure: mayFail }: GitLabStatus) {
  const state = reportState(status);
  const isSkipped =
    (state === 'failure' && mayFail === true) ||
    (state === 'success' && isSkippedDescription(description));
  return isSkipped ? 'skipped' : state;
}

/** A branch may have a pipeline of its push, and another one of its merge request. */
const pipelineReport = ({ source, status, web_url: logUrl }: GitLabPipeline): BuildReport => ({
  of: 'check',
  name: `pipeline of ${source}`,
  creator: null,
  state: reportState(status),
  url: null,
  logUrl: webUrl(logUrl),
});
