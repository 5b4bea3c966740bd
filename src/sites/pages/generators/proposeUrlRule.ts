import type { PageUrlRule } from '../../../contract/site.ts';
import { type PageEnds, patternEnds } from './urlPatterns.ts';

/** A rule that fits pages, and one of these pages at its URL. */
export interface FittingRule extends PageUrlRule {
  example: { path: string; urlPath: string };
}

/**
 * Proposes the rule by which most pages of a folder are at one of the live site's URLs.
 * @param urlPaths the paths of the site's URLs, from its sitemap
 * @returns null if no page fits
 */
export function proposeUrlRule(
  folder: string,
  pages: PageEnds[],
  urlPaths: string[],
): FittingRule | null {
  const votes = new Map<string, { count: number; rule: FittingRule }>();
  for (const { path, ends } of pages)
    for (const patternEnd of patternEnds)
      for (const urlPath of urlPaths) {
        const barePath = urlPath.replace(/\/$/, '');
        const end = ends[patternEnd];
        if (end === undefined || end === '/' || !barePath.endsWith(end)) continue;
        const start = barePath.slice(0, barePath.length - end.length);
        const pattern = start + patternEnd + (urlPath.endsWith('/') ? '/' : '');
        const vote = votes.get(pattern) ?? {
          count: 0,
          rule: { folder, pattern, example: { path, urlPath } },
        };
        vote.count++;
        votes.set(pattern, vote);
      }
  const [best] = [...votes.values()].sort((a, b) => b.count - a.count);
  return best?.rule ?? null;
}
