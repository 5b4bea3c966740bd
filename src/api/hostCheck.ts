import { decodeHTML } from 'entities';
import type { Finding, HostCheck, HostProof } from '../contract/answers.ts';
import type { Credential } from '../contract/site.ts';
import { shortLine } from '../contract/text.ts';
import { DomainError, hasCode } from '../errors.ts';
import { type AddressRules, areShared, isBelieved } from '../forges/believedHosts.ts';
import type { Forge, ForgeCheck, Report, Send } from '../forges/forge.ts';
import type { HostSettings } from '../forges/ownHost.ts';
import type { ForgePlace } from '../forges/placeOf.ts';
import { cutterFor } from '../sites/git/cutCredential.ts';

export interface HostCheckDeps {
  /** Which addresses hosts and forges may have. */
  addressRules: AddressRules;
  /** Opens a project at its forge. */
  openForge: (place: ForgePlace, credential: Credential) => Forge;
  /** Sends requests to public addresses only. */
  send: Send;
}

export interface AskedHost {
  settings: HostSettings;
  credential: Credential;
  /** The header field that opens protected previews. */
  bypass: { header: string; value: string } | null;
  /** The production branch. */
  branch: string;
}

const MOST_NAMED = 50;
const LONGEST = 200;
const TITLE_BYTES = 256 * 1024;

/**
 * Tries at the forge what tasks will do, and looks at a deployment of the past. Changes nothing.
 * @returns all that is missing, in words. Throws only the signal's reason
 */
export async function checkHost(
  deps: HostCheckDeps,
  asked: AskedHost,
  signal: AbortSignal,
): Promise<HostCheck> {
  const check = await tryForge(deps, asked, signal);
  if ('message' in check) return cutIn({ ...nothing, problems: [check] }, asked);
  const { settings, branch } = asked;
  const reports = check.past.flatMap((one) => one.reports);
  const proof = await findProof(deps, asked, check, signal);
  const found: HostCheck = {
    problems: [
      ...check.problems.filter(({ code }) => code !== 'reports'),
      ...pushProblems(check, settings, branch),
    ],
    warnings: [
      ...check.problems.filter(({ code }) => code === 'reports'),
      ...reportWarnings(reports, settings),
      ...proofWarnings(proof),
    ],
    reports: namesOf(reports),
    hosts: hostsOf(reports),
    proof,
  };
  return cutIn(found, asked);
}

const nothing: HostCheck = { problems: [], warnings: [], reports: [], hosts: [], proof: null };

async function tryForge(
  { openForge }: HostCheckDeps,
  { settings, credential, branch }: AskedHost,
  signal: AbortSignal,
): Promise<ForgeCheck | Finding> {
  try {
    return await openForge(settings, credential).check(branch, signal);
  } catch (error) {
    signal.throwIfAborted();
    if (!hasCode(error, 'UNAVAILABLE', 'FORGE_REFUSED', 'CONFIGURATION')) throw error;
    const code = error.code === 'UNAVAILABLE' ? 'forge-unreachable' : 'credential';
    return { code, message: `The forge can't be used: ${error.message}.` };
  }
}

