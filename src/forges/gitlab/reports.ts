import { isSkippedDescription, readableReports, webUrl } from '../buildReports.ts';
import type { BuildReport } from '../forgeProject.ts';
import type { GitLabRequests } from './requests.ts';
import type { GitLabDeployment, GitLabPipeline, GitLabStatus } from './schemas.ts';

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
    requests.readStatuses(commit, signal).then((statuses) => statuses.map(statusReport)),
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

function statusReport(status: GitLabStatus): BuildReport {
  const url = webUrl(status.target_url);
  return {
    of: 'status',
    name: status.name,
    creator: status.author?.username ?? null,
    state: statusState(status),
    url,
    logUrl: url,
  };
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
