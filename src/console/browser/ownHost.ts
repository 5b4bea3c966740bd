import type { SiteHost } from '../../contract/answers.ts';
import type { ForgeKind, OwnHost } from '../../contract/site.ts';

export type HostKind =
  | 'netlify'
  | 'vercel'
  | 'cloudflare'
  | 'github-pages'
  /** Any that reports to the forge. */
  | 'reports'
  /** Any whose previews follow a pattern. */
  | 'pattern';

/** How a task's commit gets to the production branch. */
export type Publishing = 'by-people' | 'automatic' | 'push';

/** A host as it is typed. An empty text stands for what the kind of host is known to have. */
export interface HostFields {
  /** `none`: this service serves the pages. */
  forge: ForgeKind | 'none';
  kind: HostKind;
  publishing: Publishing;
  /** Of the project at the host. */
  name: string;
  liveUrl: string;
  previewUrl: string;
  /** Texts between commas or spaces. */
  hosts: string;
  reporter: string;
  /** Texts between commas. */
  previewReports: string;
  bypassHeader: string;
  bypassValue: string;
  buildMinutes: string;
  hasPreviews: boolean;
  /** Empty: as before, or as the repository's address tells. */
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
  buildMinutes: '',
  hasPreviews: true,
  apiUrl: '',
};

export const forgeNames = { github: 'GitHub', gitea: 'Gitea', forgejo: 'Forgejo' } as const;

/** What a kind of host is known to have. It stands in the place of empty texts. */
export interface KnownHost {
  hosts: string[];
  previewUrl: string | null;
  liveUrl: string | null;
  reporter: string | null;
  liveReports: string[];
  bypassHeader: string;
}

type Known = Omit<KnownHost, 'hosts' | 'liveReports'> &
  Partial<Pick<KnownHost, 'hosts' | 'liveReports'>>;

const nothing: Known = { previewUrl: null, liveUrl: null, reporter: null, bypassHeader: '' };

/** By the documentation of the hosts, which docs/hosts.md tells of. */
const known: Record<HostKind, (fields: HostFields) => Known> = {
  netlify: ({ name, publishing }) => ({
    ...nothing,
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
    ...nothing,
    hosts: ['*.vercel.app'],
    reporter: 'vercel[bot]',
    bypassHeader: 'x-vercel-protection-bypass',
  }),
  cloudflare: ({ name }) => ({
    ...nothing,
    hosts: name ? [`*.${name}.pages.dev`, `${name}.pages.dev`] : [],
    previewUrl: name ? `https://{branch}.${name}.pages.dev` : null,
    liveUrl: name ? `https://${name}.pages.dev` : null,
  }),
  'github-pages': () => ({ ...nothing, liveReports: ['github-pages'] }),
  reports: () => nothing,
  pattern: () => nothing,
};

/** Kinds whose previews are found by the project's name there. */
export const hasName = (kind: HostKind): boolean => ['netlify', 'cloudflare'].includes(kind);

/** The kinds of hosts that build from a forge. The named ones build from GitHub. */
export const kindsAt = (forge: ForgeKind): HostKind[] =>
  forge === 'github'
    ? ['netlify', 'vercel', 'cloudflare', 'github-pages', 'reports', 'pattern']
    : ['reports', 'pattern'];

/** What stands in the place of empty texts. */
export function knownOf(fields: HostFields): KnownHost {
  const name = fields.name.trim().toLowerCase();
  const { hosts = [], liveReports = [], ...rest } = known[fields.kind]({ ...fields, name });
  const previewUrl = fields.previewUrl.trim() || rest.previewUrl;
  const named = [fields.liveUrl, previewUrl ?? ''].flatMap(hostIn);
  return { ...rest, liveReports, hosts: withHosts(hosts, named) };
}

/** Hosts, and those of a site's own addresses: who gives an address believes its host. */
const withHosts = (hosts: string[], named: string[]) => [
  ...new Set([...hosts, ...named.filter((host) => !hosts.some((each) => isCovered(host, each)))]),
];

const isCovered = (host: string, known: string) =>
  known.startsWith('*.') ? host.endsWith(known.slice(1)) : host === known;

