import { withoutUndefined } from '../contract/withoutUndefined.ts';
import type { ExternalHost, PageUrlRule } from '../contract/site.ts';
import { trimEndCharacters } from '../contract/text/summaries.ts';
import { DomainError } from '../errors.ts';
import { type AddressRules, areShared, readBelievedHost, templateProblem } from './trustedHosts.ts';
import {
  type ForgeLocation,
  isHostOfForge,
  forgeLocationOf,
  projectProblem,
} from './forgeLocation.ts';

/** The external host of a site, as a request gives it. Absent fields stay as the site has them. */
export type ExternalHostInput = Partial<Omit<ExternalHost, 'bypass' | 'webhook'>> & {
  /** The header that opens protected previews. Without `value`: the stored one. null: none. */
  bypass?: { header: string; value?: string } | null;
};

/** The settings of an external host without its secrets. */
export type HostSettings = Omit<ExternalHost, 'bypass' | 'webhook'>;

/** The settings of an external host that a request asks for, before storeHost.ts stores them. */
export interface ParsedExternalHost {
  settings: HostSettings;
  /** Without `value`: the stored one. */
  bypass: { header: string; value?: string } | null;
}

/** What the settings of an external host are checked against. */
export interface HostSource extends AddressRules {
  repositoryUrl: string;
  /** The external host that the site has now, and the URL of its repository until now. */
  known?: { host: ExternalHost; repositoryUrl: string } | undefined;
}

const hostDefaults = {
  merge: 'by-people',
  previewReports: [],
  liveReports: [],
  reporter: null,
  previewUrl: null,
  liveUrl: null,
  pageUrls: [],
  buildMinutes: 10,
  hasPreviews: true,
  publishWindow: 20,
} as const;

/**
 * Reads the settings of an external host from a request whose fields have the right types. Adds the
 * settings that the site has already, the defaults, and what follows from the repository's URL:
 * `{ forge: 'github', publish: 'push', hosts: ['*.netlify.app'] }` → all settings, with `apiUrl`
 * `https://api.github.com` and `project` `team/site`.
 * @throws DomainError INVALID_INPUT that names every wrong field, and what was expected
 */
export function parseExternalHost(
  hostInput: ExternalHostInput,
  source: HostSource,
): ParsedExternalHost {
  const { known } = source;
  const mergedInput = { ...hostDefaults, ...known?.host, ...withoutUndefined(hostInput) };
  const { forge, publish, hosts } = mergedInput;
  const problems = missingFields({ forge, publish, hosts });
  if (!forge || !publish || !hosts) throw invalidHostRequest(problems);
  const readHosts = hosts.map((host) => readBelievedHost(host, source));
  const forgeLocation = resolveForgeLocation({ ...mergedInput, forge }, hostInput, source);
  const settings: HostSettings = {
    ...forgeLocation,
    forge,
    publish,
    merge: mergedInput.merge,
    hosts: [...new Set(readHosts.flatMap((host) => ('host' in host ? [host.host] : [])))],
    previewReports: [...mergedInput.previewReports],
    liveReports: [...mergedInput.liveReports],
    reporter: mergedInput.reporter,
    previewUrl: mergedInput.previewUrl,
    liveUrl: mergedInput.liveUrl,
    pageUrls: mergedInput.pageUrls.map(cleanUrlRule),
    buildMinutes: mergedInput.buildMinutes,
    hasPreviews: mergedInput.hasPreviews,
    publishWindow: mergedInput.publishWindow,
  };
  problems.push(
    ...readHosts.flatMap((host, index) =>
      'problem' in host ? [`host.hosts[${index}] ${host.problem}`] : [],
    ),
    ...forgeLocationProblems(settings, source),
    ...hostUrlProblems(settings, source),
  );
  const bypass = resolveBypass(hostInput.bypass, known?.host);
  problems.push(...bypassProblems(bypass, settings, known?.host));
  if (problems.length > 0) throw invalidHostRequest(problems);
  return { settings, bypass };
}

/** The folder without slashes at its ends, and the pattern with a slash at its start. */
const cleanUrlRule = ({ folder, pattern }: PageUrlRule): PageUrlRule => ({
  folder: trimEndCharacters(folder.trim().replace(/^[./]+/, ''), '/'),
  pattern: `/${pattern.trim().replace(/^\/+/, '')}`,
});

const missingFields = (fields: Record<string, unknown>): string[] =>
  Object.entries(fields).flatMap(([name, value]) =>
    value === undefined ? [`host.${name} is required`] : [],
  );

const invalidHostRequest = (problems: string[]) =>
  new DomainError('INVALID_INPUT', `Invalid request body: ${problems.join('; ')}`);

