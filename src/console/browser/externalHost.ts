import type { SiteHost } from '../../contract/responses.ts';
import type { ForgeKind, ExternalHost, PageUrlRule } from '../../contract/site.ts';

/** The kinds of external hosts that the form offers. The API does not know them. */
export type HostKind =
  | 'netlify'
  | 'vercel'
  | 'cloudflare'
  | 'github-pages'
  | 'gitlab-pages'
  /** Another host that reports its builds to the forge. */
  | 'reports'
  /** Another host whose preview URLs follow a pattern. */
  | 'pattern';

/** How a task's commit gets to the production branch. */
export type PublishingMethod = 'by-people' | 'automatic' | 'push';

/** The fields of the form for an external host. An empty text stands for the host's default. */
export interface HostFields {
  /** `none`: this service serves the pages. */
  forge: ForgeKind | 'none';
  kind: HostKind;
  publishing: PublishingMethod;
  /** The project's name at the host, such as `acme` of `acme.netlify.app`. */
  name: string;
  liveUrl: string;
  previewUrl: string;
  /** Trusted hosts, separated by commas or spaces. */
  hosts: string;
  reporter: string;
  /** Names of reports, separated by commas. */
  previewReports: string;
  bypassHeader: string;
  bypassValue: string;
  /** Rules for the URLs of pages in Markdown, one a line: `src/content/blog = /blog/:slug`. */
  pageUrls: string;
  buildMinutes: string;
  hasPreviews: boolean;
  /** The URL of the forge's API. Empty: as before, or derived from the repository's URL. */
  apiUrl: string;
}

export const noHost: HostFields = {
  forge: 'none',
  kind: 'reports',
  publishing: 'by-people',
  name: '',
  liveUrl: '',
  previewUrl: '',
  hosts: '',
  reporter: '',
  previewReports: '',
  bypassHeader: '',
  bypassValue: '',
  pageUrls: '',
  buildMinutes: '',
  hasPreviews: true,
  apiUrl: '',
};

export const forgeNames = {
  github: 'GitHub',
  gitea: 'Gitea',
  forgejo: 'Forgejo',
  gitlab: 'GitLab',
} as const satisfies Record<ForgeKind, string>;

export const offeredForges = Object.keys(forgeNames) as ForgeKind[];

/** Whether a forge has GitHub Apps, whose credentials the API then accepts. */
export const hasGitHubApps = (forge: HostFields['forge']): boolean => forge === 'github';

/** The defaults of a kind of host, which replace empty fields. */
export interface HostDefaults {
  hosts: string[];
  previewUrl: string | null;
  liveUrl: string | null;
  reporter: string | null;
  liveReports: string[];
  bypassHeader: string;
}

type PartialHostDefaults = Omit<HostDefaults, 'hosts' | 'liveReports'> &
  Partial<Pick<HostDefaults, 'hosts' | 'liveReports'>>;

const noDefaults: PartialHostDefaults = {
  previewUrl: null,
  liveUrl: null,
  reporter: null,
  bypassHeader: '',
};

/** The kinds that publish the production branch only, with the names of their reports. */
const pagesReports = { 'github-pages': 'github-pages', 'gitlab-pages': 'pages:deploy' } as const;

/** Whether a kind of host builds no branches, so that there are no previews. */
export const isWithoutPreviews = (kind: HostKind): boolean => kind in pagesReports;

/** The defaults by kind of host, from the hosts' documentation (docs/hosts.md has the links). */
const defaultsByKind: Record<HostKind, (fields: HostFields) => PartialHostDefaults> = {
  netlify: ({ name, publishing }) => ({
    ...noDefaults,
    hosts: name ? ['*.netlify.app', `${name}.netlify.app`] : [],
    previewUrl: name
      ? publishing === 'push'
        ? `https://{branch}--${name}.netlify.app`
        : `https://deploy-preview-{pullRequest}--${name}.netlify.app`
      : null,
    liveUrl: name ? `https://${name}.netlify.app` : null,
    reporter: 'netlify[bot]',
  }),
  vercel: () => ({
    ...noDefaults,
    hosts: ['*.vercel.app'],
    reporter: 'vercel[bot]',
    bypassHeader: 'x-vercel-protection-bypass',
  }),
  cloudflare: ({ name }) => ({
    ...noDefaults,
    hosts: name ? [`*.${name}.pages.dev`, `${name}.pages.dev`] : [],
    previewUrl: name ? `https://{branch}.${name}.pages.dev` : null,
    liveUrl: name ? `https://${name}.pages.dev` : null,
  }),
  'github-pages': () => ({ ...noDefaults, liveReports: [pagesReports['github-pages']] }),
  'gitlab-pages': () => ({ ...noDefaults, liveReports: [pagesReports['gitlab-pages']] }),
  reports: () => noDefaults,
  pattern: () => noDefaults,
};