/** The host of an address; of a pattern, with `*` in the place of its first part. */
function hostIn(address: string): string[] {
  const [, host = ''] = /^https?:\/\/([^/\s?#]+)/.exec(address.trim()) ?? [];
  if (!host.includes('{')) return host ? [host.toLowerCase()] : [];
  const [first = '', ...rest] = host.split('.');
  return first.includes('{') && rest.length > 1 ? [`*.${rest.join('.').toLowerCase()}`] : [];
}

const parts = (text: string, between: RegExp) =>
  text
    .split(between)
    .map((part) => part.trim())
    .filter(Boolean);

/** The host as the API takes it. Texts of a saved one that are empty now are taken away. */
export function ownHostOf(fields: HostFields, saved?: SiteHost): object | undefined {
  const { forge, publishing, liveUrl, previewUrl } = fields;
  if (forge === 'none') return saved?.type === 'own' ? { type: 'embedded' } : undefined;
  const defaults = knownOf(fields);
  const hosts = parts(fields.hosts, /[\s,]+/);
  const own = saved?.type === 'own' ? saved : undefined;
  return {
    type: 'own',
    forge,
    publish: publishing === 'push' ? 'push' : 'pull-request',
    ...(publishing !== 'push' && { merge: publishing }),
    hosts:
      hosts.length > 0 ? withHosts(hosts, [liveUrl, previewUrl].flatMap(hostIn)) : defaults.hosts,
    previewUrl: previewUrl.trim() || defaults.previewUrl,
    liveUrl: liveUrl.trim() || defaults.liveUrl,
    reporter: fields.reporter.trim() || defaults.reporter,
    previewReports: parts(fields.previewReports, /,/),
    liveReports: defaults.liveReports.length > 0 ? defaults.liveReports : (own?.liveReports ?? []),
    bypass: bypassOf(fields, defaults),
    ...(fields.buildMinutes.trim() && { buildMinutes: Number(fields.buildMinutes) }),
    ...(own && { publishWindow: own.publishWindow }),
    ...(own?.forge === forge && { project: own.project }),
    // GitHub Pages builds no branches
    hasPreviews: fields.kind !== 'github-pages' && fields.hasPreviews,
    ...(fields.apiUrl.trim() && { apiUrl: fields.apiUrl.trim() }),
  };
}

/** A header field without a value keeps the saved value, which is never shown. */
function bypassOf({ bypassHeader, bypassValue }: HostFields, defaults: KnownHost) {
  const typed = bypassHeader.trim();
  if (bypassValue) return { header: typed || defaults.bypassHeader, value: bypassValue };
  return typed ? { header: typed } : null;
}

/** Why a host can't be checked yet, in words. undefined: it can. */
export function missingIn(fields: HostFields): string | undefined {
  if (fields.forge === 'none') return undefined;
  const { hosts, kind, previewUrl, liveUrl, buildMinutes } = fields;
  if (hasName(kind) && !fields.name.trim() && !previewUrl.trim())
    return 'Name the project at the host.';
  if (kind === 'github-pages' && !liveUrl.trim()) return 'Give the live site’s address.';
  if (kind === 'pattern' && !previewUrl.trim()) return 'Give the address of previews.';
  if (!hosts.trim() && knownOf(fields).hosts.length === 0) return 'Give the live site’s address.';
  if (buildMinutes.trim() && !/^\d{1,3}$/.test(buildMinutes.trim()))
    return 'Give the time for builds in minutes.';
  return undefined;
}

/** A saved host as fields. All that is known of it stands in them. */
export function fieldsOf(saved: SiteHost): HostFields {
  if (saved.type === 'embedded') return noHost;
  return {
    ...noHost,
    forge: saved.forge,
    ...kindOf(saved),
    publishing: saved.publish === 'push' ? 'push' : saved.merge,
    liveUrl: saved.liveUrl ?? '',
    previewUrl: saved.previewUrl ?? '',
    hosts: saved.hosts.join(', '),
    reporter: saved.reporter ?? '',
    previewReports: saved.previewReports.join(', '),
    bypassHeader: saved.bypass?.header ?? '',
    buildMinutes: String(saved.buildMinutes),
    hasPreviews: saved.hasPreviews,
  };
}

const marks: [HostKind, RegExp][] = [
  ['vercel', /\.vercel\.app$/],
  ['netlify', /^([\w-]+)\.netlify\.app$/],
  ['cloudflare', /^([\w-]+)\.pages\.dev$/],
];

/** The kind of a saved host, and the project's name there, as its addresses tell. */
function kindOf({
  hosts,
  liveReports,
  previewUrl,
}: Pick<OwnHost, 'hosts' | 'liveReports' | 'previewUrl'>): Pick<HostFields, 'kind' | 'name'> {
  for (const [kind, mark] of marks)
    for (const host of hosts) {
      const [found, name = ''] = mark.exec(host) ?? [];
      if (found !== undefined) return { kind, name };
    }
  if (liveReports.includes('github-pages')) return { kind: 'github-pages', name: '' };
  return { kind: previewUrl === null ? 'reports' : 'pattern', name: '' };
}