function pushProblems(
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
function reportWarnings(reports: Report[], settings: HostSettings): Finding[] {
  const { reporter, hosts, previewReports, liveReports } = settings;
  const warnings: Finding[] = [];
  if (areShared(hosts) && reporter === null)
    warnings.push({
      code: 'reporter',
      message:
        'Anybody can have an address at one of the hosts, and whoever may push can report it. Name the login that reports.',
    });
  if (reports.length === 0) return warnings;
  const names = new Set(reports.map(({ name }) => name));
  const unseen = [...new Set([...previewReports, ...liveReports])].filter(
    (name) => !names.has(name),
  );
  if (unseen.length > 0)
    warnings.push({
      code: 'report-names',
      message: `Nothing was reported as ${quoted(unseen)} of the last commits. Reported were ${quoted([...names])}.`,
    });
  const creators = reports.flatMap(({ creator }) => creator ?? []);
  if (reporter !== null && !creators.includes(reporter))
    warnings.push({
      code: 'reporter',
      message: `${reporter} reported nothing of the last commits. Reports came from ${quoted([...new Set(creators)]) || 'nobody that the forge names'}.`,
    });
  const seen = hostsOf(reports);
  if (seen.length > 0 && !reports.some(({ url }) => url !== null && isBelieved(settings, url)))
    warnings.push({
      code: 'hosts',
      message: `No reported address is at the hosts that you named. Reported were addresses at ${quoted(seen)}.`,
    });
  return warnings;
}

const quoted = (names: string[]) =>
  names
    .slice(0, 10)
    .map((name) => `"${shortLine(name, LONGEST)}"`)
    .join(', ');

function proofWarnings(proof: HostProof | null): Finding[] {
  if (!proof || (proof.status >= 200 && proof.status < 300)) return [];
  const { url, status } = proof;
  const message =
    status === 0
      ? `The deployment at ${url} does not answer.`
      : `The deployment at ${url} answers with status ${status}. If its host asks for a login, give the header field that opens previews.`;
  return [{ code: 'deployment', message }];
}

function namesOf(reports: Report[]): HostCheck['reports'] {
  const known = new Map(
    reports.map(({ of, name, creator }) => [
      `${of} ${name} ${creator}`,
      { of, name: name.slice(0, LONGEST), creator },
    ]),
  );
  return [...known.values()].slice(0, MOST_NAMED);
}

function hostsOf(reports: Report[]): string[] {
  const hosts = reports.flatMap(({ url }) => (url === null ? [] : (URL.parse(url)?.host ?? [])));
  return [...new Set(hosts)].filter((host) => host !== '').slice(0, MOST_NAMED);
}

/** Looks at the newest deployment that counts; else at the live site's own address. */
async function findProof(
  deps: HostCheckDeps,
  asked: AskedHost,
  { past }: ForgeCheck,
  signal: AbortSignal,
): Promise<HostProof | null> {
  const { settings } = asked;
  const finished = past.flatMap(({ commit, reports }) =>
    reports.flatMap(({ name, url, state, creator }) =>
      state === 'success' && url !== null && counts(settings, { name, creator, url })
        ? [{ commit, name, url }]
        : [],
    ),
  );
  const [newest] = finished;
  const { liveUrl } = settings;
  if (!newest && liveUrl === null) return null;
  const wanted = newest ?? { commit: null, name: null, url: liveUrl! };
  return { ...wanted, ...(await seen(deps, asked, wanted.url, signal)) };
}

function counts(
  { reporter, previewReports, liveReports, ...settings }: HostSettings,
  { name, creator, url }: { name: string; creator: string | null; url: string },
): boolean {
  const names = [...previewReports, ...liveReports];
  return (
    isBelieved(settings, url) &&
    (names.length === 0 || names.includes(name)) &&
    (reporter === null || reporter === creator)
  );
}

async function seen(
  { send }: HostCheckDeps,
  { settings, bypass }: AskedHost,
  url: string,
  signal: AbortSignal,
): Promise<Pick<HostProof, 'status' | 'title'>> {
  const headers = bypass && isBelieved(settings, url) ? { [bypass.header]: bypass.value } : {};
  try {
    const { status, body } = await send({ url, headers }, signal);
    return { status, title: titleIn(body.subarray(0, TITLE_BYTES).toString()) };
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof DomainError)) throw error;
    return { status: 0, title: null };
  }
}

function titleIn(html: string): string | null {
  const title = /<title(?:\s[^>]{0,200})?>([^<]{0,1000})/i.exec(html)?.[1] ?? '';
  return shortLine(decodeHTML(title), LONGEST) || null;
}

/** Forges and pages may repeat what they were sent. */
function cutIn(found: HostCheck, { credential, bypass }: AskedHost): HostCheck {
  const cuts = [
    ...(credential.kind === 'github-app' ? [] : [cutterFor(credential)]),
    ...(bypass ? [cutterFor({ kind: 'token', username: bypass.header, token: bypass.value })] : []),
  ];
  const cutText = (text: string) => cuts.reduce((kept, cut) => cut(kept), text);
  return JSON.parse(
    JSON.stringify(found, (_, value: unknown) =>
      typeof value === 'string' ? cutText(value) : value,
    ),
  ) as HostCheck;
}
