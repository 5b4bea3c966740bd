/** A JSON Schema, draft 2020-12. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** Describes a file of routes. It stands beside it as `<noun>.openapi.ts`. */
export interface RoutesDescription {
  tag: { name: string; description: string };
  /** Named schemas of bodies; `schemaRef` (schemas.ts) refers to them. */
  schemas?: Record<string, JsonSchema>;
  operations: Operation[];
}

export interface Operation {
  method: 'get' | 'post' | 'patch' | 'delete';
  /** The path below the base address, with parameters in braces: `/agent/tasks/{taskId}`. */
  path: string;
  /** True for paths outside of `/api/v1`, which start at the host's root. */
  atRoot?: boolean;
  operationId: string;
  summary: string;
  description?: string;
  /** Needs no key. Absent: a member's key is needed, and a rate limit counts the request. */
  isOpen?: true;
  /** The role that the key needs, if member is not enough. */
  least?: 'admin' | 'owner';
  /** Parameters beside those of the path. */
  parameters?: Parameter[];
  body?: RequestBody;
  /** The webhook that is sent to the `callbackUrl` of the body. */
  webhook?: 'taskFinished' | 'batchEnded';
  /** Answers by status, without errors. */
  answers: Record<number, Answer>;
  /**
   * Errors by status: each `error` text, and when it comes. Errors of path parameters and common
   * errors are added (errors.ts).
   */
  errors?: Errors;
}

export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required?: boolean;
  description: string;
  schema: JsonSchema;
  example?: unknown;
}

export interface RequestBody {
  required: boolean;
  schema: JsonSchema;
  examples: Examples;
  /** What it may be beside JSON, by media type. */
  others?: Record<string, { schema: JsonSchema; examples: Examples }>;
}

export interface Answer {
  description: string;
  /** Default: application/json. */
  mediaType?: string;
  /** Absent: the answer has no body. */
  schema?: JsonSchema;
  examples?: Examples;
  /** Names of header fields that this answer always has, beside the common ones (headers.ts). */
  headers?: string[];
}

export type Errors = Record<number, Record<string, string>>;
export type Examples = Record<string, { summary?: string; value: unknown }>;
