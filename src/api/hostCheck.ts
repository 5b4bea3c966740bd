import { decodeHTML } from 'entities';
import type { SiteFinding, HostCheck, HostProof } from '../contract/responses.ts';
import type { RepositoryCredential } from '../contract/site.ts';
import { shortLine } from '../contract/text/summaries.ts';
import { DomainError, hasErrorCode } from '../errors.ts';
import { type AddressRules, isBelieved } from '../forges/trustedHosts.ts';
import type { ForgeProject, ForgeCheck, SendHttp } from '../forges/forgeProject.ts';
import type { HostSettings } from '../forges/externalHost.ts';
import type { ForgeLocation } from '../forges/forgeLocation.ts';
import { createCredentialFilter } from '../sites/git/remote/credentialFilter.ts';
import {
  reportedHosts,
  namedReports,
  proofWarnings,
  pushProblems,
  reportWarnings,
  addReportsAdvice,
  addRightsAdvice,
} from './hostFindings.ts';

export interface HostCheckDeps {
  /** Which addresses hosts and forges may have. */
  addressRules: AddressRules;
  /** Opens a project at its forge. */
  openForge: (location: ForgeLocation, credential: RepositoryCredential) => ForgeProject;
  /** Sends requests to public addresses only. */
  send: SendHttp;
}

export interface HostCheckInput {
  settings: HostSettings;
  credential: RepositoryCredential;
  /** The header field that opens protected previews. */
  bypass: { header: string; value: string } | null;
  /** The production branch. */
  branch: string;
}

/** What the check finds at the forge and at the host. The URLs of pages are checked apart. */
type HostAccessCheck = Omit<HostCheck, 'unknownPageUrls'>;

const TITLE_LENGTH_LIMIT = 200;
const TITLE_BYTES = 256 * 1024;

/**
 * Checks an external host: whether its forge lets the service do what tasks need, which reports the
 * host has sent there (a report: a deployment, status or check that names a commit and perhaps its
 * URL), and whether the latest deployment can be read. Changes nothing.
 * @returns problems that prevent tasks and warnings, each with what to do, and a `proof`: how the
 *   host answered one request to its latest deployment, e.g. `{ status: 200, title: 'Acme', … }`
 * @throws the signal's reason, and unexpected errors
 */
export async function checkHost(
  deps: HostCheckDeps,
  hostInput: HostCheckInput,
  signal: AbortSignal,
): Promise<HostAccessCheck> {
  const forgeCheck = await checkForgeAccess(deps, hostInput, signal);
  if ('message' in forgeCheck)
    return redactSecrets({ ...emptyCheck, problems: [forgeCheck] }, hostInput);
  const { settings, branch } = hostInput;
  const reports = forgeCheck.pastDeployments.flatMap((deployment) => deployment.reports);
  const proof = await findProof(deps, hostInput, forgeCheck, signal);
  const hostCheck: HostAccessCheck = {
    problems: [
      ...forgeCheck.problems
        .filter(({ code }) => code !== 'reports')
        .map(addRightsAdvice(settings)),
      ...pushProblems(forgeCheck, settings, branch),
    ],
    warnings: [
      ...forgeCheck.problems
        .filter(({ code }) => code === 'reports')
        .map(addReportsAdvice(settings)),
      ...reportWarnings(reports, settings),
      ...proofWarnings(proof),
    ],
    reports: namedReports(reports),
    hosts: reportedHosts(reports),
    proof,
  };
  return redactSecrets(hostCheck, hostInput);
}

const emptyCheck: HostAccessCheck = {
  problems: [],
  warnings: [],
  reports: [],
  hosts: [],
  proof: null,
};

async function checkForgeAccess(
  { openForge }: HostCheckDeps,
  { settings, credential, branch }: HostCheckInput,
  signal: AbortSignal,
): Promise<ForgeCheck | SiteFinding> {
  try {
    return await openForge(settings, credential).check(branch, signal);
  } catch (error) {
    signal.throwIfAborted();
    if (!hasErrorCode(error, 'UNAVAILABLE', 'FORGE_REFUSED', 'CONFIGURATION')) throw error;
    const code = error.code === 'UNAVAILABLE' ? 'forge-unreachable' : 'credential';
    return { code, message: `The forge cannot be used: ${error.message}.` };
  }
}

/**
 * Requests the latest deployment that counts, or else the live site. The answer proves that the
 * service can read the host's pages.
 */
async function findProof(
  deps: HostCheckDeps,
  hostInput: HostCheckInput,
  { pastDeployments }: ForgeCheck,
  signal: AbortSignal,
): Promise<HostProof | null> {
  const { settings } = hostInput;
  const finishedReports = pastDeployments.flatMap(({ commit, reports }) =>
    reports.flatMap(({ name, url, state, creator }) =>
      state === 'success' && url !== null && isCountedReport(settings, { name, creator, url })
        ? [{ commit, name, url }]
        : [],
    ),
  );
  const [newestReport] = finishedReports;
  const { liveUrl } = settings;
  if (!newestReport && liveUrl === null) return null;
  const proofTarget = newestReport ?? { commit: null, name: null, url: liveUrl! };
  return { ...proofTarget, ...(await readDeployedPage(deps, hostInput, proofTarget.url, signal)) };
}

function isCountedReport(
  { reporter, previewReports, liveReports, ...settings }: HostSettings,
  { name, creator, url }: { name: string; creator: string | null; url: string },
): boolean {
  const reportNames = [...previewReports, ...liveReports];
  return (
    isBelieved(settings, url) &&
    (reportNames.length === 0 || reportNames.includes(name)) &&
    (reporter === null || reporter === creator)
  );
}

async function readDeployedPage(
  { send }: HostCheckDeps,
  { settings, bypass }: HostCheckInput,
  url: string,
  signal: AbortSignal,
): Promise<Pick<HostProof, 'status' | 'title'>> {
  const headers = bypass && isBelieved(settings, url) ? { [bypass.header]: bypass.value } : {};
  try {
    const { status, body } = await send({ url, headers }, signal);
    return { status, title: htmlTitle(body.subarray(0, TITLE_BYTES).toString()) };
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof DomainError)) throw error;
    return { status: 0, title: null };
  }
}

/** Most characters of the title's tag and of the title that are read. */
const TITLE_MARKUP_LENGTH = 1_200;

/** Reads the first `title` element only: a page may have 30,000 tags that look like one. */
function htmlTitle(html: string): string | null {
  const start = html.search(/<title[\s>]/i);
  const markup = start < 0 ? '' : html.slice(start, start + TITLE_MARKUP_LENGTH);
  const title = /^<title[^>]*>([^<]*)/i.exec(markup)?.[1] ?? '';
  return shortLine(decodeHTML(title), TITLE_LENGTH_LIMIT) || null;
}

/** Removes secrets from all texts, because forges and pages may repeat what they were sent. */
function redactSecrets(
  hostCheck: HostAccessCheck,
  { credential, bypass }: HostCheckInput,
): HostAccessCheck {
  const redactors = [
    ...(credential.kind === 'github-app' ? [] : [createCredentialFilter(credential)]),
    ...(bypass
      ? [createCredentialFilter({ kind: 'token', username: bypass.header, token: bypass.value })]
      : []),
  ];
  const redactText = (text: string) =>
    redactors.reduce((redactedText, redact) => redact(redactedText), text);
  return JSON.parse(
    JSON.stringify(hostCheck, (_, value: unknown) =>
      typeof value === 'string' ? redactText(value) : value,
    ),
  ) as HostAccessCheck;
}
