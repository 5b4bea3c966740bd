import type { SiteFinding, HostCheck, HostProof } from '../contract/responses.ts';
import { shortLine } from '../contract/text/summaries.ts';
import { areShared, isBelieved } from '../forges/trustedHosts.ts';
import type { ForgeCheck, ForgeProblem, BuildReport } from '../forges/forgeProject.ts';
import type { HostSettings } from '../forges/externalHost.ts';
import { parseUrl } from '../contract/text/parseUrl.ts';

/**
 * The problems and warnings of a host check (hostCheck.ts), as sentences for the admin. Each of
 * these functions takes what the check found, and returns findings such as
 * `{ code: 'protected-branch', message: 'The branch main is protected, … Publish by …' }`.
 */

/** Maximum number of entries of a list, and of characters of a text in it. */
const MOST_NAMED = 50;
const LONGEST = 200;

const forgeRights: Record<HostSettings['forge'], string> = {
  github:
    'Grant it read and write access to contents and pull requests, and read access to deployments, commit statuses and checks.',
  gitea:
    'Grant it read and write access to repositories, and grant its account write access to this repository.',
  forgejo:
    'Grant it read and write access to repositories, and grant its account write access to this repository.',
  gitlab:
    'Use a project or group access token with the scope api and the role Developer, or the role Maintainer to push to a protected branch.',
};

/** Adds the rights that a credential needs to a problem about missing rights. */
export const addRightsAdvice =
  ({ forge }: HostSettings) =>
  ({ code, message }: ForgeProblem): SiteFinding => ({
    code,
    message: code === 'scope' ? `${message} ${forgeRights[forge]}` : message,
  });

/** Adds what the admin can do if the host has reported nothing. */
export const addReportsAdvice =
  ({ previewUrl }: HostSettings) =>
  ({ code, message }: ForgeProblem): SiteFinding => ({
    code,
    message: `${message} ${
      previewUrl === null
        ? 'Let the host build a commit, and check again. If the host reports nothing, enter the pattern of its preview URLs.'
        : 'Without reports, tasks only request the pages, and notice a failed build when its time limit has passed.'
    }`,
  });

/** The problem that the credential may not push to the production branch, if tasks push. */
export function pushProblems(
  { mayPush, isProtected, problems }: ForgeCheck,
  { publish }: HostSettings,
  branch: string,
): SiteFinding[] {
  const isUnknown = problems.some(({ code }) => code !== 'reports');
  if (publish !== 'push' || mayPush || isUnknown) return [];
  const message = `${pushDenied(branch, isProtected)} Publish by pull request, or allow the credential to push.`;
  return [{ code: isProtected ? 'protected-branch' : 'push-denied', message }];
}

export const pushDenied = (branch: string, isProtected: boolean) =>
  isProtected
    ? `The branch ${branch} is protected, and this credential may not push to it.`
    : `This credential may not push to the branch ${branch}.`;

/** Warnings about settings that match none of the reports on the latest commits. */
export function reportWarnings(reports: BuildReport[], settings: HostSettings): SiteFinding[] {
  const { reporter, hosts, previewReports, liveReports } = settings;
  const warnings: SiteFinding[] = [];
  if (areShared(hosts) && reporter === null)
    warnings.push({
      code: 'reporter',
      message:
        'Anybody can have a site at one of these hosts, and everybody who may push can report its URL. Set the reporter to the login of your host at the forge.',
    });
  if (reports.length === 0) return warnings;
  const reportedNames = new Set(reports.map(({ name }) => name));
  const missingNames = [...new Set([...previewReports, ...liveReports])].filter(
    (name) => !reportedNames.has(name),
  );
  if (missingNames.length > 0)
    warnings.push({
      code: 'report-names',
      message: `No report on the latest commits has the name ${quoteNames(missingNames)}. The names of the reports are ${quoteNames([...reportedNames])}. Correct the names, unless the host uses them for previews only.`,
    });
  const creators = reports.flatMap(({ creator }) => creator ?? []);
  if (reporter !== null && !creators.includes(reporter))
    warnings.push({
      code: 'reporter',
      message: `${quoteNames([reporter])} reported nothing on the latest commits. The reports came from ${quoteNames([...new Set(creators)]) || 'logins that the forge does not name'}. Correct the reporter, or remove it so that everybody's reports count.`,
    });
  const seenHosts = reportedHosts(reports);
  if (seenHosts.length > 0 && !reports.some(({ url }) => url !== null && isBelieved(settings, url)))
    warnings.push({
      code: 'hosts',
      message: `No reported URL is at a trusted host. The reported URLs are at ${quoteNames(seenHosts)}. Add your own hosts to the trusted hosts, because tasks ignore all other URLs.`,
    });
  return warnings;
}

const quoteNames = (names: string[]) =>
  names
    .slice(0, 10)
    .map((name) => `"${shortLine(name, LONGEST)}"`)
    .join(', ');

/** Warns if the requested deployment did not respond with a page. */
export function proofWarnings(proof: HostProof | null): SiteFinding[] {
  if (!proof || (proof.status >= 200 && proof.status < 300)) return [];
  const { commit, url, status } = proof;
  const placeWords = commit === null ? `The live site at ${url}` : `The deployment at ${url}`;
  const message = `${placeWords} ${statusAdvice(status)}`;
  return [{ code: 'deployment', message }];
}

/** What a response without a page means, and what to do. */
function statusAdvice(status: number): string {
  if (status === 0) return 'does not respond. Correct its URL, or check the host.';
  if (status === 401 || status === 403)
    return `asks for a login (status ${status}). Enter the header field and the secret that open it.`;
  if (status < 400)
    return `redirects (status ${status}). Enter the URL that it redirects to. If that is a login page, enter the header field and the secret that open the deployment.`;
  return `has no page (status ${status}). Correct its URL, or check the host.`;
}

/** The distinct names of reports, from which the admin chooses those that count. */
export function namedReports(reports: BuildReport[]): HostCheck['reports'] {
  const reportsByKey = new Map(
    reports.map(({ of, name, creator }) => [
      `${of} ${name} ${creator}`,
      { of, name: name.slice(0, LONGEST), creator },
    ]),
  );
  return [...reportsByKey.values()].slice(0, MOST_NAMED);
}

/** The hosts of the reported URLs. */
export function reportedHosts(reports: BuildReport[]): string[] {
  const hosts = reports.flatMap(({ url }) => (url === null ? [] : (parseUrl(url)?.host ?? [])));
  return [...new Set(hosts)].filter((host) => host !== '').slice(0, MOST_NAMED);
}
