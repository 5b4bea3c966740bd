import { decodeHTML } from 'entities';
import type { Finding, HostCheck, HostProof } from '../contract/answers.ts';
import type { Credential } from '../contract/site.ts';
import { shortLine } from '../contract/text.ts';
import { DomainError, hasCode } from '../errors.ts';
import { type AddressRules, isBelieved } from '../forges/believedHosts.ts';
import type { Forge, ForgeCheck, Send } from '../forges/forge.ts';
import type { HostSettings } from '../forges/ownHost.ts';
import type { ForgePlace } from '../forges/placeOf.ts';
import { cutterFor } from '../sites/git/cutCredential.ts';
import {
  hostsOf,
  namesOf,
  proofWarnings,
  pushProblems,
  reportWarnings,
  withoutReports,
  withRights,
} from './hostFindings.ts';

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
      ...check.problems.filter(({ code }) => code !== 'reports').map(withRights(settings)),
      ...pushProblems(check, settings, branch),
    ],
    warnings: [
      ...check.problems.filter(({ code }) => code === 'reports').map(withoutReports(settings)),
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
