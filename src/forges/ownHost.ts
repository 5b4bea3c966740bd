import { defined } from '../contract/defined.ts';
import type { OwnHost } from '../contract/site.ts';
import { withoutEnd } from '../contract/text.ts';
import { DomainError } from '../errors.ts';
import {
  type AddressRules,
  areShared,
  readBelievedHost,
  templateProblem,
} from './believedHosts.ts';
import { type ForgePlace, isHostOfForge, placeOf, projectForm } from './placeOf.ts';

/** A team's own host, as a request gives it. Absent fields stay as the site has them. */
export type GivenOwnHost = Partial<Omit<OwnHost, 'bypass' | 'webhook'>> & {
  /** Without `value`: the present one. null: previews are open. */
  bypass?: { header: string; value?: string } | null;
};

/** Settings of a host, with nothing of its credentials. */
export type HostSettings = Omit<OwnHost, 'bypass' | 'webhook'>;

export interface ReadOwnHost {
  settings: HostSettings;
  /** Without `value`: the one that is stored. */
  bypass: { header: string; value?: string } | null;
}

export interface HostSource extends AddressRules {
  repositoryUrl: string;
  /** The site's present host, and the address of its repository then. */
  known?: { host: OwnHost; repositoryUrl: string } | undefined;
}

const defaults = {
  merge: 'by-people',
  previewReports: [],
  liveReports: [],
  reporter: null,
  previewUrl: null,
  liveUrl: null,
  buildMinutes: 10,
  hasPreviews: true,
  publishWindow: 20,
} as const;

/**
 * Reads a team's own host from a request whose fields have the right types.
 * @throws DomainError INVALID_INPUT that names every wrong field, and what was expected
 */
export function readOwnHost(given: GivenOwnHost, source: HostSource): ReadOwnHost {
  const { known } = source;
  const merged = { ...defaults, ...known?.host, ...defined(given) };
  const { forge, publish, hosts } = merged;
  const problems = missing({ forge, publish, hosts });
  if (!forge || !publish || !hosts) throw wrong(problems);
  const read = hosts.map((host) => readBelievedHost(host, source));
  const place = placeFor({ ...merged, forge }, given, source);
  const settings: HostSettings = {
    ...place,
    forge,
    publish,
    merge: merged.merge,
    hosts: [...new Set(read.flatMap((host) => ('host' in host ? [host.host] : [])))],
    previewReports: [...merged.previewReports],
    liveReports: [...merged.liveReports],
    reporter: merged.reporter,
    previewUrl: merged.previewUrl,
    liveUrl: merged.liveUrl,
    buildMinutes: merged.buildMinutes,
    hasPreviews: merged.hasPreviews,
    publishWindow: merged.publishWindow,
  };
  problems.push(
    ...read.flatMap((host, at) => ('problem' in host ? [`host.hosts[${at}] ${host.problem}`] : [])),
    ...placeProblems(settings, source),
    ...addressProblems(settings, source),
  );
  const bypass = bypassFor(given.bypass, known?.host);
  problems.push(...bypassProblems(bypass, settings, known?.host));
  if (problems.length > 0) throw wrong(problems);
  return { settings, bypass };
}

const missing = (fields: Record<string, unknown>): string[] =>
  Object.entries(fields).flatMap(([name, value]) =>
    value === undefined ? [`host.${name} is required`] : [],
  );

const wrong = (problems: string[]) =>
  new DomainError('INVALID_INPUT', `Invalid request body: ${problems.join('; ')}`);

/** Where the forge's API is: as given, as before, or as the repository's address tells. */
function placeFor(
  merged: Partial<ForgePlace> & Pick<ForgePlace, 'forge'>,
  given: GivenOwnHost,
  { repositoryUrl, known }: HostSource,
): Pick<ForgePlace, 'apiUrl' | 'project'> {
  const told = placeOf(repositoryUrl, merged.forge);
  const isSame = known?.repositoryUrl === repositoryUrl && known.host.forge === merged.forge;
  const kept = isSame ? known.host : undefined;
  return {
    apiUrl: withoutEnd(given.apiUrl ?? kept?.apiUrl ?? told.apiUrl ?? '', '/'),
    project: given.project ?? kept?.project ?? told.project ?? '',
  };
}

