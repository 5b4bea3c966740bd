import {
  type Batch,
  type BatchOptions,
  type BatchRow,
  WORKFLOW_GONE,
} from '../../contract/batches/batch.ts';
import type { NewBatch } from '../../contract/batches/batchStore.ts';
import { withoutUndefined } from '../../contract/withoutUndefined.ts';
import type { Site } from '../../contract/site.ts';
import { shortLine } from '../../contract/text/summaries.ts';
import { TITLE_LENGTH } from '../../contract/text/taskTitles.ts';
import { DomainError, hasErrorCode, invalidInputError, onCode } from '../../errors.ts';
import { refusePublishAtCreation } from '../../sites/publishApproval.ts';
import type { RequestCaller } from '../caller.ts';
import type { NeededPorts } from '../ports.ts';
import { checkCallback, findCallerSite, taskCreator, orStartFailed } from '../startTask.ts';
import { batchToRun } from './batchToRun.ts';

/** The options of a request, which hold for all rows. */
export interface RequestedBatchOptions extends Omit<BatchOptions, 'title'> {
  siteId: string;
  /** Absent: a title that describes the work. */
  title?: string;
}

/** A row of a request. `error`: why the row is invalid. */
export type RequestedRow = NewBatch['rows'][number];

/** A request for a batch: slugs are normalized, defaults are filled in. */
export interface BatchRequest extends RequestedBatchOptions {
  /** Numbered from 1. */
  rows: RequestedRow[];
  /** Equal for equal requests. */
  digest: string;
}

export interface CreatedBatch {
  batchId: string;
  createdAt: string;
  /** The number of rows, including those that failed because they are invalid. */
  rows: number;
  failed: number;
}

export type CreateBatchPorts = NeededPorts<
  'sites' | 'checkCallbackUrl' | 'assign' | 'tokenLimits' | 'batches' | 'batchRuns'
>;

/** Most rows that an error names. */
const MOST_NAMED = 20;

/**
 * Stores a batch, a table whose rows each become a page, and starts its workflow. Invalid rows are
 * stored as failed, and the others are written. For example, 120 rows of which 2 are invalid →
 * `{ batchId: 'bg-…', createdAt: '…', rows: 120, failed: 2 }`. The files next to this one are the
 * other use cases: `check.ts`, `read.ts`, `commands.ts` (pause, resume, approve …), `editRow.ts`.
 * @throws DomainError as `createTask`; INVALID_INPUT if all rows are invalid
 */
export const createBatch = (
  caller: RequestCaller,
  deps: CreateBatchPorts,
  request: BatchRequest,
  idempotencyKey: string | undefined,
): Promise<CreatedBatch> =>
  orStartFailed(async () => {
    const failed = refuseIfAllWrong(request.rows);
    const { site, model } = await resolveBatchRequest(caller, deps, request);
    const { organizationId } = caller;
    const batchId = deps.batchRuns.newId(organizationId, idempotencyKey);
    caller.logContext.batchId = batchId;
    const batch = newBatchOf(caller, request, withoutUndefined({ batchId, model }));
    if (model !== undefined) await refuseWithoutTokens(caller, deps, batch);
    const earlierBatch = await deps.batches.create(batch);
    const createdBatch = { batchId, rows: request.rows.length, failed };
    if (earlierBatch) {
      await restartBatch(caller, deps, { batch, before: earlierBatch, site });
      return { ...createdBatch, createdAt: earlierBatch.createdAt };
    }
    await deps.batchRuns.run(batchToRun(batch, site)).catch(async (error: unknown) => {
      // with a key, the client can repeat the request, which then starts the stored batch
      if (idempotencyKey === undefined || hasErrorCode(error, 'TOO_MANY_IN_FLIGHT'))
        await removeUnstartedBatch(deps, batchId);
      throw error;
    });
    return { ...createdBatch, createdAt: batch.createdAt };
  });

/**
 * Checks the options of a request: the model, the callback URL and the site, in this order.
 * @throws DomainError INVALID_INPUT, INVALID_CALLBACK_URL, NOT_FOUND, SITE_WITHOUT_REPOSITORY
 */
export async function resolveBatchRequest(
  caller: RequestCaller,
  deps: NeededPorts<'sites' | 'checkCallbackUrl' | 'assign'>,
  { siteId, callbackUrl, model: requestedModel, publish }: RequestedBatchOptions,
) {
  const { model } = deps.assign({ model: requestedModel });
  await checkCallback(callbackUrl, deps);
  const site = await findCallerSite(caller, deps, siteId);
  refusePublishAtCreation(site, publish);
  return { site, model };
}

