import type { SiteEdits } from './siteEdits.ts';
import { cut } from './text/cut.ts';

export interface Warnings {
  add(warning: string): void;
  /** Takes back a warning of what was mended since. */
  drop(warning: string): void;
  /** `from` links to `to`, which was deleted. Counts for as long as `from` is there and `to` is not. */
  brokenLinks(to: string, from: string, count: number): void;
  /** Pages that were deleted while a page linked to them. */
  deleted(): string[];
  /** A page's links to deleted ones are at its new slug now. */
  moved(from: string, to: string): void;
  list(): string[];
}

const NAMED_PAGES = 10;
/** A task's view is kept whole: one long text on many pages must not make it larger than that allows. */
const MOST = 100;
const LONGEST = 500;

/** What a person should look at after the task; broken links are those of the final state. */
export function createWarnings(site: Pick<SiteEdits, 'find'>): Warnings {
  const plain = new Set<string>();
  const links = new Map<string, Map<string, number>>();
  return {
    add: (warning) => void plain.add(warning),
    drop: (warning) => void plain.delete(warning),
    brokenLinks: (to, from, count) => {
      links.set(to, (links.get(to) ?? new Map<string, number>()).set(from, count));
    },
    deleted: () => [...links.keys()],
    moved: (from, to) => {
      for (const [gone, counts] of links)
        links.set(gone, new Map([...counts].map(([slug, count]) => [slug === from ? to : slug, count])));
    },
    list: () => {
      const broken = [...links].filter(([to]) => !site.find(to));
      return bounded([
        ...plain,
        ...broken.flatMap(([to, from]) =>
          brokenText(
            to,
            [...from].filter(([slug, count]) => count > 0 && site.find(slug)),
          ),
        ),
      ]);
    },
  };
}

function bounded(warnings: string[]): string[] {
  const rest = warnings.length - MOST;
  const named = warnings.slice(0, MOST).map((warning) => cut(warning, LONGEST));
  return rest > 0 ? [...named, `${rest} more of these`] : named;
}

function brokenText(to: string, from: [string, number][]): string[] {
  if (from.length === 0) return [];
  const named = from.slice(0, NAMED_PAGES).map(([slug, count]) => (count === 1 ? slug : `${slug} (${count} links)`));
  const rest = from.length - named.length;
  return [
    `${to} was deleted, but is still linked from ${named.join(', ')}${rest > 0 ? ` and ${rest} more pages` : ''}`,
  ];
}
