import { messageOf } from '../../../src/sites/checks/checkPages.ts';
import type { Pages } from '../../../src/sites/pages/pages.ts';
import type { Batch } from './batches.ts';
import type { Outcome } from './carryOut.ts';
import type { Edit } from './edit.ts';
import { type Files, skeletonOf, Visited } from './site.ts';

/** What is wrong with what an agent did: sentences by question. An empty list is a yes. */
export interface Verdict {
  /** Was done what was asked for? */
  done: string[];
  /** Did nothing else change? */
  rest: string[];
  /** Does the layout hold, and do links resolve? */
  layout: string[];
  /** Of pages: are all facts of the context there, and none invented? */
  facts: string[];
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
  const site = new Visited(changedFiles(before, outcome));
  const told = { ...outcome, before: new Visited(before) };
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
    facts: [],
  };
}

const isOther = (before?: string, after?: string | null) =>
  typeof before !== 'string' ||
  typeof after !== 'string' ||
  `${skeletonOf(before)}` !== `${skeletonOf(after)}`;

export async function judgeBatch(
  pages: Pages,
  { items, subject, template }: Batch,
  before: Files,
  outcome: Outcome,
): Promise<Verdict> {
  const site = new Visited(changedFiles(before, outcome));
  const pathOf = (slug: string) =>
    site.paths().find((path) => pages.isPage(path) && pages.slugOf(path) === slug);
  const templatePath = pathOf(template)!;
  const told = (text: string) => outcome.notes.some((note) => note.text.includes(text));
  const verdict: Verdict = { done: [], rest: [], layout: [], facts: [] };
  for (const { slug, context, facts } of items) {
    const path = pathOf(slug);
    if (path === undefined) verdict.done.push(`${slug} is not there`);
    if (path === undefined) continue;
    const text = `${site.text(path)} ${site.text(path, 'title')}`;
    for (const fact of facts)
      if (!text.includes(fact)) verdict.facts.push(`${slug} lacks "${fact}"`);
    for (const word of subject)
      if (site.text(path, 'main').includes(word) && !told(word))
        verdict.done.push(`${slug} still speaks of ${word}`);
    const known = numbersIn(`${context} ${site.text(templatePath)}`);
    for (const number of numbersIn(text))
      if (!known.has(number)) verdict.facts.push(`${slug} invents ${number}`);
  }
  verdict.layout = await faultsIn(pages, before, outcome, templatePath);
  return verdict;
}

const numbersIn = (text: string) =>
  new Set((text.match(/\d+(?:[.,]\d+)*/g) ?? []).map((found) => found.replace(/^0+/, '')));

/** What the service's own checks find before a commit: broken layout, links that lead nowhere. */
async function faultsIn(
  pages: Pages,
  before: Files,
  { changed }: Outcome,
  template: string,
): Promise<string[]> {
  const after = changedFiles(before, { changed } as Outcome);
  const found = [...changed].map(async ([path, content]) => {
    if (content === null || !pages.isPage(path)) return [];
    const source = before[path] ?? before[template];
    const { faults } = await pages.check({
      path,
      before:
        source === undefined
          ? null
          : { path: before[path] === undefined ? template : path, source },
      after: content,
      sitePaths: Object.keys(after),
      deleted: [...changed].flatMap(([name, kept]) => (kept === null ? [name] : [])),
      newLinks: true,
    });
    return faults.map((fault) => messageOf(pages.slugOf(path), fault));
  });
  return (await Promise.all(found)).flat();
}

export const isGood = (verdict: Verdict) => Object.values(verdict).flat().length === 0;
