import type { Outcome } from './carryOut.ts';
import type { Edit } from './edit.ts';
import { type Files, skeletonOf, VisitedSite } from './site.ts';

/** What is wrong with what an agent did: sentences by question. An empty list is a yes. */
export interface Verdict {
  /** Was done what was asked for? */
  done: string[];
  /** Did nothing else change? */
  rest: string[];
  /** Does the layout hold, and do links resolve? */
  layout: string[];
}

/** The site with a task's changes. */
export function changedFiles(before: Files, { changed }: Outcome): Files {
  const after = { ...before };
  for (const [path, content] of changed)
    if (content === null) delete after[path];
    else after[path] = content;
  return after;
}

export function judgeEdit(edit: Edit, before: Files, outcome: Outcome): Verdict {
  const site = new VisitedSite(changedFiles(before, outcome));
  const told = { ...outcome, before: new VisitedSite(before) };
  const broken = Object.entries(edit.done).flatMap(([sentence, holds]) =>
    holds(site, told) ? [] : [`not so: ${sentence}`],
  );
  if (edit.fails === 'must' && outcome.error === undefined) broken.push('not so: it failed');
  const paths = [...outcome.changed.keys()];
  const rest = paths
    .filter((path) => !edit.touches.test(path))
    .map((path) => `${path} changed too`);
  const others =
    edit.layout === 'same'
      ? paths.filter((path) => isOther(before[path], outcome.changed.get(path)))
      : [];
  return {
    done: broken,
    rest,
    layout: [
      ...others.map((path) => `${path} has other elements`),
      ...(outcome.faults === undefined ? [] : [outcome.faults]),
    ],
  };
}

const isOther = (before?: string, after?: string | null) =>
  typeof before !== 'string' ||
  typeof after !== 'string' ||
  `${skeletonOf(before)}` !== `${skeletonOf(after)}`;

export const isGood = (verdict: Verdict) => Object.values(verdict).flat().length === 0;
