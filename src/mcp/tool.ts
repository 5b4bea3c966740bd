import type { AnySchema, ObjectSchema } from 'joi';
import type { ApiContext } from '../api/context.ts';
import type { LimitName } from '../api/middleware/rateLimit.ts';
import type { ApiDeps } from '../api/apiDeps.ts';
import type { RequestCaller } from '../tasks/caller.ts';
import type { JobOwner } from '../threads/threadPool.ts';

/** One call of a tool. */
export interface AssistantCall {
  ctx: ApiContext;
  parts: Omit<ApiDeps, 'mcp'>;
  caller: RequestCaller;
  /** Its signal aborts when the assistant is gone, and when the call takes too long. */
  work: Required<JobOwner>;
  /** Milliseconds that it may take. */
  longestMs: number;
}

/** The place of a call: what it has before its arguments are known. */
export type AssistantCallContext = Pick<AssistantCall, 'ctx' | 'parts' | 'longestMs'>;

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

/** A tool of assistants. It calls the use cases that the REST routes call. */
export interface AssistantTool<Args extends object = never> {
  name: string;
  title: string;
  /** For the model. It may depend on the service's settings. */
  description: string | ((parts: AssistantCall['parts']) => string);
  hints: ToolHints;
  input: AnySchema<Args> & ObjectSchema;
  /**
   * The answer, which is sent as structured content, and as text for programs that read only that.
   * Absent: an answer that is mostly text for the model, which is sent once, as text.
   */
  output?: ObjectSchema;
  /** Whether `run` validates its arguments. */
  validatesItself?: true;
  /** The rate limit that it counts for, beside that of all requests. */
  limit?: Exclude<LimitName, 'read'>;
  /** Whether it starts work, which needs room on the disk. */
  starts?: true;
  /** Whether a call changes the live site, so that a person has to agree. */
  isPublishing?: (call: AssistantCall, args: Args) => boolean | Promise<boolean>;
  /**
   * What the person is asked then; null if nothing would be published. Throws what the call itself
   * would throw.
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
