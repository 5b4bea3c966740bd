import { type DomainError, finalError, hasCode, nullIfFinal } from '../errors.ts';
import { dryRun, type DryRunDeps, isWorthwhile, openGround, type TryingGround } from './dryRun.ts';
import type { Proposed } from './port.ts';

/** Milliseconds after which no more proposals are tried. */
const PROPOSED_WITHIN = 10_000;
const MOST_SUGGESTIONS = 3;
/** Longer instructions are not suggested: they hold a long text of the prompt. */
const LONGEST = 1_000;

export interface Suggested {
  /** What is wrong, and the part of the prompt that it is about. */
  message: string;
  part: string;
  /** Instructions to send in place of the part, the nearest first. */
  suggestions: string[];
}

/**
 * Finds instructions that a refused prompt may have meant on a site, and tries each of them. Each
 * one works, or asks for one thing: for a value that is shown as `…`, or for a place.
 * @returns null if another wording does not help
 * @throws the signal's reason, and retryable errors
 */
export async function suggestionsFor(
  deps: DryRunDeps,
  prompt: string,
  ground: TryingGround,
  { code, message }: DomainError,
): Promise<Suggested | null> {
  if (code !== 'NOT_UNDERSTOOD' && code !== 'INVALID_INPUT') return null;
  // the site or the prompt may be too large for proposals
  const proposal = await deps.rules
    .propose(openGround(deps, ground), prompt, ground.work)
    .catch(nullIfFinal);
  if (!proposal) return null;
  const { part = prompt, repairs, nearby } = proposal;
  const tried = { message: proposal.message ?? message, part };
  const [repair] = (await sorted(deps, repairs, ground, 1)).working;
  if (repair !== undefined) return { ...tried, suggestions: [repair] };
  const { working, asking } = await sorted(deps, nearby, ground, MOST_SUGGESTIONS);
  const isAsking = working.length === 0 && code === 'NOT_UNDERSTOOD';
  return { ...tried, suggestions: isAsking ? asking.slice(0, 1) : working };
}

/**
 * Tries proposals.
 * @returns the first ones that work, and those tried before them that lack nothing but a choice
 *   between several things of the site
 */
async function sorted(
  deps: DryRunDeps,
  candidates: Proposed[],
  ground: TryingGround,
  most: number,
): Promise<{ working: string[]; asking: string[] }> {
  const until = Date.now() + PROPOSED_WITHIN;
  const [working, asking]: [string[], string[]] = [[], []];
  for (const { text, tried, mayAsk } of candidates) {
    if (working.length === most || Date.now() > until) break;
    if (text.length > LONGEST) continue;
    try {
      if (isWorthwhile(await dryRun(deps, tried, ground))) working.push(text);
    } catch (error) {
      if (hasCode(finalError(error), 'INVALID_INPUT') && mayAsk && text === tried)
        asking.push(text);
    }
  }
  return { working, asking };
}
