import type { CheckProblem, TaskChecked } from '../contract/check.ts';
import { type DomainError, finalError, nullIfFinal } from '../errors.ts';
import { anySignal } from '../waiting.ts';
import { dryRun, type DryRunDeps, openGround, type TryingGround, worthwhile } from './dryRun.ts';
import type { Proposed } from './port.ts';

/** Milliseconds for trying a prompt. On a very large site, the trial is cut short. */
const TRIED_WITHIN = 20_000;
/** Milliseconds after which no more proposals are tried. */
const PROPOSED_WITHIN = 10_000;
const MOST_SUGGESTIONS = 3;

/** Errors that another wording may avoid. */
const WORDINGS = ['NOT_UNDERSTOOD', 'INVALID_INPUT'];

/** Reports what a prompt would change, or why it would fail, with instructions that would work. */
export async function checkPrompt(
  deps: DryRunDeps,
  prompt: string,
  ground: TryingGround,
): Promise<TaskChecked> {
  const late = AbortSignal.timeout(TRIED_WITHIN);
  const { work } = ground;
  const signal = anySignal(work.signal, late);
  try {
    const tried = await dryRun(deps, prompt, { ...ground, work: { ...work, signal } });
    return { problems: [], items: [], ...tried };
  } catch (error) {
    work.signal?.throwIfAborted();
    if (late.aborted) return { problems: [], items: [] };
    return { problems: [await problemOf(deps, prompt, ground, finalError(error))], items: [] };
  }
}

async function problemOf(
  deps: DryRunDeps,
  prompt: string,
  ground: TryingGround,
  { code, message }: DomainError,
): Promise<CheckProblem> {
  if (!WORDINGS.includes(code)) return { code, message };
  // the site or the prompt may be too large for proposals
  const proposal = await deps.rules
    .propose(openGround(deps, ground), prompt, ground.work)
    .catch(nullIfFinal);
  if (!proposal) return { code, message };
  const { part = prompt, repairs, nearby } = proposal;
  const [repair] = await working(deps, repairs, ground, 1);
  const suggestions =
    repair === undefined ? await working(deps, nearby, ground, MOST_SUGGESTIONS) : [repair];
  return { code, message: proposal.message ?? message, part, suggestions };
}

/** The first proposals that work on this site. */
async function working(
  deps: DryRunDeps,
  candidates: Proposed[],
  ground: TryingGround,
  most: number,
): Promise<string[]> {
  const until = Date.now() + PROPOSED_WITHIN;
  const found: string[] = [];
  for (const { text, tried } of candidates) {
    if (found.length === most || Date.now() > until) break;
    if (await worthwhile(deps, tried, ground)) found.push(text);
  }
  return found;
}
