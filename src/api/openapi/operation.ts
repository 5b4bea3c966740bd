/** A JSON Schema, draft 2020-12. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** The description of a file of routes, in `<noun>.openapi.ts` beside it. */
export interface RoutesDescription {
  tag: { name: string; description: string };
  /** Named schemas of bodies; `schemaRef` (schemas.ts) points at them. */
  schemas?: Record<string, JsonSchema>;
  operations: Operation[];
}

export interface Operation {
  method: 'get' | 'post' | 'patch' | 'delete';
  /** Under the base address, with parameters in braces: `/agent/tasks/{taskId}`. */
  path: string;
  /** True for paths from the host's root, outside of `/api/v1`. */
  atRoot?: boolean;
  operationId: string;
  summary: string;
  description?: string;
  /** No key is needed. Otherwise a member's is, and a rate limit counts the request. */
  isOpen?: true;
  /** The role that a key needs, if it is above member. */
  least?: 'admin' | 'owner';
  /** Those beside the path's. */
  parameters?: Parameter[];
  body?: RequestBody;
  /** The answers by status, without errors. */
  answers: Record<number, Answer>;
  /**
   * By status: each text of `error`, and when it comes. Those of the path's parameters and those
   * that many operations share are added (errors.ts).
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
}

export interface Answer {
  description: string;
  /** Default: application/json. */
  mediaType?: string;
  /** Without one there is no body. */
  schema?: JsonSchema;
  examples?: Examples;
  /** Names of header fields that are always there beside the shared ones (headers.ts). */
  headers?: string[];
}

export type Errors = Record<number, Record<string, string>>;
export type Examples = Record<string, { summary?: string; value: unknown }>;
