import { normalizeText } from '../../contract/normalizeText.ts';
import { decode } from '../pages/urls.ts';
import type { RequestTarget } from '../pages/servedPaths.ts';

/** A rule of a host's file that leads from one address, or from many, to another. */
interface Redirect {
  /** A path, whose segments may be placeholders: `/blog/:year/*`. */
  from: string;
  /** A path of the site, or an http address. May repeat what the placeholders stood for. */
  to: string;
  status: number;
  /** Whether it applies also where the site has a file. */
  isForced: boolean;
}

/** Where a request is led. */
export interface Led {
  status: number;
  /** ASCII; a path of the site, or an address on the host that the rule names. */
  location: string;
}

/** Finds the redirect of a request. */
export type FindRedirect = (target: RequestTarget) => Led | undefined;

/** A placeholder repeated in a rule could make a long answer of a short file. */
const LONGEST_LOCATION = 4_000;
/** A value of this length makes any location too long. */
const TOO_LONG = LONGEST_LOCATION + 1;

export interface PathSegment {
  /** What stands there; for a placeholder, its name. */
  text: string;
  kind: 'text' | 'one' | 'rest';
}

interface ExactRule extends Redirect {
  order: number;
  /** Decoded. */
  path: string;
}

/** A rule with placeholders. */
interface PatternRule extends Redirect {
  order: number;
  path: PathSegment[];
}

/** A rule that a request can be compared with. Threads hand these over. */
export type PreparedRule = ExactRule | PatternRule;

/** The redirects of a site. */
export interface SiteRedirects {
  /** Those that apply also where the site has a file. */
  forced: FindRedirect;
  all: FindRedirect;
  /** How many there are. */
  count: number;
}

/** @param rules of the site's `_redirects`, in their order */
export const siteRedirects = (rules: PreparedRule[]): SiteRedirects => ({
  forced: indexRedirects(rules.filter(({ isForced }) => isForced)),
  all: indexRedirects(rules),
  count: rules.length,
});

/**
 * Indexes rules. The first rule that matches wins, as at Netlify and Cloudflare Pages. A slash at
 * the end makes no difference.
 */
export function indexRedirects(rules: PreparedRule[]): FindRedirect {
  const exact = new Map<string, PreparedRule>();
  for (const rule of rules)
    if (typeof rule.path === 'string' && !exact.has(rule.path)) exact.set(rule.path, rule);
  const patterns = rules.filter((rule): rule is PatternRule => typeof rule.path !== 'string');
  return (target) => {
    const requested = namesIn(`/${target.path}`);
    const known = exact.get(requested.join('/'));
    const pattern = patterns.find((one) => isBefore(one, known) && matches(one, requested));
    return pattern
      ? follow(pattern, target, requested, valuesIn(pattern, requested))
      : known && follow(known, target, requested, new Map());
  };
}

const isBefore = (rule: PreparedRule, known: PreparedRule | undefined) =>
  known === undefined || rule.order < known.order;

/** The names in a decoded path. A slash at either end makes no difference. */
export function namesIn(path: string): string[] {
  const inner = normalizeText(path, 'NFC').replace(/^\//, '').replace(/\/$/, '');
  return inner === '' ? [] : inner.split('/');
}

function matches({ path: segments }: PatternRule, asked: string[]): boolean {
  const hasRest = segments.at(-1)?.kind === 'rest';
  const fixed = hasRest ? segments.slice(0, -1) : segments;
  if (hasRest ? asked.length < fixed.length : asked.length !== fixed.length) return false;
  return fixed.every(({ text, kind }, i) => kind === 'one' || text === asked[i]);
}

/** What the placeholders of a rule stand for, encoded for a URL, and cut where it is too long. */
function valuesIn({ path: segments }: PatternRule, asked: string[]): Map<string, string> {
  const values = new Map<string, string>();
  const keep = (name: string, value: string) => values.set(name, value.slice(0, TOO_LONG));
  segments.forEach(({ text, kind }, i) => {
    if (kind === 'one') keep(text, encodeURIComponent(asked[i]!));
    if (kind === 'rest') keep(text, asked.slice(i).map(encodeURIComponent).join('/'));
  });
  return values;
}

/**
 * The address to which a rule leads. What comes from the request never chooses the host: a path
 * stays on the site (`//evil.example` would not), and a host of another site stands in the file.
 */
function follow(
  rule: PreparedRule,
  { query }: RequestTarget,
  asked: string[],
  values: Map<string, string>,
): Led | undefined {
  const fill = (text: string) =>
    text.replaceAll(/:([a-z]\w*)/gi, (whole, name: string) => values.get(name) ?? whole);
  const [host] = /^(?:https?:\/\/[^/?#\\]*)?/i.exec(rule.to)!;
  if (fill(host) !== host) return undefined;
  const filled = fill(rule.to.slice(host.length));
  const base = host === '' ? SITE : host;
  if (filled.length > LONGEST_LOCATION || !URL.canParse(base)) return undefined;
  const { origin } = new URL(base);
  const path = filled.replace(/^[/\\]*/, '/');
  if (!URL.canParse(origin + path)) return undefined;
  const url = new URL(origin + path);
  if (url.search === '') url.search = query;
  const onSite = url.pathname.replace(/^\/+/, '/') + url.search + url.hash;
  const location = host === '' ? onSite : origin + onSite;
  if (location.length > LONGEST_LOCATION || isSame(host, url.pathname, asked)) return undefined;
  return { status: rule.status, location };
}

/** Stands for the site's own origin. */
const SITE = 'http://site.invalid';

/** Whether a rule leads to the address that was asked for, which would never end. */
const isSame = (host: string, path: string, asked: string[]) =>
  host === '' && namesIn(decode(path)).join('/') === asked.join('/');
