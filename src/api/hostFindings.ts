import type { SiteFinding, HostCheck, HostProof } from '../contract/responses.ts';
import { shortLine } from '../contract/text/summaries.ts';
import { areShared, isBelieved } from '../forges/trustedHosts.ts';
import type { ForgeCheck, ForgeProblem, BuildReport } from '../forges/forgeProject.ts';
import type { HostSettings } from '../forges/externalHost.ts';

/** Of lists, and of the texts in them. */
const MOST_NAMED = 50;
const LONGEST = 200;

const forgeRights: Record<HostSettings['forge'], string> = {
  github:
    'Give it contents and pull requests to read and write, and deployments, commit statuses and checks to read.',
  gitea: 'Give it read and write of repositories, and its account write access to this one.',
  forgejo: 'Give it read and write of repositories, and its account write access to this one.',
};

/** Says what a credential needs where something is missing. */
export const addRightsAdvice =
  ({ forge }: HostSettings) =>
  ({ code, message }: ForgeProblem): SiteFinding => ({
    code,
    message: code === 'scope' ? `${message} ${forgeRights[forge]}` : message,
  });

/** Says what follows where nothing was reported. */
export const addReportsAdvice =
  ({ previewUrl }: HostSettings) =>
  ({ code, message }: ForgeProblem): SiteFinding => ({
    code,
    message: `${message} ${
      previewUrl === null
        ? 'Let the host build a commit, and check again. If it reports nothing, give the pattern of its addresses.'
        : 'Without reports, tasks look at the pages alone, and a build that fails is only noticed by its time.'
    }`,
  });

export function pushProblems(
  { mayPush, isProtected, problems }: ForgeCheck,
  { publish }: HostSettings,
  branch: string,
): SiteFinding[] {
  const isUnknown = problems.some(({ code }) => code !== 'reports');
  if (publish !== 'push' || mayPush || isUnknown) return [];
  const reasonWords = isProtected
    ? `The branch ${branch} is protected, and takes no pushes by this credential.`
    : `The credential may not push to the branch ${branch}.`;
  const message = `${reasonWords} Publish by pull request, or allow it to push.`;
  return [{ code: isProtected ? 'protected-branch' : 'push-denied', message }];
}

/** What of the settings was seen at no past deployment. */
export function reportWarnings(reports: BuildReport[], settings: HostSettings): SiteFinding[] {
  const { reporter, hosts, previewReports, liveReports } = settings;
  const warnings: SiteFinding[] = [];
  if (areShared(hosts) && reporter === null)
    warnings.push({
      code: 'reporter',
      message:
        "Anybody can have an address at one of the hosts, and whoever may push can report it. Name who reports: your host's login at the forge.",
    });
  if (reports.length === 0) return warnings;
  const reportedNames = new Set(reports.map(({ name }) => name));
  const missingNames = [...new Set([...previewReports, ...liveReports])].filter(
    (name) => !reportedNames.has(name),
  );
  if (missingNames.length > 0)
    warnings.push({
      code: 'report-names',
      message: `No report on the last commits is named ${quoteNames(missingNames)}. They are named ${quoteNames([...reportedNames])}. Correct the names, unless the host uses them for previews only.`,
    });
  const creators = reports.flatMap(({ creator }) => creator ?? []);
  if (reporter !== null && !creators.includes(reporter))
    warnings.push({
      code: 'reporter',
      message: `${quoteNames([reporter])} reported nothing on the last commits. Reports came from ${quoteNames([...new Set(creators)]) || 'nobody that the forge names'}. Correct who reports, or leave it out: then everybody's reports count.`,
    });
  const seenHosts = reportedHosts(reports);
  if (seenHosts.length > 0 && !reports.some(({ url }) => url !== null && isBelieved(settings, url)))
    warnings.push({
      code: 'hosts',
      message: `No reported address is at a host that you believe. The reported ones are at ${quoteNames(seenHosts)}. Believe those that are yours, or tasks find no page.`,
    });
  return warnings;
}

const quoteNames = (names: string[]) =>
  names
    .slice(0, 10)
    .map((name) => `"${shortLine(name, LONGEST)}"`)
    .join(', ');

export function proofWarnings(proof: HostProof | null): SiteFinding[] {
  if (!proof || (proof.status >= 200 && proof.status < 300)) return [];
  const { commit, url, status } = proof;
  const placeWords = commit === null ? `The live site at ${url}` : `The deployment at ${url}`;
  const message = `${placeWords} ${statusAdvice(status)}`;
  return [{ code: 'deployment', message }];
}

/** What an answer without a page means, and what to do. */
function statusAdvice(status: number): string {
  if (status === 0)
    return 'does not answer. Correct its address, or see at the host what is wrong.';
  if (status === 401 || status === 403)
    return `asks for a login (status ${status}). Give the header field and the secret that open it.`;
  if (status < 400)
    return `leads elsewhere (status ${status}). Give the address that it leads to. If that is a login, give the header field and the secret that open the page.`;
  return `has no page (status ${status}). Correct its address, or see at the host what is wrong.`;
}

export function namedReports(reports: BuildReport[]): HostCheck['reports'] {
  const reportsByKey = new Map(
    reports.map(({ of, name, creator }) => [
      `${of} ${name} ${creator}`,
      { of, name: name.slice(0, LONGEST), creator },
    ]),
  );
  return [...reportsByKey.values()].slice(0, MOST_NAMED);
}

export function reportedHosts(reports: BuildReport[]): string[] {
  const hosts = reports.flatMap(({ url }) => (url === null ? [] : (URL.parse(url)?.host ?? [])));
  return [...new Set(hosts)].filter((host) => host !== '').slice(0, MOST_NAMED);
}
