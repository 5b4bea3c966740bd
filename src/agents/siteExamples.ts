import type { Example, FindExamples, SiteExamples } from '../contract/check.ts';
import type { OpenableSite } from '../contract/site.ts';
import { createHeads, unreadable } from '../sites/git/productionHead.ts';
import type { Repositories, Tree } from '../sites/git/repository.ts';
import { createSharedCache } from '../singleFlight.ts';
import { createFairQueue } from '../fairQueue.ts';
import { anySignal } from '../waiting.ts';
import type { Work } from '../threads/threads.ts';
import { type DryRunDeps, openGround, type TryingGround, worthwhile } from './dryRun.ts';
import { ideasFor } from './exampleIdeas.ts';

interface Deps extends DryRunDeps {
  repositories: Repositories;
  /** Milliseconds for all examples together, and for one. */
  within?: { all: number; one: number };
}

/** Most searches at the same time, in total and for each organization. */
const AT_ONCE = { what: 'a turn to try examples', places: 2, each: 1 };
const WITHIN = { all: 30_000, one: 8_000 };
const MOST = 4;
/** Sites with cached examples. */
const KEPT = 5_000;

/** Finds instructions that work on a site by trying each of them. Caches a commit's examples. */
export function createSiteExamples({ within = WITHIN, ...deps }: Deps): FindExamples {
  const heads = createHeads(deps.repositories);
  const queue = createFairQueue(AT_ONCE);
  const kept = createSharedCache<SiteExamples>({ maxSize: KEPT, sizeOf: () => 1 });

  async function find(
    site: OpenableSite,
    commit: string,
    work: Required<Work>,
  ): Promise<SiteExamples> {
    const reading = deps.repositories.open(site).tree({ commit, heldBy: null }, work.signal);
    const tree = await reading.catch((error: unknown) => {
      throw unreadable(error);
    });
    return { commit, examples: await examplesOn(deps, { tree, work }, within) };
  }

  return async (site, { organizationId, signal }) => {
    const commit = await heads.find(site, signal);
    const key = [site.siteId, commit, site.repository.root].join(' ');
    const work = (end: AbortSignal) =>
      queue.run(organizationId, () => find(site, commit, { organizationId, signal: end }), end);
    return kept.read(key, work, signal);
  };
}

/** The first working idea of each kind, up to `MOST`. */
async function examplesOn(
  deps: DryRunDeps,
  ground: { tree: Tree; work: Required<Work> },
  within: Required<Deps>['within'],
) {
  const until = Date.now() + within.all;
  const found: Example[] = [];
  for (const ideas of await ideasFor(openGround(deps, ground))) {
    if (found.length === MOST) break;
    for (const prompt of ideas) {
      if (Date.now() > until) return found;
      const example = await tried(deps, prompt, ground, within.one);
      if (!example) continue;
      found.push(example);
      break;
    }
  }
  return found;
}

/** Tries an idea. Null if it fails, or takes too long on a very large site. */
async function tried(
  deps: DryRunDeps,
  prompt: string,
  ground: TryingGround,
  ms: number,
): Promise<Example | null> {
  const { work } = ground;
  const late = AbortSignal.timeout(ms);
  const signal = anySignal(work.signal, late);
  try {
    const run = await worthwhile(deps, prompt, { ...ground, work: { ...work, signal } });
    return run && { prompt, changes: run.changes };
  } catch (error) {
    work.signal?.throwIfAborted();
    if (late.aborted) return null;
    throw error;
  }
}
