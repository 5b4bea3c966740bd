import type { AnySchema, ObjectSchema } from 'joi';
import type { ApiContext } from '../api/context.ts';
import type { LimitName } from '../api/middleware/rateLimit.ts';
import type { ApiDeps } from '../api/apiDeps.ts';
import type { RequestCaller } from '../tasks/caller.ts';
import type { JobOwner } from '../threads/threadPool.ts';

/** One call of a tool by an assistant (a program that acts for a person through MCP). */
export interface AssistantCall {
  ctx: ApiContext;
  deps: Omit<ApiDeps, 'mcp'>;
  caller: RequestCaller;
  /** Its signal aborts when the assistant is gone, and when the call takes too long. */
  jobOwner: Required<JobOwner>;
  /** Maximum milliseconds of the call. */
  longestMs: number;
}

/** The part of a call that is known before its tool and its caller are checked. */
export type AssistantCallContext = Pick<AssistantCall, 'ctx' | 'deps' | 'longestMs'>;

/**
 * What a tool does to its surroundings, for the person who approves its calls (MCP,
 * ToolAnnotations).
 */
export interface ToolHints {
  readOnlyHint: boolean;
  destructiveHint: boolean;
  idempotentHint: boolean;
  /** Whether it reaches programs outside of the service: repositories, receivers of callbacks. */
  openWorldHint: boolean;
}

/**
 * A tool that assistants may call, such as `get_task`. It calls the same use cases as the REST
 * routes. Example: tools/cancelTask.ts.
 */
export interface AssistantTool<Args extends object = never> {
  name: string;
  title: string;
  /** For the model. It may depend on the service's settings. */
  description: string | ((parts: AssistantCall['deps']) => string);
  hints: ToolHints;
  input: AnySchema<Args> & ObjectSchema;
  /**
   * The schema of the result, which is sent as structured content, and as text for programs that
   * read only text. Absent: the result is mostly text for the model, and is sent only as text.
   */
  output?: ObjectSchema;
  /** True if `run` validates its arguments itself. */
  validatesItself?: true;
  /** The rate limit that a call counts for, in addition to that of all requests. */
  limit?: Exclude<LimitName, 'read'>;
  /** True if it starts work, which is refused while the disk is nearly full. */
  starts?: true;
  /** Whether a call changes the live site, so that the person has to agree (confirm.ts). */
  isPublishing?: (call: AssistantCall, args: Args) => boolean | Promise<boolean>;
  /**
   * The question to the person, called only if `isPublishing`. null if nothing would be published,
   * such as by a repeated call, whose task exists already.
   * @throws DomainError as the call itself
   */
  question?: (call: AssistantCall, args: Args) => Promise<string | null>;
  /** @throws DomainError as the use case */
  run(call: AssistantCall, args: Args): Promise<object>;
}

export const readHints: ToolHints = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};
/** Work with a preview: the live site stays as it is, unless `publish` is true. */
export const startHints: ToolHints = {
  readOnlyHint: false,
  destructiveHint: false,
  idempotentHint: false,
  openWorldHint: true,
};
