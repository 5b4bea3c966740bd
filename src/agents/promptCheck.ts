import type { TaskChecked } from '../contract/check.ts';
import { finalError } from '../errors.ts';
import { anySignal } from '../waiting.ts';
import { dryRun, type DryRunDeps, type TryingGround } from './dryRun.ts';

/** Milliseconds for trying a prompt. On a very large site, the trial is cut short. */
const TRIED_WITHIN = 20_000;
/** Reports what a prompt would change, or why it would fail. */
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
    const { code, message } = finalError(error);
    return { problems: [{ code, message }], items: [] };
  }
}
