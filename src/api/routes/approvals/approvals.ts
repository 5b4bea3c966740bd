import type { ApprovalList } from '../../../contract/responses.ts';
import {
  type ApprovableResult,
  type ApprovalPorts,
  approveVersion,
  findApprovableBatch,
  findApprovableTask,
  readApprovals,
} from '../../../tasks/approvals/approvals.ts';
import {
  type ApiContext,
  type ApiRouter,
  batchIdOf,
  callerOf,
  taskIdOf,
  type ValidBody,
} from '../../context.ts';
import type { RouteDeps } from '../../apiDeps.ts';
import { recordChange } from '../../recordChange.ts';
import { createRouter } from '../../router.ts';
import { enter } from '../../middleware/enter.ts';
import { validBody } from '../../middleware/validBody.ts';
import { approvalBody } from './approvals.schema.ts';

type ApprovalRouteDeps = ApprovalPorts & RouteDeps<'audit'>;

/**
 * Approvals of the pages of tasks and batches, for sites that publish only what another person has
 * approved. An approval publishes nothing.
 */
export function approvalRoutes(deps: ApprovalRouteDeps): ApiRouter {
  const router = createRouter();
  const approveChecks = [...enter(deps, 'create'), ...validBody(approvalBody)] as const;
  const findTask = (ctx: ApiContext) => findApprovableTask(callerOf(ctx), deps, taskIdOf(ctx));
  const findPages = (ctx: ApiContext) => findApprovableBatch(callerOf(ctx), deps, batchIdOf(ctx));
  router.get('/agent/tasks/:taskId/approvals', ...enter(deps, 'read'), async (ctx) =>
    answerApprovals(ctx, deps, await findTask(ctx)),
  );
  router.get('/agent/batches/:batchId/approvals', ...enter(deps, 'read'), async (ctx) =>
    answerApprovals(ctx, deps, await findPages(ctx)),
  );
  router.post('/agent/tasks/:taskId/approvals', ...approveChecks, async (ctx) =>
    approve(ctx, deps, await findTask(ctx)),
  );
  router.post('/agent/batches/:batchId/approvals', ...approveChecks, async (ctx) =>
    approve(ctx, deps, await findPages(ctx)),
  );
  return router;
}

/** Approves a result, and returns its approvals. */
async function approve(
  ctx: ApiContext<ValidBody<{ version: string }>>,
  deps: ApprovalRouteDeps,
  approvable: ApprovableResult,
): Promise<void> {
  const { version } = ctx.state.body;
  await approveVersion(callerOf(ctx), deps, approvable, version);
  const approvedThing = `${approvable.result.retainedBy} (version ${version.slice(0, 12)})`;
  await recordChange(ctx, deps, 'publish.approve', approvedThing);
  await answerApprovals(ctx, deps, approvable);
  ctx.status = 201;
}

async function answerApprovals(
  ctx: ApiContext,
  deps: ApprovalRouteDeps,
  approvable: ApprovableResult,
): Promise<void> {
  const { approvals, ...view } = await readApprovals(callerOf(ctx), deps, approvable);
  const members = approvals.map(({ by }) => ('userId' in by ? { userId: by.userId } : null));
  const namedMembers = await deps.creators.named(members);
  ctx.body = {
    ...view,
    approvals: approvals.map(({ version, by, at }, index) => ({
      version,
      userId: 'userId' in by ? by.userId : null,
      shareId: 'userId' in by ? null : by.shareId,
      name: 'userId' in by ? (namedMembers[index]?.name ?? null) : by.name,
      at: at.toISOString(),
      ...(version !== view.version && { isOutdated: true }),
    })),
  } satisfies ApprovalList;
}
