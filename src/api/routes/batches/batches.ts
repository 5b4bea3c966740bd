import type { BatchResponse } from '../../../contract/responses.ts';
import { checkBatch, type CheckBatchPorts } from '../../../tasks/batches/check.ts';
import {
  approveRows,
  cancelBatch,
  pauseBatch,
  resumeBatch,
  retryRows,
  skipRows,
} from '../../../tasks/batches/commands.ts';
import { listBatchVersions, undoBatchVersion } from '../../../tasks/batches/batchVersions.ts';
import { decideBatchNotes, listBatchNotes } from '../../../tasks/batches/batchNotes.ts';
import { publishBatch, type PublishBatchPorts } from '../../../tasks/batches/publishBatch.ts';
import { createBatch, type CreateBatchPorts } from '../../../tasks/batches/create.ts';
import {
  type BatchView,
  listBatches,
  readBatch,
  readRows,
  type ReadRowsPorts,
} from '../../../tasks/batches/read.ts';
import { batchRequest } from '../../batches/batchRequest.ts';
import {
  type ApiContext,
  type ApiRouter,
  batchIdOf,
  callerOf,
  readSubmission,
  type ValidQuery,
  jobOwnerOf,
} from '../../context.ts';
import type { RouteDeps } from '../../apiDeps.ts';
import { createRouter } from '../../router.ts';
import { enter } from '../../middleware/enter.ts';
import { roomOnDisk } from '../../middleware/roomOnDisk.ts';
import { validBody } from '../../middleware/validBody.ts';
import { validateQuery } from '../../middleware/validate.ts';
import { batchNotesBody } from '../tasks/notes.schema.ts';
import { undoBody } from '../tasks/versions.schema.ts';
import { presentVersion, presentVersions } from '../tasks/versions.ts';
import { presentBatch, presentBatches, presentRow } from './batches.present.ts';
import {
  batchCursor,
  batchListQuery,
  type BatchListQuery,
  batchNoteCursor,
  batchNotesQuery,
  type BatchNotesQuery,
  rowCursor,
  rowListQuery,
  type RowListQuery,
  skipBody,
  someRowsBody,
} from './batches.schema.ts';

type BatchRouteDeps = CreateBatchPorts &
  CheckBatchPorts &
  PublishBatchPorts &
  ReadRowsPorts &
  RouteDeps<'hasRoom' | 'creators' | 'readBatch'>;

/**
 * Batches: pages from the rows of a table. The routes create, check, read and list batches. The
 * commands of `addCommands` (pause, retry, approve …) return the changed batch.
 */
export function batchRoutes(deps: BatchRouteDeps): ApiRouter {
  const router = createRouter();
  const entryChecks = [...enter(deps, 'create'), roomOnDisk(deps)];
  router.post('/agent/batches', ...entryChecks, batchRequest(deps), async (ctx) => {
    const { idempotencyKey } = readSubmission(ctx);
    ctx.body = await createBatch(callerOf(ctx), deps, ctx.state.body, idempotencyKey);
  });
  router.post('/agent/batches/check', ...enter(deps, 'check'), batchRequest(deps), async (ctx) => {
    ctx.body = await checkBatch(callerOf(ctx), deps, ctx.state.body, jobOwnerOf(ctx));
  });
  router.get('/agent/batches', ...enter(deps, 'read'), validateQuery(batchListQuery), (ctx) =>
    answerBatchList(ctx, deps),
  );
  router.get('/agent/batches/:batchId', ...enter(deps, 'read'), async (ctx) => {
    await answerBatch(ctx, deps, await readBatch(callerOf(ctx), deps, batchIdOf(ctx)));
  });
  router.get(
    '/agent/batches/:batchId/rows',
    ...enter(deps, 'read'),
    validateQuery(rowListQuery),
    (ctx) => answerRowList(ctx, deps),
  );
  router.get(
    '/agent/batches/:batchId/notes',
    ...enter(deps, 'read'),
    validateQuery(batchNotesQuery),
    (ctx) => answerNoteList(ctx, deps),
  );
  router.get('/agent/batches/:batchId/versions', ...enter(deps, 'read'), async (ctx) => {
    ctx.body = presentVersions(await listBatchVersions(callerOf(ctx), deps, batchIdOf(ctx)));
  });
  addCommands(router, deps);
  return router;
}

