import { markPages, type MarkRequest } from '../../../tasks/reviews/markPages.ts';
import {
  findBatchReview,
  findTaskReview,
  readReviews,
  type Reviewable,
  type ReviewPorts,
} from '../../../tasks/reviews/readReviews.ts';
import {
  type ApiContext,
  type ApiRouter,
  batchIdOf,
  callerOf,
  jobOwnerOf,
  taskIdOf,
} from '../../context.ts';
import type { RouteDeps } from '../../apiDeps.ts';
import { createRouter } from '../../router.ts';
import { enter } from '../../middleware/enter.ts';
import { validBody } from '../../middleware/validBody.ts';
import { pageMarksBody } from './reviews.schema.ts';

type ReviewRouteDeps = ReviewPorts & RouteDeps<never>;

/**
 * Reviews of the pages of tasks and batches: what is different on each page, and how people marked
 * it. Marks count as reads for the rate limit, since people set them with one key after another.
 */
export function reviewRoutes(deps: ReviewRouteDeps): ApiRouter {
  const router = createRouter();
  const entryChecks = enter(deps, 'read');
  const findBatchPages = (ctx: ApiContext) => findBatchReview(callerOf(ctx), deps, batchIdOf(ctx));
  const findTaskPages = (ctx: ApiContext) => findTaskReview(callerOf(ctx), deps, taskIdOf(ctx));
  const answerReviews = async (ctx: ApiContext, reviewable: Reviewable) => {
    ctx.body = await readReviews(callerOf(ctx), deps, reviewable, jobOwnerOf(ctx));
  };
  const answerMarks = async (ctx: ApiContext, reviewable: Reviewable, request: MarkRequest) => {
    await markPages(callerOf(ctx), deps, { reviewable, request, jobOwner: jobOwnerOf(ctx) });
    ctx.body = { marked: request.pages.length };
  };
  router.get('/agent/batches/:batchId/reviews', ...entryChecks, async (ctx) =>
    answerReviews(ctx, await findBatchPages(ctx)),
  );
  router.get('/agent/tasks/:taskId/reviews', ...entryChecks, async (ctx) =>
    answerReviews(ctx, await findTaskPages(ctx)),
  );
  router.patch(
    '/agent/batches/:batchId/reviews',
    ...entryChecks,
    ...validBody(pageMarksBody),
    async (ctx) => answerMarks(ctx, await findBatchPages(ctx), ctx.state.body),
  );
  router.patch(
    '/agent/tasks/:taskId/reviews',
    ...entryChecks,
    ...validBody(pageMarksBody),
    async (ctx) => answerMarks(ctx, await findTaskPages(ctx), ctx.state.body),
  );
  return router;
}
