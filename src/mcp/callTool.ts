import type { CallToolResult, InputRequiredResult } from '@modelcontextprotocol/server';
import { codeOfStatus } from '../api/errorField.ts';
import { requireRole } from '../api/middleware/authenticate.ts';
import { rateLimit } from '../api/middleware/rateLimit.ts';
import { roomOnDisk } from '../api/middleware/roomOnDisk.ts';
import { checkAs } from '../api/middleware/validate.ts';
import { callerOf, workOf } from '../api/context.ts';
import type { Answer, ApiContext, ApiMiddleware } from '../api/context.ts';
import { DomainError } from '../errors.ts';
import { anySignal } from '../waiting.ts';
import { type Asking, questionFor } from './confirm.ts';
import { refuseSiteName } from './wrongIds.ts';
import type { Call, Place, Tool } from './tool.ts';
import type { Exposed } from './tools.ts';

/**
 * Calls a tool. Its errors become results with `isError`, with the code and the text that the REST
 * API would answer.
 */
export async function callTool(
  { tool, least }: Exposed,
  place: Place,
  given: { args: object; asking: Asking },
): Promise<CallToolResult | InputRequiredResult> {
  const { ctx, parts } = place;
  ctx.state.subject.tool = tool.name;
  try {
    const { rateLimits } = parts;
    await pass(ctx, [
      ...(tool.limit ? [rateLimit(rateLimits, tool.limit)] : []),
      requireRole(least),
      ...(tool.starts ? [roomOnDisk(parts)] : []),
    ]);
    refuseSiteName(given.args);
    return await inTime(place, (work) =>
      run(tool, { ...place, caller: callerOf(ctx), work }, given),
    );
  } catch (error) {
    if (ctx.res.closed) throw error;
    return presentError(ctx, ctx.state.refuse(error));
  }
}

async function run(
  tool: Tool,
  call: Call,
  { args, asking }: { args: object; asking: Asking },
): Promise<CallToolResult | InputRequiredResult> {
  const checked = (tool.validatesItself ? args : checkAs(tool.input, args)) as never;
  if (await tool.isPublishing?.(call, checked)) {
    const asked = await questionFor(tool, call, { args: checked, asking });
    if (asked) return asked;
  }
  const answer = { ...(await tool.run(call, checked)) };
  return {
    content: [{ type: 'text', text: JSON.stringify(answer) }],
    ...(tool.output && { structuredContent: answer }),
  };
}

/** Passes a request through middlewares of the REST API. */
async function pass(ctx: ApiContext, middlewares: ApiMiddleware[]): Promise<void> {
  for (const middleware of middlewares) await middleware(ctx, () => Promise.resolve());
}

/** Runs work, for as long as a call may take. */
async function inTime<T>(
  { ctx, longestMs }: Place,
  work: (work: Call['work']) => Promise<T>,
): Promise<T> {
  const late = new AbortController();
  const tooLate = new DomainError('UNAVAILABLE', 'The call takes too long', {
    retryable: true,
    reason: `it takes longer than ${longestMs / 1_000} s`,
  });
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    late.abort(tooLate);
    reject(tooLate);
  }, longestMs);
  try {
    const { organizationId, signal } = workOf(ctx);
    return await Promise.race([
      work({ organizationId, signal: anySignal(signal, late.signal) }),
      promise,
    ]);
  } finally {
    clearTimeout(timer);
  }
}

/** The body of the REST API's answer, with what stands in its header fields. */
function presentError(ctx: ApiContext, answer: Answer): CallToolResult {
  const { status, error, code = codeOfStatus(status), reason, headers } = answer;
  const { requestId, subject } = ctx.state;
  subject.refused = code;
  const wait = headers?.['Retry-After'] ?? ctx.response.get('Retry-After');
  const told = {
    error,
    code,
    ...(reason !== undefined && { reason }),
    ...(wait && { retryAfterSeconds: Number(wait) }),
    ...(status === 404 && { next: 'list_sites, list_pages and list_tasks have what there is.' }),
    requestId,
  };
  return { content: [{ type: 'text', text: JSON.stringify(told) }], isError: true };
}