function addCommands(router: ApiRouter, deps: BatchRouteDeps): void {
  const entryChecks = enter(deps, 'create');
  const workChecks = [...entryChecks, roomOnDisk(deps)];
  router.post('/agent/batches/:batchId/pause', ...entryChecks, async (ctx) => {
    await answerBatch(ctx, deps, await pauseBatch(callerOf(ctx), deps, batchIdOf(ctx)));
  });
  router.post('/agent/batches/:batchId/cancel', ...entryChecks, async (ctx) => {
    await answerBatch(ctx, deps, await cancelBatch(callerOf(ctx), deps, batchIdOf(ctx)));
  });
  router.post('/agent/batches/:batchId/resume', ...workChecks, async (ctx) => {
    await answerBatch(ctx, deps, await resumeBatch(callerOf(ctx), deps, batchIdOf(ctx)));
  });
  const someRowsChecks = validBody(someRowsBody, { optional: true });
  router.post('/agent/batches/:batchId/retry', ...workChecks, ...someRowsChecks, async (ctx) => {
    const commandInput = { batchId: batchIdOf(ctx), ...ctx.state.body };
    await answerBatch(ctx, deps, await retryRows(callerOf(ctx), deps, commandInput));
  });
  router.post('/agent/batches/:batchId/publish', ...workChecks, ...someRowsChecks, async (ctx) => {
    const commandInput = { batchId: batchIdOf(ctx), ...ctx.state.body };
    await answerBatch(ctx, deps, await publishBatch(callerOf(ctx), deps, commandInput));
  });
  router.post('/agent/batches/:batchId/approve', ...workChecks, ...someRowsChecks, async (ctx) => {
    const commandInput = { batchId: batchIdOf(ctx), ...ctx.state.body };
    await answerBatch(ctx, deps, await approveRows(callerOf(ctx), deps, commandInput));
  });
  router.post(
    '/agent/batches/:batchId/versions/undo',
    ...workChecks,
    ...validBody(undoBody, { optional: true }),
    async (ctx) => {
      const request = { batchId: batchIdOf(ctx), ...ctx.state.body };
      const version = await undoBatchVersion(callerOf(ctx), deps, request);
      ctx.body = { version: presentVersion(version) };
    },
  );
  router.patch(
    '/agent/batches/:batchId/notes',
    ...entryChecks,
    ...validBody(batchNotesBody),
    async (ctx) => {
      const request = { batchId: batchIdOf(ctx), ...ctx.state.body };
      const decision = await decideBatchNotes(callerOf(ctx), deps, request);
      ctx.body = {
        ...(await presentBatch(deps.creators, decision.view)),
        decision: {
          resolved: decision.count,
          remaining: decision.remaining,
          messages: decision.sentences.slice(0, MOST_MESSAGES),
        },
      } satisfies BatchResponse;
    },
  );
  router.post(
    '/agent/batches/:batchId/skip',
    ...entryChecks,
    ...validBody(skipBody),
    async (ctx) => {
      const commandInput = { batchId: batchIdOf(ctx), ...ctx.state.body };
      await answerBatch(ctx, deps, await skipRows(callerOf(ctx), deps, commandInput));
    },
  );
}

/** The most sentences in the response to a decision on notes. */
const MOST_MESSAGES = 50;

/** Sends a batch as the response. */
async function answerBatch(
  ctx: ApiContext,
  { creators }: BatchRouteDeps,
  view: BatchView,
): Promise<void> {
  ctx.body = await presentBatch(creators, view);
}

/** GET /agent/batches */
async function answerBatchList(
  ctx: ApiContext<ValidQuery<BatchListQuery>>,
  deps: BatchRouteDeps,
): Promise<void> {
  const { batches, more: hasMore } = await listBatches(callerOf(ctx), deps, ctx.state.query);
  const lastBatch = batches.at(-1)?.batch;
  ctx.body = {
    batches: await presentBatches(deps.creators, batches),
    nextCursor: hasMore && lastBatch ? batchCursor.at(lastBatch) : null,
  };
}

/** GET /agent/batches/{batchId}/notes */
async function answerNoteList(
  ctx: ApiContext<ValidQuery<BatchNotesQuery>>,
  deps: BatchRouteDeps,
): Promise<void> {
  const { limit, cursor = 0 } = ctx.state.query;
  const notes = await listBatchNotes(callerOf(ctx), deps, batchIdOf(ctx));
  const end = cursor + limit;
  ctx.body = {
    notes: notes.slice(cursor, end),
    nextCursor: notes.length > end ? batchNoteCursor.at(end) : null,
  };
}

/** GET /agent/batches/{batchId}/rows */
async function answerRowList(
  ctx: ApiContext<ValidQuery<RowListQuery>>,
  deps: BatchRouteDeps,
): Promise<void> {
  const listInput = { batchId: batchIdOf(ctx), ...ctx.state.query };
  const { rows, more: hasMore } = await readRows(callerOf(ctx), deps, listInput);
  const lastRow = rows.at(-1)?.row;
  ctx.body = {
    rows: rows.map(presentRow),
    nextCursor: hasMore && lastRow ? rowCursor.at(lastRow.number) : null,
  };
}