/** The forge's API and project: from the request, as before, or from the repository's URL. */
function resolveForgeLocation(
  mergedInput: Partial<ForgeLocation> & Pick<ForgeLocation, 'forge'>,
  hostInput: ExternalHostInput,
  { repositoryUrl, known }: HostSource,
): Pick<ForgeLocation, 'apiUrl' | 'project'> {
  const isSame = known?.repositoryUrl === repositoryUrl && known.host.forge === mergedInput.forge;
  const knownPlace = isSame ? known.host : undefined;
  const givenApiUrl = hostInput.apiUrl ?? knownPlace?.apiUrl;
  const apiUrl = givenApiUrl && trimEndCharacters(givenApiUrl, '/');
  const placeFromUrl = forgeLocationOf(repositoryUrl, mergedInput.forge, apiUrl);
  return {
    apiUrl: apiUrl ?? placeFromUrl.apiUrl ?? '',
    project: hostInput.project ?? knownPlace?.project ?? placeFromUrl.project ?? '',
  };
}

function forgeLocationProblems(
  { forge, apiUrl, project }: ForgeLocation,
  { repositoryUrl, checkUrl }: HostSource,
): string[] {
  if (!repositoryUrl.startsWith('https:'))
    return ['host.type own requires a repository with an https URL, and a token or a GitHub App'];
  const problems: string[] = [];
  const wrongProject = projectProblem(forge, project);
  if (wrongProject !== undefined) problems.push(`host.project ${wrongProject}`);
  if (apiUrl === '')
    problems.push(
      'host.apiUrl is required, because it does not follow from the URL of the repository',
    );
  else problems.push(...apiUrlProblems(apiUrl, { repositoryUrl, checkUrl }));
  return problems;
}

function apiUrlProblems(
  apiUrl: string,
  { repositoryUrl, checkUrl }: Pick<HostSource, 'repositoryUrl' | 'checkUrl'>,
): string[] {
  let url: URL;
  try {
    url = checkUrl(apiUrl);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return [`host.apiUrl must be an https URL: ${error.reason ?? 'it is not a URL'}`];
  }
  if (/[?#]/.test(apiUrl)) return ['host.apiUrl must have no query and no fragment'];
  const { hostname } = new URL(repositoryUrl);
  return isHostOfForge(url.hostname, repositoryUrl)
    ? []
    : [`host.apiUrl must be on the host of the repository: ${hostname} or api.${hostname}`];
}

function hostUrlProblems(settings: HostSettings, rules: AddressRules): string[] {
  const { previewUrl, liveUrl, publish, hosts } = settings;
  const isPull = publish === 'pull-request';
  const isWrongPreview = previewUrl?.includes('{pullRequest}') && !isPull;
  const problems = [
    isWrongPreview && 'host.previewUrl must not use {pullRequest} if host.publish is push',
    previewUrl !== null &&
      !isWrongPreview &&
      fieldProblem(
        'previewUrl',
        templateProblem(previewUrl, {
          ...rules,
          hosts,
          placeholders: isPull ? ['{branch}', '{pullRequest}'] : ['{branch}'],
        }),
      ),
    liveUrl !== null &&
      fieldProblem('liveUrl', templateProblem(liveUrl, { ...rules, hosts, placeholders: [] })),
  ];
  return problems.filter((problem) => typeof problem === 'string');
}

const fieldProblem = (field: string, problem: string | undefined) =>
  problem !== undefined && `host.${field} ${problem}`;

function resolveBypass(
  hostInput: ExternalHostInput['bypass'],
  knownHost: ExternalHost | undefined,
): ParsedExternalHost['bypass'] {
  if (hostInput === undefined)
    return knownHost?.bypass ? { header: knownHost.bypass.header } : null;
  return hostInput && { ...hostInput, header: hostInput.header.toLowerCase() };
}

/** Header fields that a bypass must not replace: who asks, and how the request is sent. */
const reservedHeaders =
  /^(authorization|cookie|cookie2|host|connection|content-.*|transfer-encoding|te|trailer|upgrade|keep-alive|expect|forwarded|proxy-.*|sec-.*|user-agent)$/;

function bypassProblems(
  bypass: ParsedExternalHost['bypass'],
  { hosts, reporter, previewUrl }: HostSettings,
  knownHost: ExternalHost | undefined,
): string[] {
  if (!bypass) return [];
  const problems: string[] = [];
  if (!/^[!#$%&'*+.^_`|~0-9a-z-]+$/.test(bypass.header) || reservedHeaders.test(bypass.header))
    problems.push(
      'host.bypass.header must be the name of a header field other than Authorization, Cookie and Host',
    );
  const isNew = knownHost?.bypass?.header !== bypass.header;
  const newHosts = hosts.filter((host) => !knownHost?.hosts.includes(host));
  if (bypass.value === undefined && (isNew || newHosts.length > 0))
    problems.push(missingSecretProblem(isNew ? undefined : newHosts[0]));
  if (areShared(hosts) && reporter === null && previewUrl === null)
    problems.push(
      'host.reporter is required with host.bypass if anybody can register a name under host.hosts: set it to the login that reports the builds',
    );
  return problems;
}

/** @param newHost the host to which the stored secret would be sent, if there is one */
export const missingSecretProblem = (newHost?: string) =>
  newHost === undefined
    ? 'host.bypass.value is required'
    : `host.bypass.value is required, because it would be sent to a new host, ${newHost}`;
