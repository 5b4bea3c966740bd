import { checkBatch, type CheckBatchDeps } from '../../tasks/batches/check.ts';
import {
  approveRows,
  cancelBatch,
  type CommandDeps,
  pauseBatch,
  publishBatch,
  resumeBatch,
  retryRows,
  skipRows,
} from '../../tasks/batches/commands.ts';
import { createBatch, type CreateBatchDeps } from '../../tasks/batches/create.ts';
import {
  type BatchView,
  listBatches,
  readBatch,
  readRows,
  type ReadRowsDeps,
} from '../../tasks/batches/read.ts';
import { batchRequest } from '../batches/batchRequest.ts';
import {
  type ApiContext,
  type ApiRouter,
  batchIdOf,
  callerOf,
  sentIn,
  type ValidQuery,
  workOf,
} from '../context.ts';
import type { RouteNeeds } from '../parts.ts';
import { createRouter } from '../router.ts';
import { enter } from '../middleware/enter.ts';
import { roomOnDisk } from '../middleware/roomOnDisk.ts';
import { validBody } from '../middleware/validBody.ts';
import { validateQuery } from '../middleware/validate.ts';
import { presentBatch, presentBatches, presentRow } from './batches.present.ts';
import {
  batchCursor,
  batchListQuery,
  type BatchListQuery,
  rowCursor,
  rowListQuery,
  type RowListQuery,
  skipBody,
  someRowsBody,
} from './batches.schema.ts';

type Deps = CreateBatchDeps &
  CheckBatchDeps &
  CommandDeps &
  ReadRowsDeps &
  RouteNeeds<'hasRoom' | 'makers' | 'readBatch'>;

/** Batches: many pages from the rows of a table. */
export function batchRoutes(deps: Deps): ApiRouter {
  const router = createRouter();
  const entered = [...enter(deps, 'create'), roomOnDisk(deps)];
  router.post('/agent/batches', ...entered, batchRequest(deps), async (ctx) => {
    const { idempotencyKey } = sentIn(ctx);
    ctx.body = await createBatch(callerOf(ctx), deps, ctx.state.body, idempotencyKey);
  });
  router.post('/agent/batches/check', ...enter(deps, 'check'), batchRequest(deps), async (ctx) => {
    ctx.body = await checkBatch(callerOf(ctx), deps, ctx.state.body, workOf(ctx));
  });
  router.get('/agent/batches', ...enter(deps, 'read'), validateQuery(batchListQuery), (ctx) =>
    list(ctx, deps),
  );
  router.get('/agent/batches/:batchId', ...enter(deps, 'read'), async (ctx) => {
    await tell(ctx, deps, await readBatch(callerOf(ctx), deps, batchIdOf(ctx)));
  });
  router.get(
    '/agent/batches/:batchId/rows',
    ...enter(deps, 'read'),
    validateQuery(rowListQuery),
    (ctx) => listRows(ctx, deps),
  );
  addCommands(router, deps);
  return router;
}

function addCommands(router: ApiRouter, deps: Deps): void {
  const entered = enter(deps, 'create');
  const working = [...entered, roomOnDisk(deps)];
  router.post('/agent/batches/:batchId/pause', ...entered, async (ctx) => {
    await tell(ctx, deps, await pauseBatch(callerOf(ctx), deps, batchIdOf(ctx)));
  });
  router.post('/agent/batches/:batchId/cancel', ...entered, async (ctx) => {
    await tell(ctx, deps, await cancelBatch(callerOf(ctx), deps, batchIdOf(ctx)));
  });
  router.post('/agent/batches/:batchId/resume', ...working, async (ctx) => {
    await tell(ctx, deps, await resumeBatch(callerOf(ctx), deps, batchIdOf(ctx)));
  });
  router.post('/agent/batches/:batchId/publish', ...working, async (ctx) => {
    await tell(ctx, deps, await publishBatch(callerOf(ctx), deps, batchIdOf(ctx)));
  });
  const some = validBody(someRowsBody, { optional: true });
  router.post('/agent/batches/:batchId/retry', ...working, ...some, async (ctx) => {
    const asked = { batchId: batchIdOf(ctx), ...ctx.state.body };
    await tell(ctx, deps, await retryRows(callerOf(ctx), deps, asked));
  });
  router.post('/agent/batches/:batchId/approve', ...working, ...some, async (ctx) => {
    const asked = { batchId: batchIdOf(ctx), ...ctx.state.body };
    await tell(ctx, deps, await approveRows(callerOf(ctx), deps, asked));
  });
  router.post('/agent/batches/:batchId/skip', ...entered, ...validBody(skipBody), async (ctx) => {
    const asked = { batchId: batchIdOf(ctx), ...ctx.state.body };
    await tell(ctx, deps, await skipRows(callerOf(ctx), deps, asked));
  });
}

/** Answers with a batch as it is now. */
async function tell(ctx: ApiContext, { makers }: Deps, view: BatchView): Promise<void> {
  ctx.body = await presentBatch(makers, view);
}

/** GET /agent/batches */
async function list(ctx: ApiContext<ValidQuery<BatchListQuery>>, deps: Deps): Promise<void> {
  const { batches, more } = await listBatches(callerOf(ctx), deps, ctx.state.query);
  const last = batches.at(-1)?.batch;
  ctx.body = {
    batches: await presentBatches(deps.makers, batches),
    nextCursor: more && last ? batchCursor.at(last) : null,
  };
}

/** GET /agent/batches/{batchId}/rows */
async function listRows(ctx: ApiContext<ValidQuery<RowListQuery>>, deps: Deps): Promise<void> {
  const asked = { batchId: batchIdOf(ctx), ...ctx.state.query };
  const { rows, more } = await readRows(callerOf(ctx), deps, asked);
  const last = rows.at(-1)?.row;
  ctx.body = {
    rows: rows.map(presentRow),
    nextCursor: more && last ? rowCursor.at(last.number) : null,
  };
}