/** Whether the URLs of previews follow from the project's name at this kind of host. */
export const hasProjectName = (kind: HostKind): boolean => ['netlify', 'cloudflare'].includes(kind);

/** The kinds of hosts that build from a forge. */
export const kindsAt = (forge: ForgeKind): HostKind[] => [
  ...(companyKinds[forge] ?? []),
  'reports',
  'pattern',
];

/** The kind that most teams have who build from a forge: the first one that has previews. */
export const firstKindAt = (forge: ForgeKind): HostKind =>
  kindsAt(forge).find((kind) => !isWithoutPreviews(kind))!;

/** The products whose settings are known if they build from a forge. */
const companyKinds: Partial<Record<ForgeKind, HostKind[]>> = {
  github: ['netlify', 'vercel', 'cloudflare', 'github-pages'],
  gitlab: ['gitlab-pages'],
};

/** The defaults for a form, given what has been typed so far. */
export function defaultsOfHost(fields: HostFields): HostDefaults {
  const name = fields.name.trim().toLowerCase();
  const {
    hosts = [],
    liveReports = [],
    ...otherDefaults
  } = defaultsByKind[fields.kind]({ ...fields, name });
  const previewUrl = fields.previewUrl.trim() || otherDefaults.previewUrl;
  const namedHosts = [fields.liveUrl, previewUrl ?? ''].flatMap(hostInAddress);
  return { ...otherDefaults, liveReports, hosts: mergeHosts(hosts, namedHosts) };
}

/** Adds the hosts of typed URLs to trusted ones. Whoever types a URL trusts its host. */
const mergeHosts = (hosts: string[], namedHosts: string[]) => [
  ...new Set([
    ...hosts,
    ...namedHosts.filter((host) => !hosts.some((knownHost) => isCovered(host, knownHost))),
  ]),
];

const isCovered = (host: string, defaultHost: string) =>
  defaultHost.startsWith('*.') ? host.endsWith(defaultHost.slice(1)) : host === defaultHost;