function placeProblems(
  { apiUrl, project }: ForgePlace,
  { repositoryUrl, checkUrl }: HostSource,
): string[] {
  if (!repositoryUrl.startsWith('https:'))
    return ['host.type own needs a repository with an https address, and a token or a GitHub App'];
  const problems: string[] = [];
  if (project === '')
    problems.push("host.project is required: the repository's address names no owner/name");
  else if (!projectForm.test(project))
    problems.push('host.project must be owner/name, as the forge spells it');
  if (apiUrl === '')
    problems.push("host.apiUrl is required: the repository's address does not tell it");
  else problems.push(...apiProblems(apiUrl, { repositoryUrl, checkUrl }));
  return problems;
}

function apiProblems(
  apiUrl: string,
  { repositoryUrl, checkUrl }: Pick<HostSource, 'repositoryUrl' | 'checkUrl'>,
): string[] {
  let url: URL;
  try {
    url = checkUrl(apiUrl);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return [`host.apiUrl must be an https URL: ${error.reason ?? 'it is none'}`];
  }
  if (/[?#]/.test(apiUrl)) return ['host.apiUrl must have no query and no fragment'];
  const { hostname } = new URL(repositoryUrl);
  return isHostOfForge(url.hostname, repositoryUrl)
    ? []
    : [`host.apiUrl must be at the repository's host: ${hostname} or api.${hostname}`];
}

function addressProblems(settings: HostSettings, rules: AddressRules): string[] {
  const { previewUrl, liveUrl, publish, hosts } = settings;
  const isPull = publish === 'pull-request';
  const previews = previewUrl?.includes('{pullRequest}') && !isPull;
  const problems = [
    previews && 'host.previewUrl must not use {pullRequest} where host.publish is push',
    previewUrl !== null &&
      !previews &&
      named(
        'previewUrl',
        templateProblem(previewUrl, {
          ...rules,
          hosts,
          placeholders: isPull ? ['{branch}', '{pullRequest}'] : ['{branch}'],
        }),
      ),
    liveUrl !== null &&
      named('liveUrl', templateProblem(liveUrl, { ...rules, hosts, placeholders: [] })),
  ];
  return problems.filter((problem) => typeof problem === 'string');
}

const named = (field: string, problem: string | undefined) =>
  problem !== undefined && `host.${field} ${problem}`;

function bypassFor(
  given: GivenOwnHost['bypass'],
  known: OwnHost | undefined,
): ReadOwnHost['bypass'] {
  if (given === undefined) return known?.bypass ? { header: known.bypass.header } : null;
  return given && { ...given, header: given.header.toLowerCase() };
}

/** Header fields that say who asks, or how the request is sent. */
const reserved =
  /^(authorization|cookie|cookie2|host|connection|content-.*|transfer-encoding|te|trailer|upgrade|keep-alive|expect|forwarded|proxy-.*|sec-.*|user-agent)$/;

function bypassProblems(
  bypass: ReadOwnHost['bypass'],
  { hosts, reporter, previewUrl }: HostSettings,
  known: OwnHost | undefined,
): string[] {
  if (!bypass) return [];
  const problems: string[] = [];
  if (!/^[!#$%&'*+.^_`|~0-9a-z-]+$/.test(bypass.header) || reserved.test(bypass.header))
    problems.push(
      'host.bypass.header must be the name of a header field, and not Authorization, Cookie or Host',
    );
  const isNew = known?.bypass?.header !== bypass.header;
  const others = hosts.filter((host) => !known?.hosts.includes(host));
  if (bypass.value === undefined && isNew) problems.push('host.bypass.value is required');
  else if (bypass.value === undefined && others.length > 0)
    problems.push(`host.bypass.value is required: it would go to a new host, ${others[0]}`);
  if (areShared(hosts) && reporter === null && previewUrl === null)
    problems.push(
      'host.reporter is required with host.bypass where anybody can have an address at host.hosts: name the login that reports',
    );
  return problems;
}
