import type { AnySchema } from 'joi';
import type { TSchema } from 'typebox';
import type { ErrorCode } from '../../errors.ts';

/** A JSON Schema, draft 2020-12. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** What an operation makes the service send later. */
export type CallbackSource = 'taskFinished' | 'batchEnded' | 'events';

/** What a route does, for the OpenAPI document. `openapi.ts` makes an operation object of it. */
export interface ApiOperation {
  /** The method, and the path with its parameters in braces: `GET /agent/tasks/{taskId}`. */
  route: `${'GET' | 'POST' | 'PATCH' | 'DELETE'} /${string}`;
  /** True for paths outside of `/api/v1`, which start at the host's root. */
  atRoot?: true;
  tag: string;
  summary: string;
  description?: string;
  /** Who may call it. Default: members, and a rate limit counts the request. */
  access?: 'open' | 'admin' | 'owner';
  query?: AnySchema;
  headers?: ApiParameter[];
  body?: RequestBody;
  /** The webhooks that are sent to a URL of the body: `callbackUrl`, or `url` for `events`. */
  webhook?: CallbackSource;
  /** The schema of the response body, or examples of an event stream. Absent: there is no body. */
  answer?: TSchema | { stream: Record<string, string> };
  /** Default: 200 with a body, and 204 without. */
  status?: number;
  /** Further responses by status, with the schemas of their bodies; null without a body. */
  others?: Record<number, TSchema | null>;
  /** Header fields of every response, in addition to the common ones (headers.ts). */
  answerHeaders?: string[];
  /**
   * Codes of errors. errors.ts adds those that follow from the path's parameters, the query, the
   * body and the key.
   */
  errors?: ErrorCode[];
}

export interface ApiParameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required?: boolean;
  description: string;
  schema: JsonSchema;
  example?: unknown;
}

export interface RequestBody {
  /** The schema's name in the document. */
  name: string;
  schema: AnySchema | null;
  isOptional?: true;
  /** Examples by name. */
  examples: Record<string, unknown>;
  /** Other media types than JSON that the body may have. */
  others?: Record<string, { schema: JsonSchema; examples: Record<string, { value: unknown }> }>;
}

/** @param examples by name */
export const requestBody = (
  name: string,
  schema: AnySchema | null,
  examples: Record<string, unknown>,
): RequestBody => ({ name, schema, examples });

/** @param examples by name */
export const optionalRequestBody = (
  name: string,
  schema: AnySchema,
  examples: Record<string, unknown>,
): RequestBody => ({ ...requestBody(name, schema, examples), isOptional: true });
