import type { CallToolResult, InputRequiredResult } from '@modelcontextprotocol/server';
import { codeOfStatus } from '../api/errorField.ts';
import { requireRole } from '../api/middleware/authenticate.ts';
import { rateLimit } from '../api/middleware/rateLimit.ts';
import { roomOnDisk } from '../api/middleware/roomOnDisk.ts';
import { checkAs } from '../api/middleware/validate.ts';
import { uuidSchema } from '../api/routes/tasks/tasks.schema.ts';
import { callerOf, jobOwnerOf } from '../api/context.ts';
import type { ErrorResponse, ApiContext, ApiMiddleware } from '../api/context.ts';
import { isTaskId } from '../contract/task.ts';
import { DomainError, hasErrorCode, notFoundError } from '../errors.ts';
import { anySignal } from '../waitCounters.ts';
import { type ElicitationState, questionFor } from './confirm.ts';
import type { AssistantCall, AssistantCallContext, AssistantTool } from './tool.ts';
import type { ExposedTool } from './toolsByRole.ts';

/**
 * Calls a tool for an assistant: checks the rate limit, the role and the disk, validates the
 * arguments, has the person confirm a publish, and runs the tool.
 * @param callInput.asking whether the client can ask its person, and what the person answered
 * @returns the tool's result, or a question that the client puts to the person first. An error
 *   becomes a result with `isError`, with the same code and text as in the REST API.
 */
export async function callTool(
  { tool, least: requiredRole }: ExposedTool,
  callContext: AssistantCallContext,
  callInput: { args: object; asking: ElicitationState },
): Promise<CallToolResult | InputRequiredResult> {
  const { ctx, deps } = callContext;
  ctx.state.logContext.tool = tool.name;
  try {
    const { rateLimits } = deps;
    await passMiddlewares(ctx, [
      ...(tool.limit ? [rateLimit(rateLimits, tool.limit)] : []),
      requireRole(requiredRole),
      ...(tool.starts ? [roomOnDisk(deps)] : []),
    ]);
    refuseSiteName(callInput.args);
    return await withinCallTime(callContext, (jobOwner) =>
      runAssistantTool(tool, { ...callContext, caller: callerOf(ctx), jobOwner }, callInput),
    );
  } catch (error) {
    if (ctx.res.closed) throw error;
    return presentToolError(ctx, ctx.state.refuse(error));
  }
}

async function runAssistantTool(
  tool: AssistantTool,
  call: AssistantCall,
  { args, asking }: { args: object; asking: ElicitationState },
): Promise<CallToolResult | InputRequiredResult> {
  const checkedArgs = (tool.validatesItself ? args : checkAs(tool.input, args)) as never;
  try {
    if (await tool.isPublishing?.(call, checkedArgs)) {
      const confirmationRequest = await questionFor(tool, call, { args: checkedArgs, asking });
      if (confirmationRequest) return confirmationRequest;
    }
    const toolResult = { ...(await tool.run(call, checkedArgs)) };
    return {
      content: [{ type: 'text', text: JSON.stringify(toolResult) }],
      ...(tool.output && { structuredContent: toolResult }),
    };
  } catch (error) {
    throw await explainBatchId(call, checkedArgs, error);
  }
}

/**
 * Refuses a `siteId` argument that is not an id, such as the name of the site.
 * @throws DomainError NOT_FOUND that says how to get the id
 */
function refuseSiteName({ siteId }: { siteId?: unknown }): void {
  if (typeof siteId === 'string' && !uuidSchema.test(siteId))
    throw notFoundError(
      'Site not found. siteId must be the id of a site, not its name. Call list_sites to get it.',
    );
}

/**
 * Explains why no task was found: a batch has an id of the same form.
 * @param error what a call has thrown
 * @returns an error that says so if the argument `taskId` is the id of a batch; otherwise `error`
 */
async function explainBatchId(
  { caller, deps }: Pick<AssistantCall, 'caller' | 'deps'>,
  { taskId }: { taskId?: unknown },
  error: unknown,
): Promise<unknown> {
  if (!hasErrorCode(error, 'NOT_FOUND') || typeof taskId !== 'string' || !isTaskId(taskId))
    return error;
  try {
    await deps.batches.find(caller.organizationId, taskId);
  } catch (batchError) {
    if (hasErrorCode(batchError, 'NOT_FOUND')) return error;
    throw batchError;
  }
  return notFoundError('Task not found. This is the id of a batch. Call get_batch with it.');
}

/** Passes a request through middlewares of the REST API. */
async function passMiddlewares(ctx: ApiContext, middlewares: ApiMiddleware[]): Promise<void> {
  for (const middleware of middlewares) await middleware(ctx, () => Promise.resolve());
}

/**
 * Runs work within the time limit of a call.
 * @throws DomainError UNAVAILABLE if the work takes longer
 */
async function withinCallTime<T>(
  { ctx, longestMs }: AssistantCallContext,
  work: (jobOwner: AssistantCall['jobOwner']) => Promise<T>,
): Promise<T> {
  const timeLimit = new AbortController();
  const timeoutError = new DomainError(
    'UNAVAILABLE',
    'The call took too long. Call the tool again',
    {
      retryable: true,
      reason: `the call took more than ${longestMs / 1_000} s`,
    },
  );
  const { promise, reject } = Promise.withResolvers<never>();
  const limitTimer = setTimeout(() => {
    timeLimit.abort(timeoutError);
    reject(timeoutError);
  }, longestMs);
  try {
    const { organizationId, signal } = jobOwnerOf(ctx);
    return await Promise.race([
      work({ organizationId, signal: anySignal(signal, timeLimit.signal) }),
      promise,
    ]);
  } finally {
    clearTimeout(limitTimer);
  }
}

/** The error body of the REST API, with the code, the reason and the wait of its header fields. */
function presentToolError(ctx: ApiContext, errorAnswer: ErrorResponse): CallToolResult {
  const { status, error, code = codeOfStatus(status), reason, headers } = errorAnswer;
  const { requestId, logContext } = ctx.state;
  logContext.refused = code;
  const waitSeconds = headers?.['Retry-After'] ?? ctx.response.get('Retry-After');
  const errorBody = {
    error,
    code,
    ...(reason !== undefined && { reason }),
    ...(waitSeconds && { retryAfterSeconds: Number(waitSeconds) }),
    ...(status === 404 && {
      next: 'Call list_sites, list_pages or list_tasks to see what exists.',
    }),
    requestId,
  };
  return { content: [{ type: 'text', text: JSON.stringify(errorBody) }], isError: true };
}
