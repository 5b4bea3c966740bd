import { RULES } from '../../agents/assignment.ts';
import type { BatchChecked } from '../../contract/answers.ts';
import { defined } from '../../contract/defined.ts';
import type { Work } from '../../threads/threads.ts';
import type { Caller } from '../caller.ts';
import type { Needs } from '../ports.ts';
import { askedBatch, type BatchRequest, goodRows } from './create.ts';

export type CheckBatchDeps = Needs<
  'sites' | 'checkCallbackUrl' | 'assign' | 'checkBatch' | 'costOf'
>;

/**
 * Tells which rows would fail, and what the others would cost. Stores nothing.
 * @throws DomainError NOT_FOUND, INVALID_CALLBACK_URL, UNAVAILABLE, CONFLICT
 */
export async function checkBatch(
  caller: Caller,
  deps: CheckBatchDeps,
  request: BatchRequest,
  work: Work,
): Promise<BatchChecked> {
  const { site, model } = await askedBatch(caller, deps, request);
  const good = goodRows(request.rows);
  const { linkFrom } = request;
  const checked = await deps.checkBatch({ site, rows: good, ...defined({ linkFrom }) }, work);
  const found = new Map(checked.rows.map(({ number, problem }) => [number, problem]));
  const rows = request.rows.flatMap(({ number, targetPageSlug, error }) => {
    const problem =
      error === undefined ? found.get(number) : { code: 'INVALID_INPUT', message: error };
    return problem ? [{ number, targetPageSlug, problems: [problem] }] : [];
  });
  const { problems, inputTokens, outputTokens } = checked;
  const make = request.rows.length - rows.length;
  const tokens = { inputTokens, outputTokens };
  // nothing is in the provider's cache before the first call
  const costOf = (ofModel: string) =>
    deps.costOf({ model: ofModel, ...tokens, cachedInputTokens: 0 });
  return {
    ok: problems.length === 0 && rows.length === 0,
    agent: model ?? RULES,
    problems,
    rows,
    make,
    fail: rows.length,
    ...(model !== undefined && { estimate: { ...tokens, cost: costOf(model) } }),
  };
}
