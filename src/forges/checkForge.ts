import { hasErrorCode } from '../errors.ts';
import { onStatus, refusedStatus } from './apiErrors.ts';
import type { ForgeProject, ForgeCheck, ForgeProblem, BuildReport } from './forgeProject.ts';

/** Commits of the production branch that are looked at for reports, and how many to show. */
const COMMITS = 10;
const SHOWN = 3;

/** What a connection's check tries at one forge. Each throws FORGE_REFUSED where it may not. */
export interface ForgeTrials extends Pick<ForgeProject, 'reports'> {
  project: string;
  branch: string;
  /** Reads the project. @returns what is wrong with it */
  readProject(): Promise<ForgeProblem[]>;
  readBranch(): Promise<Pick<ForgeCheck, 'mayPush' | 'isProtected'>>;
  /** Asks for something that only who may push may do, and that changes nothing. */
  tryPush?(): Promise<unknown>;
  /** Asks for a pull request of a branch into itself, which a forge refuses to make. */
  tryPullRequest(): Promise<unknown>;
  /** The branch's last commits, the newest first. */
  readCommits(count: number): Promise<string[]>;
}

/** The forge answers so to a request without sense by who may make it. */
const UNDERSTOOD = [400, 409, 422];

/** Tries what tasks will do. Nothing is changed at the forge. */
export async function checkForge(trials: ForgeTrials, signal: AbortSignal): Promise<ForgeCheck> {
  const problems: ForgeProblem[] = [];
  /** @returns undefined where the forge refused */
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
  if (!projectProblems) return { problems, mayPush: false, isProtected: false, past: [] };
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
    past: reportedCommits ?? [],
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

/** A refusal in words. A forge hides with 404 what a credential may not see. */
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

const projectNotFound = ({ project }: ForgeTrials): ForgeProblem => ({
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
const pullRequestsNotAllowed: ForgeProblem = {
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
