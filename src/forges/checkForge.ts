import { hasErrorCode } from '../errors.ts';
import { onStatus, refusedStatus } from './apiErrors.ts';
import type { ForgeProject, ForgeCheck, ForgeProblem, BuildReport } from './forgeProject.ts';

/** How many commits of the production branch are checked for reports, and how many are shown. */
const COMMITS = 10;
const SHOWN = 3;

/** The requests of a check at one forge. Each throws FORGE_REFUSED if the credential may not. */
export interface ForgeTrials extends Pick<ForgeProject, 'reports'> {
  project: string;
  branch: string;
  /** Reads the project. @returns what is wrong with its settings */
  readProject(): Promise<ForgeProblem[]>;
  readBranch(): Promise<Pick<ForgeCheck, 'mayPush' | 'isProtected'>>;
  /** Makes a request that needs the right to push, but that the forge refuses anyway. */
  tryPush?(): Promise<unknown>;
  /** Requests a pull request from a branch into itself, which every forge refuses. */
  tryPullRequest(): Promise<unknown>;
  /** The branch's last commits, the newest first. */
  readCommits(count: number): Promise<string[]>;
}

/** The statuses with which forges refuse an impossible request of somebody with the right to it. */
const UNDERSTOOD = [400, 409, 422];

/**
 * Checks whether tasks can use a project at its forge: read it, push, open pull requests, and read
 * the reports of builds. Changes nothing there.
 * @returns the problems for people, the rights on the branch, and recent reports for the settings
 */
export async function checkForge(trials: ForgeTrials, signal: AbortSignal): Promise<ForgeCheck> {
  const problems: ForgeProblem[] = [];
  /** Adds a problem and returns undefined if the forge refuses. */
  const tryOrNote = async <T>(work: Promise<T>, missing: ForgeProblem): Promise<T | undefined> => {
    try {
      return await work;
    } catch (error) {
      if (!hasErrorCode(error, 'FORGE_REFUSED')) throw error;
      problems.push(describeRefusal(error, missing));
      return undefined;
    }
  };
  const projectProblems = await tryOrNote(trials.readProject(), projectNotFound(trials));
  if (!projectProblems)
    return { problems, mayPush: false, isProtected: false, pastDeployments: [] };
  problems.push(...projectProblems);
  const branchRights = await tryOrNote(trials.readBranch(), branchNotFound(trials));
  const mayPush =
    branchRights &&
    (!trials.tryPush || (await tryOrNote(wasUnderstood(trials.tryPush()), pushNotAllowed)))
      ? branchRights.mayPush
      : false;
  await tryOrNote(wasUnderstood(trials.tryPullRequest()), pullRequestsNotAllowed);
  const reportedCommits =
    branchRights && (await tryOrNote(readPastReports(trials, signal), reportsNotAllowed));
  if (reportedCommits?.length === 0) problems.push(nothingReportedProblem(trials));
  return {
    problems,
    mayPush,
    isProtected: branchRights?.isProtected ?? false,
    pastDeployments: reportedCommits ?? [],
  };
}

async function readPastReports(trials: ForgeTrials, signal: AbortSignal) {
  const reportedCommits: { commit: string; reports: BuildReport[] }[] = [];
  for (const commit of await trials.readCommits(COMMITS)) {
    const reports = await trials.reports(commit, signal);
    if (reports.length > 0) reportedCommits.push({ commit, reports });
    if (reportedCommits.length === SHOWN) break;
  }
  return reportedCommits;
}

const wasUnderstood = (trial: Promise<unknown>): Promise<true> =>
  trial.then(() => true, onStatus(UNDERSTOOD, true));

/** Describes a refusal. Forges answer 404 for what a credential may not see. */
function describeRefusal(error: Error, missing: ForgeProblem): ForgeProblem {
  const status = refusedStatus(error);
  const refusalText = `(${error.message}).`;
  if (status === 401)
    return {
      code: 'credential',
      message: `The forge does not accept the credential, because it is wrong, revoked or expired ${refusalText}`,
    };
  if (status === 403)
    return {
      code: 'scope',
      message: `The credential lacks a scope or permission: ${missing.message} ${refusalText}`,
    };
  return { ...missing, message: `${missing.message} ${refusalText}` };
}

export const archivedProblem: ForgeProblem = {
  code: 'project',
  message: 'The project is archived and does not accept changes.',
};
export const projectNotFound = ({ project }: Pick<ForgeTrials, 'project'>): ForgeProblem => ({
  code: 'project',
  message: `The project ${project} was not found, or the credential has no access to it`,
});
const branchNotFound = ({ project, branch }: ForgeTrials): ForgeProblem => ({
  code: 'branch',
  message: `The branch ${branch} of ${project} was not found`,
});
const pushNotAllowed: ForgeProblem = {
  code: 'scope',
  message: 'The credential does not allow pushes',
};
export const pullRequestsNotAllowed: ForgeProblem = {
  code: 'scope',
  message: 'The credential does not allow opening pull requests',
};
const reportsNotAllowed: ForgeProblem = {
  code: 'scope',
  message: 'The credential does not allow reading commit statuses and deployments',
};
const nothingReportedProblem = ({ branch }: ForgeTrials): ForgeProblem => ({
  code: 'reports',
  message:
    `Nothing was reported for the last ${COMMITS} commits of ${branch}. ` +
    'Expected a deployment or a commit status from the host that builds the site.',
});
