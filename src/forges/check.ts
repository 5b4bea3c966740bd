import { hasCode } from '../errors.ts';
import { onStatus, statusOf } from './apiErrors.ts';
import type { Forge, ForgeCheck, ForgeProblem, Report } from './forge.ts';

/** Commits of the production branch that are looked at for reports, and how many to show. */
const COMMITS = 10;
const SHOWN = 3;

/** What a connection's check tries at one forge. Each throws FORGE_REFUSED where it may not. */
export interface Trials extends Pick<Forge, 'reports'> {
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
export async function checkForge(trials: Trials, signal: AbortSignal): Promise<ForgeCheck> {
  const problems: ForgeProblem[] = [];
  /** @returns undefined where the forge refused */
  const attempt = async <T>(work: Promise<T>, missing: ForgeProblem): Promise<T | undefined> => {
    try {
      return await work;
    } catch (error) {
      if (!hasCode(error, 'FORGE_REFUSED')) throw error;
      problems.push(problemOf(error, missing));
      return undefined;
    }
  };
  const found = await attempt(trials.readProject(), noProject(trials));
  if (!found) return { problems, mayPush: false, isProtected: false, past: [] };
  problems.push(...found);
  const rights = await attempt(trials.readBranch(), noBranch(trials));
  const mayPush =
    rights && (!trials.tryPush || (await attempt(understood(trials.tryPush()), noPush)))
      ? rights.mayPush
      : false;
  await attempt(understood(trials.tryPullRequest()), noPullRequests);
  const past = rights && (await attempt(pastReports(trials, signal), noReports));
  if (past?.length === 0) problems.push(nothingReported(trials));
  return { problems, mayPush, isProtected: rights?.isProtected ?? false, past: past ?? [] };
}

async function pastReports(trials: Trials, signal: AbortSignal) {
  const past: { commit: string; reports: Report[] }[] = [];
  for (const commit of await trials.readCommits(COMMITS)) {
    const reports = await trials.reports(commit, signal);
    if (reports.length > 0) past.push({ commit, reports });
    if (past.length === SHOWN) break;
  }
  return past;
}

const understood = (trial: Promise<unknown>): Promise<true> =>
  trial.then(() => true, onStatus(UNDERSTOOD, true));

/** A refusal in words. A forge hides with 404 what a credential may not see. */
function problemOf(error: Error, missing: ForgeProblem): ForgeProblem {
  const status = statusOf(error);
  const told = `(${error.message}).`;
  if (status === 401)
    return {
      code: 'credential',
      message: `The forge does not accept the credential: it is wrong, revoked or has expired ${told}`,
    };
  if (status === 403)
    return {
      code: 'scope',
      message: `The credential lacks a scope or permission: ${missing.message} ${told}`,
    };
  return { ...missing, message: `${missing.message} ${told}` };
}

const noProject = ({ project }: Trials): ForgeProblem => ({
  code: 'project',
  message: `The project ${project} was not found, or the credential may not see it`,
});
const noBranch = ({ project, branch }: Trials): ForgeProblem => ({
  code: 'branch',
  message: `The branch ${branch} of ${project} was not found`,
});
const noPush: ForgeProblem = { code: 'scope', message: 'The credential may not push' };
const noPullRequests: ForgeProblem = {
  code: 'scope',
  message: 'The credential may not open pull requests',
};
const noReports: ForgeProblem = {
  code: 'scope',
  message: 'The credential may not read what is reported of commits',
};
const nothingReported = ({ branch }: Trials): ForgeProblem => ({
  code: 'reports',
  message:
    `Nothing was reported of the last ${COMMITS} commits of ${branch}: ` +
    'expected a deployment or a commit status by the host that builds the site.',
});