/** The host of a URL. For `https://{branch}.acme.example`, it is `*.acme.example`. */
function hostInAddress(address: string): string[] {
  const [, host = ''] = /^https?:\/\/([^/\s?#]+)/.exec(address.trim()) ?? [];
  if (!host.includes('{')) return host ? [host.toLowerCase()] : [];
  const [firstLabel = '', ...otherLabels] = host.split('.');
  return firstLabel.includes('{') && otherLabels.length > 1
    ? [`*.${otherLabels.join('.').toLowerCase()}`]
    : [];
}

const splitTexts = (text: string, separator: RegExp) =>
  text
    .split(separator)
    .map((textPart) => textPart.trim())
    .filter(Boolean);

/**
 * The host as the API expects it. A field that is empty now loses its saved value.
 * @returns undefined if this service serves the site, as before
 */
export function externalHostBody(fields: HostFields, savedHost?: SiteHost): object | undefined {
  const { forge, publishing, liveUrl, previewUrl } = fields;
  if (forge === 'none') return savedHost?.type === 'own' ? { type: 'embedded' } : undefined;
  const defaults = defaultsOfHost(fields);
  const hosts = splitTexts(fields.hosts, /[\s,]+/);
  const savedExternalHost = savedHost?.type === 'own' ? savedHost : undefined;
  return {
    type: 'own',
    forge,
    publish: publishing === 'push' ? 'push' : 'pull-request',
    ...(publishing !== 'push' && { merge: publishing }),
    hosts:
      hosts.length > 0
        ? mergeHosts(hosts, [liveUrl, previewUrl].flatMap(hostInAddress))
        : defaults.hosts,
    previewUrl: previewUrl.trim() || defaults.previewUrl,
    liveUrl: liveUrl.trim() || defaults.liveUrl,
    reporter: fields.reporter.trim() || defaults.reporter,
    previewReports: splitTexts(fields.previewReports, /,/),
    liveReports:
      defaults.liveReports.length > 0
        ? defaults.liveReports
        : (savedExternalHost?.liveReports ?? []),
    bypass: bypassBody(fields, defaults),
    pageUrls: splitTexts(fields.pageUrls, /\n/).map(readUrlRule),
    ...(fields.buildMinutes.trim() && { buildMinutes: Number(fields.buildMinutes) }),
    ...(savedExternalHost && { publishWindow: savedExternalHost.publishWindow }),
    ...(savedExternalHost?.forge === forge && { project: savedExternalHost.project }),
    hasPreviews: !isWithoutPreviews(fields.kind) && fields.hasPreviews,
    ...(fields.apiUrl.trim() && { apiUrl: fields.apiUrl.trim() }),
  };
}

/** A rule as a line of the form: `src/content/blog = /blog/:slug`. */
export const writeUrlRule = ({ folder, pattern }: PageUrlRule): string => `${folder} = ${pattern}`;

const isUrlRule = (line: string) => line.includes('=') && /^\S+$/.test(readUrlRule(line).pattern);

function readUrlRule(line: string): PageUrlRule {
  const position = line.lastIndexOf('=');
  return { folder: line.slice(0, position).trim(), pattern: line.slice(position + 1).trim() };
}

/** A header field without a value keeps the saved value, which is never shown. */
function bypassBody({ bypassHeader, bypassValue }: HostFields, defaults: HostDefaults) {
  const typedHeader = bypassHeader.trim();
  if (bypassValue) return { header: typedHeader || defaults.bypassHeader, value: bypassValue };
  return typedHeader ? { header: typedHeader } : null;
}

/** What a person must still type before the host can be checked. undefined: nothing. */
export function missingHostField(fields: HostFields): string | undefined {
  if (fields.forge === 'none') return undefined;
  const { hosts, kind, previewUrl, liveUrl, buildMinutes } = fields;
  if (hasProjectName(kind) && !fields.name.trim() && !previewUrl.trim())
    return 'Enter the name of the project at the host.';
  if (isWithoutPreviews(kind) && !liveUrl.trim()) return 'Enter the URL of the live site.';
  if (kind === 'pattern' && !previewUrl.trim()) return 'Enter the URL of previews.';
  if (!hosts.trim() && defaultsOfHost(fields).hosts.length === 0)
    return 'Enter the URL of the live site.';
  if (splitTexts(fields.pageUrls, /\n/).some((line) => !isUrlRule(line)))
    return 'Enter each rule for URLs as a folder and a pattern, such as src/content/blog = /blog/:slug.';
  if (buildMinutes.trim() && !/^\d{1,3}$/.test(buildMinutes.trim()))
    return 'Enter the minutes to wait for a build as a whole number.';
  return undefined;
}

/** The fields for a saved host, with all its settings. */
export function savedHostFields(savedHost: SiteHost): HostFields {
  if (savedHost.type === 'embedded') return noHost;
  return {
    ...noHost,
    forge: savedHost.forge,
    ...savedHostKind(savedHost),
    publishing: savedHost.publish === 'push' ? 'push' : savedHost.merge,
    liveUrl: savedHost.liveUrl ?? '',
    previewUrl: savedHost.previewUrl ?? '',
    hosts: savedHost.hosts.join(', '),
    reporter: savedHost.reporter ?? '',
    previewReports: savedHost.previewReports.join(', '),
    bypassHeader: savedHost.bypass?.header ?? '',
    pageUrls: savedHost.pageUrls.map(writeUrlRule).join('\n'),
    buildMinutes: String(savedHost.buildMinutes),
    hasPreviews: savedHost.hasPreviews,
  };
}

const hostPatterns: [HostKind, RegExp][] = [
  ['vercel', /\.vercel\.app$/],
  ['netlify', /^([\w-]+)\.netlify\.app$/],
  ['cloudflare', /^([\w-]+)\.pages\.dev$/],
];

/** The kind of a saved host, and the project's name there, derived from its trusted hosts. */
function savedHostKind({
  hosts,
  liveReports,
  previewUrl,
}: Pick<ExternalHost, 'hosts' | 'liveReports' | 'previewUrl'>): Pick<HostFields, 'kind' | 'name'> {
  for (const [kind, hostPattern] of hostPatterns)
    for (const host of hosts) {
      const [matchedHost, name = ''] = hostPattern.exec(host) ?? [];
      if (matchedHost !== undefined) return { kind, name };
    }
  for (const kind of ['github-pages', 'gitlab-pages'] as const)
    if (liveReports.includes(pagesReports[kind])) return { kind, name: '' };
  return { kind: previewUrl === null ? 'reports' : 'pattern', name: '' };
}
