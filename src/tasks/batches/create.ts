import {
  type Batch,
  type BatchOptions,
  type BatchRow,
  WORKFLOW_GONE,
} from '../../contract/batch.ts';
import type { NewBatch } from '../../contract/batchStore.ts';
import { defined } from '../../contract/defined.ts';
import type { Site } from '../../contract/site.ts';
import { shortLine } from '../../contract/text.ts';
import { TITLE_LENGTH } from '../../contract/title.ts';
import { DomainError, hasCode, invalidInput, onCode } from '../../errors.ts';
import type { Caller } from '../caller.ts';
import type { Needs } from '../ports.ts';
import { checkCallback, findSite, makerOf, startOrFail } from '../start.ts';
import { toRun } from './run.ts';

/** What a request asks of all rows. */
export interface AskedOptions extends Omit<BatchOptions, 'title'> {
  siteId: string;
  /** Absent: it tells the work. */
  title?: string;
}

/** A row of a request. `error`: what is wrong with it. */
export type AskedRow = NewBatch['rows'][number];

/** A request for a batch: slugs are normalized, defaults are filled in. */
export interface BatchRequest extends AskedOptions {
  /** Numbered from 1. */
  rows: AskedRow[];
  /** Equal for equal requests. */
  digest: string;
}

export interface BatchCreated {
  batchId: string;
  createdAt: string;
  /** How many there are, the failed ones included. */
  rows: number;
  failed: number;
}

export type CreateBatchDeps = Needs<
  'sites' | 'checkCallbackUrl' | 'assign' | 'tokenLimits' | 'batches' | 'batchRuns'
>;

/** Most rows that an error names. */
const MOST_NAMED = 20;

/**
 * Stores a batch and starts its workflow. Wrong rows are stored as failed, and the others are made.
 * @throws DomainError as `create` of a task; INVALID_INPUT if all rows are wrong
 */
export const createBatch = (
  caller: Caller,
  deps: CreateBatchDeps,
  request: BatchRequest,
  idempotencyKey: string | undefined,
): Promise<BatchCreated> =>
  startOrFail(async () => {
    const failed = refuseIfAllWrong(request.rows);
    const { site, model } = await askedBatch(caller, deps, request);
    const { organizationId } = caller;
    const batchId = deps.batchRuns.newId(organizationId, idempotencyKey);
    caller.subject.batchId = batchId;
    const batch = newBatch(caller, request, defined({ batchId, model }));
    if (model !== undefined) await refuseWithoutTokens(caller, deps, batch);
    const before = await deps.batches.create(batch);
    const answer = { batchId, rows: request.rows.length, failed };
    if (before) {
      await startAgain(caller, deps, { batch, before, site });
      return { ...answer, createdAt: before.createdAt };
    }
    await deps.batchRuns.run(toRun(batch, site)).catch(async (error: unknown) => {
      // with a key, the same request starts it
      if (idempotencyKey === undefined || hasCode(error, 'TOO_MANY_IN_FLIGHT'))
        await takeBack(deps, batchId);
      throw error;
    });
    return { ...answer, createdAt: batch.createdAt };
  });

/**
 * Checks what a request asks of all rows: model, callback URL and site, in this order.
 * @throws DomainError INVALID_INPUT, INVALID_CALLBACK_URL, NOT_FOUND, SITE_WITHOUT_REPOSITORY
 */
export async function askedBatch(
  caller: Caller,
  deps: Needs<'sites' | 'checkCallbackUrl' | 'assign'>,
  { siteId, callbackUrl, model: asked }: AskedOptions,
) {
  const { model } = deps.assign({ model: asked });
  await checkCallback(callbackUrl, deps);
  return { site: await findSite(caller, deps, siteId), model };
}

/** @returns how many rows are wrong */
function refuseIfAllWrong(rows: AskedRow[]): number {
  const wrong = rows.filter(({ error }) => error !== undefined);
  if (wrong.length < rows.length) return wrong.length;
  const named = wrong.slice(0, MOST_NAMED).map(({ number, error }) => `row ${number}: ${error}`);
  if (wrong.length > MOST_NAMED) named.push(`and ${wrong.length - MOST_NAMED} more rows`);
  throw invalidInput(`Invalid request body: no row can be used: ${named.join('; ')}`);
}

function newBatch(
  { organizationId, requestId, userId, keyId }: Caller,
  request: BatchRequest,
  decided: { batchId: string; model?: string },
): NewBatch {
  const { siteId, publish, onWarnings, holdBelow, linkFrom, canary, callbackUrl } = request;
  return {
    ...decided,
    organizationId,
    siteId,
    createdAt: new Date().toISOString(),
    createdBy: makerOf({ userId, keyId }),
    requestId,
    bodyHash: request.digest,
    title: request.title ?? titleOf(request.rows),
    publish,
    onWarnings,
    ...defined({ holdBelow, linkFrom, canary, callbackUrl }),
    rows: request.rows,
  };
}

/** Example: `1000 pages from /locations/austin`. */
function titleOf(rows: AskedRow[]): string {
  const good = rows.filter(({ error }) => error === undefined);
  const templates = new Set(good.map(({ templatePageSlug }) => templatePageSlug));
  const [first] = templates;
  const from = templates.size === 1 ? first : `${templates.size} templates`;
  const pages = good.length === 1 ? '1 page' : `${good.length} pages`;
  return shortLine(`${pages} from ${from}`, TITLE_LENGTH);
}

/** A batch that an equal request has created gets its answer without tokens too. */
async function refuseWithoutTokens(
  { organizationId }: Caller,
  { tokenLimits, batches }: Needs<'tokenLimits' | 'batches'>,
  { batchId }: NewBatch,
): Promise<void> {
  const refusal = await tokenLimits.refusal(organizationId);
  if (refusal === undefined) return;
  const isThere = await batches
    .find(organizationId, batchId)
    .then(() => true)
    .catch(onCode(['NOT_FOUND'], false));
  if (!isThere) throw new DomainError('TOKENS_USED_UP', refusal);
}

interface Repeated {
  batch: NewBatch;
  before: { bodyHash: string };
  site: Pick<Site, 'name'>;
}

/**
 * Starts a batch that an equal request stored, if it is to run: the first start may have failed.
 * @throws DomainError IDEMPOTENCY_MISMATCH
 */
async function startAgain(
  { organizationId }: Caller,
  { batches, batchRuns }: Needs<'batches' | 'batchRuns'>,
  { batch, before, site }: Repeated,
): Promise<void> {
  if (before.bodyHash !== batch.bodyHash)
    throw new DomainError(
      'IDEMPOTENCY_MISMATCH',
      'Idempotency-Key was used before with another request body',
    );
  const stored: Batch = await batches.find(organizationId, batch.batchId);
  const isGone = stored.status === 'failed' && stored.errorMessage === WORKFLOW_GONE;
  if (isGone) await batches.change(batch.batchId, { status: 'running' }, ['failed']);
  if (isGone || stored.status === 'running') await batchRuns.run(toRun(stored, site));
}

/** Removes a batch that could not be started. */
async function takeBack({ batches, batchRuns }: CreateBatchDeps, batchId: string): Promise<void> {
  await batchRuns.cancelRun(batchId).catch(() => undefined);
  await batches.remove(batchId);
}

/** Rows of a request that can be made. */
export const goodRows = (rows: AskedRow[]): BatchRow[] =>
  rows.filter(({ error }) => error === undefined);