/** Throws if all rows are invalid. @returns how many rows are invalid */
function refuseIfAllWrong(rows: RequestedRow[]): number {
  const wrongRows = rows.filter(({ error }) => error !== undefined);
  if (wrongRows.length < rows.length) return wrongRows.length;
  const namedProblems = wrongRows
    .slice(0, MOST_NAMED)
    .map(({ number, error }) => `row ${number}: ${error}`);
  if (wrongRows.length > MOST_NAMED)
    namedProblems.push(`and ${wrongRows.length - MOST_NAMED} more rows`);
  throw invalidInputError(`Invalid request body: no row is valid: ${namedProblems.join('; ')}`);
}

function newBatchOf(
  { organizationId, requestId, userId, keyId }: RequestCaller,
  request: BatchRequest,
  batchKeys: { batchId: string; model?: string },
): NewBatch {
  const { siteId, publish, onWarnings, holdBelow, linkFrom, canary, callbackUrl } = request;
  return {
    ...batchKeys,
    organizationId,
    siteId,
    createdAt: new Date().toISOString(),
    createdBy: taskCreator({ userId, keyId }),
    requestId,
    bodyHash: request.digest,
    title: request.title ?? batchTitle(request.rows),
    publish,
    onWarnings,
    ...withoutUndefined({ holdBelow, linkFrom, canary, callbackUrl }),
    rows: request.rows,
  };
}

/** Example: `1000 pages from /locations/austin`. */
function batchTitle(rows: RequestedRow[]): string {
  const goodRequestRows = rows.filter(({ error }) => error === undefined);
  const templates = new Set(goodRequestRows.map(({ templatePageSlug }) => templatePageSlug));
  const [firstTemplate] = templates;
  const source = templates.size === 1 ? firstTemplate : `${templates.size} templates`;
  const pages = goodRequestRows.length === 1 ? '1 page' : `${goodRequestRows.length} pages`;
  return shortLine(`${pages} from ${source}`, TITLE_LENGTH);
}

/** Throws if the organization has no tokens left, unless an equal request has created the batch. */
async function refuseWithoutTokens(
  { organizationId }: RequestCaller,
  { tokenLimits, batches }: NeededPorts<'tokenLimits' | 'batches'>,
  { batchId }: NewBatch,
): Promise<void> {
  const refusal = await tokenLimits.refusal(organizationId);
  if (refusal === undefined) return;
  const isStored = await batches
    .find(organizationId, batchId)
    .then(() => true)
    .catch(onCode(['NOT_FOUND'], false));
  if (!isStored) throw new DomainError('TOKENS_USED_UP', refusal);
}

interface RepeatedBatch {
  batch: NewBatch;
  before: { bodyHash: string };
  site: Pick<Site, 'name'>;
}

/**
 * Starts a batch that an equal request has stored, if it should run: the first start may have
 * failed.
 * @throws DomainError IDEMPOTENCY_MISMATCH
 */
async function restartBatch(
  { organizationId }: RequestCaller,
  { batches, batchRuns }: NeededPorts<'batches' | 'batchRuns'>,
  { batch, before: earlierBatch, site }: RepeatedBatch,
): Promise<void> {
  if (earlierBatch.bodyHash !== batch.bodyHash)
    throw new DomainError(
      'IDEMPOTENCY_MISMATCH',
      'The Idempotency-Key was already used with another request body',
    );
  const stored: Batch = await batches.find(organizationId, batch.batchId);
  const isGone = stored.status === 'failed' && stored.errorMessage === WORKFLOW_GONE;
  if (isGone) await batches.change(batch.batchId, { status: 'running' }, ['failed']);
  if (isGone || stored.status === 'running') await batchRuns.run(batchToRun(stored, site));
}

/** Removes a batch that could not be started. */
async function removeUnstartedBatch(
  { batches, batchRuns }: CreateBatchPorts,
  batchId: string,
): Promise<void> {
  await batchRuns.cancelRun(batchId).catch(() => undefined);
  await batches.remove(batchId);
}

/** The valid rows of a request. */
export const goodRows = (rows: RequestedRow[]): BatchRow[] =>
  rows.filter(({ error }) => error === undefined);
