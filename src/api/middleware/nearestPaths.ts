import { distance } from 'fastest-levenshtein';
import type { ApiContext, ApiMiddleware, ApiRouter } from '../context.ts';

const LONGEST = 200;
const MOST_DIFFERENT = 3;
const API = '/api/v1';

/**
 * Stands after all routes. Stores the route's path with the most similar spelling in
 * `ctx.state.nearest`. Parameters stand in braces, so the path contains nothing of the request.
 */
export function nearestPaths(...routers: ApiRouter[]): ApiMiddleware {
  const templates = routers
    .flatMap(pathsOf)
    .map((path) => ({ path, segments: path.split('/').slice(1) }));
  return async function nearestPaths(ctx, next) {
    ctx.state.nearest = nearest(ctx, templates);
    await next();
  };
}

interface Template {
  path: string;
  segments: string[];
}

/** The paths of a router, without optional parts: `/tasks` of `/tasks{/*path}`. */
const pathsOf = ({ stack }: ApiRouter): string[] =>
  [
    ...new Set(
      stack.map(({ path }) =>
        String(path)
          .split('{', 1)[0]!
          .replaceAll(/:(\w+)/g, '{$1}'),
      ),
    ),
  ].filter((path) => path.length > 1);

function nearest({ path }: ApiContext, templates: Template[]): string | undefined {
  if (path.length > LONGEST) return undefined;
  const asked = path.toLowerCase().replace(/\/$/, '').split('/').slice(1);
  const wanted = asked[0] === 'api' ? [asked] : [asked, [...API.split('/').slice(1), ...asked]];
  const found = templates
    .flatMap(({ path, segments }) => wanted.map((one) => ({ path, away: away(one, segments) })))
    .sort((a, b) => a.away - b.away)[0];
  return found && found.away <= MOST_DIFFERENT ? found.path : undefined;
}

/**
 * Number of letters that differ. Parameters match any segment. Infinity if a segment is another
 * word.
 */
function away(asked: string[], segments: string[]): number {
  if (asked.length !== segments.length) return Infinity;
  return segments.reduce((sum, segment, at) => {
    const given = asked[at]!;
    if (segment.startsWith('{')) return given === '' ? Infinity : sum;
    const letters = distance(given, segment.toLowerCase());
    return letters > segment.length * 0.4 ? Infinity : sum + letters;
  }, 0);
}
