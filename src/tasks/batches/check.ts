import { RULES } from '../../agents/modelAssignment.ts';
import type { BatchCheckResponse } from '../../contract/responses.ts';
import { withoutUndefined } from '../../contract/withoutUndefined.ts';
import type { JobOwner } from '../../threads/threadPool.ts';
import type { RequestCaller } from '../caller.ts';
import type { NeededPorts } from '../ports.ts';
import { resolveBatchRequest, type BatchRequest, goodRows } from './create.ts';

export type CheckBatchPorts = NeededPorts<
  'sites' | 'checkCallbackUrl' | 'assign' | 'checkBatch' | 'costOf'
>;

/**
 * Checks a request for a batch (a table whose rows each become a page) without storing it: returns
 * which rows would fail, and what the others would cost.
 * @throws DomainError NOT_FOUND, INVALID_CALLBACK_URL, UNAVAILABLE, CONFLICT
 */
export async function checkBatch(
  caller: RequestCaller,
  deps: CheckBatchPorts,
  request: BatchRequest,
  jobOwner: JobOwner,
): Promise<BatchCheckResponse> {
  const { site, model } = await resolveBatchRequest(caller, deps, request);
  const goodRequestRows = goodRows(request.rows);
  const { linkFrom } = request;
  const checked = await deps.checkBatch(
    { site, rows: goodRequestRows, ...withoutUndefined({ linkFrom }) },
    jobOwner,
  );
  const problemByRow = new Map(checked.rows.map(({ number, problem }) => [number, problem]));
  const rows = request.rows.flatMap(({ number, targetPageSlug, error }) => {
    const problem =
      error === undefined ? problemByRow.get(number) : { code: 'INVALID_INPUT', message: error };
    return problem ? [{ number, targetPageSlug, problems: [problem] }] : [];
  });
  const { problems, inputTokens, outputTokens } = checked;
  const creatableRows = request.rows.length - rows.length;
  const tokens = { inputTokens, outputTokens };
  // nothing is in the provider's cache before the first call
  const costOf = (modelName: string) =>
    deps.costOf({ model: modelName, ...tokens, cachedInputTokens: 0 });
  return {
    ok: problems.length === 0 && rows.length === 0,
    agent: model ?? RULES,
    problems,
    rows,
    make: creatableRows,
    fail: rows.length,
    ...(model !== undefined && { estimate: { ...tokens, cost: costOf(model) } }),
  };
}
