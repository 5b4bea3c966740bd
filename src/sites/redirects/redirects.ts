import { normalizeText } from '../../contract/normalizeText.ts';
import { decodeUrlPart } from '../pages/urls/urls.ts';
import type { RequestTarget } from '../pages/urls/servedPaths.ts';
import { parseUrl } from '../../contract/text/parseUrl.ts';

/*
 * Redirects of a site, from the file `_redirects` at its root, as Netlify and Cloudflare Pages read
 * it: `/blog/:year/* /news/:splat 301` redirects `/blog/2024/a` to `/news/a`.
 *
 * - this file: finds the redirect of a visitor's request
 * - `readRedirects.ts` and `redirectLines.ts`: parse the file
 * - `planRedirects.ts`, `editRedirects.ts`, `editRedirectLines.ts`: add the redirects of pages that
 *   a task moved or deleted
 * - `mergeRedirects.ts`: merges a task's redirects with those that others added meanwhile
 */

/** A rule that redirects one URL path, or many, to another. */
interface RedirectRule {
  /** A path, whose segments may be placeholders: `/blog/:year/*`. */
  from: string;
  /** A path of the site, or a web URL. May contain the values of placeholders: `/news/:splat`. */
  to: string;
  status: number;
  /** Whether it also applies if the site has a file at this path. */
  isForced: boolean;
}

/** Where a request is redirected to. */
export interface RedirectLocation {
  status: number;
  /** A path of the site, or a URL on the host that the rule names. In ASCII. */
  location: string;
}

/** Finds the redirect of a request. */
export type RedirectFinder = (target: RequestTarget) => RedirectLocation | undefined;

/** Most characters of a location: a repeated placeholder could make it very long. */
const MAX_LOCATION_LENGTH = 4_000;
/** A value of this length makes any location too long. */
const TOO_LONG = MAX_LOCATION_LENGTH + 1;

export interface PathSegment {
  /** The decoded name in the path; for a placeholder (`one`, `rest`), the placeholder's name. */
  text: string;
  kind: 'text' | 'one' | 'rest';
}

interface ExactRule extends RedirectRule {
  order: number;
  /** Decoded. */
  path: string;
}

/** A rule with placeholders. */
interface PatternRule extends RedirectRule {
  order: number;
  path: PathSegment[];
}

/** A rule that a request can be compared with. Worker threads parse rules and return these. */
export type PreparedRule = ExactRule | PatternRule;

/** The redirects of a site. */
export interface SiteRedirects {
  /** Finds only redirects that also apply if the site has a file at the path. */
  forced: RedirectFinder;
  all: RedirectFinder;
  /** The number of rules. */
  count: number;
}

/** @param rules of the site's `_redirects`, in their order */
export const createSiteRedirects = (rules: PreparedRule[]): SiteRedirects => ({
  forced: indexRedirects(rules.filter(({ isForced }) => isForced)),
  all: indexRedirects(rules),
  count: rules.length,
});

/**
 * Indexes rules. The first rule that matches wins, as at Netlify and Cloudflare Pages. A slash at
 * the end makes no difference.
 */
export function indexRedirects(rules: PreparedRule[]): RedirectFinder {
  const exactRules = new Map<string, PreparedRule>();
  for (const rule of rules)
    if (typeof rule.path === 'string' && !exactRules.has(rule.path))
      exactRules.set(rule.path, rule);
  const patterns = rules.filter((rule): rule is PatternRule => typeof rule.path !== 'string');
  return (target) => {
    const requestedNames = pathNames(`/${target.path}`);
    const exactRule = exactRules.get(requestedNames.join('/'));
    const pattern = patterns.find(
      (candidate) =>
        isBeforeRule(candidate, exactRule) && matchesPattern(candidate, requestedNames),
    );
    return pattern
      ? buildLocation(pattern, target, requestedNames, placeholderValues(pattern, requestedNames))
      : exactRule && buildLocation(exactRule, target, requestedNames, new Map());
  };
}

const isBeforeRule = (rule: PreparedRule, otherRule: PreparedRule | undefined) =>
  otherRule === undefined || rule.order < otherRule.order;

/** The names in a decoded path. A slash at either end makes no difference. */
export function pathNames(path: string): string[] {
  const trimmed = normalizeText(path, 'NFC').replace(/^\//, '').replace(/\/$/, '');
  return trimmed === '' ? [] : trimmed.split('/');
}

function matchesPattern({ path: segments }: PatternRule, requestedNames: string[]): boolean {
  const hasRest = segments.at(-1)?.kind === 'rest';
  const fixedSegments = hasRest ? segments.slice(0, -1) : segments;
  if (
    hasRest
      ? requestedNames.length < fixedSegments.length
      : requestedNames.length !== fixedSegments.length
  )
    return false;
  return fixedSegments.every(({ text, kind }, i) => kind === 'one' || text === requestedNames[i]);
}

/** The values of a rule's placeholders, encoded for a URL, and cut if they are too long. */
function placeholderValues(
  { path: segments }: PatternRule,
  requestedNames: string[],
): Map<string, string> {
  const values = new Map<string, string>();
  const setValue = (name: string, value: string) => values.set(name, value.slice(0, TOO_LONG));
  segments.forEach(({ text, kind }, i) => {
    if (kind === 'one') setValue(text, encodeURIComponent(requestedNames[i]!));
    if (kind === 'rest') setValue(text, requestedNames.slice(i).map(encodeURIComponent).join('/'));
  });
  return values;
}

/**
 * The location to which a rule leads. The request never chooses its host: a path stays on the site,
 * even if it begins like `//evil.example`, and another host must be in the rule itself.
 */
function buildLocation(
  rule: PreparedRule,
  { query }: RequestTarget,
  requestedNames: string[],
  values: Map<string, string>,
): RedirectLocation | undefined {
  const fillPlaceholders = (text: string) =>
    text.replaceAll(
      /:([a-z]\w*)/gi,
      (placeholder, name: string) => values.get(name) ?? placeholder,
    );
  const [host] = /^(?:https?:\/\/[^/?#\\]*)?/i.exec(rule.to)!;
  if (fillPlaceholders(host) !== host) return undefined;
  const filledTarget = fillPlaceholders(rule.to.slice(host.length));
  const baseUrl = host === '' ? SITE : host;
  const origin = parseUrl(baseUrl)?.origin;
  if (filledTarget.length > MAX_LOCATION_LENGTH || origin === undefined) return undefined;
  const path = filledTarget.replace(/^[/\\]*/, '/');
  const url = parseUrl(origin + path);
  if (url === null) return undefined;
  if (url.search === '') url.search = query;
  const sitePath = url.pathname.replace(/^\/+/, '/') + url.search + url.hash;
  const location = host === '' ? sitePath : origin + sitePath;
  if (location.length > MAX_LOCATION_LENGTH || leadsToItself(host, url.pathname, requestedNames))
    return undefined;
  return { status: rule.status, location };
}

/** Stands for the site's own origin. */
const SITE = 'http://site.invalid';

/** Whether a rule leads to the requested path itself, which would never end. */
const leadsToItself = (host: string, path: string, requestedNames: string[]) =>
  host === '' && pathNames(decodeUrlPart(path)).join('/') === requestedNames.join('/');
