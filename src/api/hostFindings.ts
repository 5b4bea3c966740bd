import type { Finding, HostCheck, HostProof } from '../contract/answers.ts';
import { shortLine } from '../contract/text.ts';
import { areShared, isBelieved } from '../forges/believedHosts.ts';
import type { ForgeCheck, ForgeProblem, Report } from '../forges/forge.ts';
import type { HostSettings } from '../forges/ownHost.ts';

/** Of lists, and of the texts in them. */
const MOST_NAMED = 50;
const LONGEST = 200;

const rights: Record<HostSettings['forge'], string> = {
  github:
    'Give it contents and pull requests to read and write, and deployments, commit statuses and checks to read.',
  gitea: 'Give it read and write of repositories, and its account write access to this one.',
  forgejo: 'Give it read and write of repositories, and its account write access to this one.',
};

/** Says what a credential needs where something is missing. */
export const withRights =
  ({ forge }: HostSettings) =>
  ({ code, message }: ForgeProblem): Finding => ({
    code,
    message: code === 'scope' ? `${message} ${rights[forge]}` : message,
  });

/** Says what follows where nothing was reported. */
export const withoutReports =
  ({ previewUrl }: HostSettings) =>
  ({ code, message }: ForgeProblem): Finding => ({
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
): Finding[] {
  const isUnknown = problems.some(({ code }) => code !== 'reports');
  if (publish !== 'push' || mayPush || isUnknown) return [];
  const why = isProtected
    ? `The branch ${branch} is protected, and takes no pushes by this credential.`
    : `The credential may not push to the branch ${branch}.`;
  const message = `${why} Publish by pull request, or allow it to push.`;
  return [{ code: isProtected ? 'protected-branch' : 'push-denied', message }];
}

/** What of the settings was seen at no past deployment. */
export function reportWarnings(reports: Report[], settings: HostSettings): Finding[] {
  const { reporter, hosts, previewReports, liveReports } = settings;
  const warnings: Finding[] = [];
  if (areShared(hosts) && reporter === null)
    warnings.push({
      code: 'reporter',
      message:
        "Anybody can have an address at one of the hosts, and whoever may push can report it. Name who reports: your host's login at the forge.",
    });
  if (reports.length === 0) return warnings;
  const names = new Set(reports.map(({ name }) => name));
  const unseen = [...new Set([...previewReports, ...liveReports])].filter(
    (name) => !names.has(name),
  );
  if (unseen.length > 0)
    warnings.push({
      code: 'report-names',
      message: `No report on the last commits is named ${quoted(unseen)}. They are named ${quoted([...names])}. Correct the names, unless the host uses them for previews only.`,
    });
  const creators = reports.flatMap(({ creator }) => creator ?? []);
  if (reporter !== null && !creators.includes(reporter))
    warnings.push({
      code: 'reporter',
      message: `${quoted([reporter])} reported nothing on the last commits. Reports came from ${quoted([...new Set(creators)]) || 'nobody that the forge names'}. Correct who reports, or leave it out: then everybody's reports count.`,
    });
  const seen = hostsOf(reports);
  if (seen.length > 0 && !reports.some(({ url }) => url !== null && isBelieved(settings, url)))
    warnings.push({
      code: 'hosts',
      message: `No reported address is at a host that you believe. The reported ones are at ${quoted(seen)}. Believe those that are yours, or tasks find no page.`,
    });
  return warnings;
}

const quoted = (names: string[]) =>
  names
    .slice(0, 10)
    .map((name) => `"${shortLine(name, LONGEST)}"`)
    .join(', ');

export function proofWarnings(proof: HostProof | null): Finding[] {
  if (!proof || (proof.status >= 200 && proof.status < 300)) return [];
  const { commit, url, status } = proof;
  const place = commit === null ? `The live site at ${url}` : `The deployment at ${url}`;
  const message = `${place} ${answerWords(status)}`;
  return [{ code: 'deployment', message }];
}

/** What an answer without a page means, and what to do. */
function answerWords(status: number): string {
  if (status === 0)
    return 'does not answer. Correct its address, or see at the host what is wrong.';
  if (status === 401 || status === 403)
    return `asks for a login (status ${status}). Give the header field and the secret that open it.`;
  if (status < 400)
    return `leads elsewhere (status ${status}). Give the address that it leads to. If that is a login, give the header field and the secret that open the page.`;
  return `has no page (status ${status}). Correct its address, or see at the host what is wrong.`;
}

export function namesOf(reports: Report[]): HostCheck['reports'] {
  const known = new Map(
    reports.map(({ of, name, creator }) => [
      `${of} ${name} ${creator}`,
      { of, name: name.slice(0, LONGEST), creator },
    ]),
  );
  return [...known.values()].slice(0, MOST_NAMED);
}

export function hostsOf(reports: Report[]): string[] {
  const hosts = reports.flatMap(({ url }) => (url === null ? [] : (URL.parse(url)?.host ?? [])));
  return [...new Set(hosts)].filter((host) => host !== '').slice(0, MOST_NAMED);
}
