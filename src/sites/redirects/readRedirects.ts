import { decodeUrlPart } from '../pages/urls/urls.ts';
import { readRedirectLine } from './redirectLines.ts';
import { pathNames, type PathSegment, type PreparedRule } from './redirects.ts';

/** Most rules of a site. A request is compared with each rule that has placeholders (patterns). */
const MAX_RULES = 10_000;
const MAX_PATTERNS = 1_000;
/** Most segments of a rule with placeholders. */
const MAX_SEGMENTS = 32;

const redirectStatuses = new Set([301, 302, 303, 307, 308]);

/**
 * Reads the rules of a `_redirects` file that apply to every visitor, in their order:
 * `/old /new 301` → `{ from: '/old', to: '/new', status: 301, … }`. Skips rules that are not
 * redirects of this site's paths, such as rewrites (status 200), and unknown forms.
 */
export function readRedirects(source: string): PreparedRule[] {
  let patterns = 0;
  const rules = source.split('\n').flatMap((line) => readRedirectLine(line) ?? []);
  const plainRules = rules.filter(({ isPlain }) => isPlain).slice(0, MAX_RULES);
  return plainRules.flatMap((rule, order): PreparedRule[] => {
    const segments = redirectStatuses.has(rule.status) && parseSegments(rule.from);
    if (!segments) return [];
    const isExact = segments.every(({ kind }) => kind === 'text');
    if (isExact) return [{ ...rule, order, path: segments.map(({ text }) => text).join('/') }];
    if (segments.length > MAX_SEGMENTS || ++patterns > MAX_PATTERNS) return [];
    return [{ ...rule, order, path: segments }];
  });
}

/** The segments of a rule's path; null for a form that is not known. */
function parseSegments(from: string): PathSegment[] | null {
  const path = from.split(/[?#]/, 1)[0]!;
  if (!path.startsWith('/')) return null;
  const names = pathNames(path);
  const segments = names.map((name, i): PathSegment | null => {
    const isLast = i === names.length - 1;
    if (name === '*') return isLast ? { text: 'splat', kind: 'rest' } : null;
    const [, placeholder] = /^:([a-z]\w*)$/i.exec(name) ?? [];
    if (placeholder !== undefined) return { text: placeholder, kind: 'one' };
    return /^:|[*()]/.test(name) ? null : { text: decodeUrlPart(name), kind: 'text' };
  });
  return segments.every((segment) => segment !== null) ? segments : null;
}
