import { timingSafeEqual } from 'node:crypto';
import type { AnySchema } from 'joi';
import { Joi } from '../boundedJoi.ts';
import { type JsonLimits, parseBoundedJson } from '../contract/text/boundedJson.ts';

/** A push of 1,000 commits has 20,000 values. */
const payloadLimits: JsonLimits = { depth: 32, values: 25_000 };

/**
 * A forge event, from a webhook: something happened to a commit or a branch. It is only a hint to
 * make the next deployment check now. What happened is always read from the forge.
 */
export interface ForgeEvent {
  kind: 'push' | 'status' | 'deployment_status' | 'check_run' | 'pull_request';
  /** `owner/name` */
  project: string;
  /** The ID by which a site may name the project instead, at a forge that has such IDs. */
  projectId?: string;
  commit?: string;
  branch?: string;
}

/** A webhook request, unparsed. */
export interface WebhookRequest {
  /** The headers by their names in lower case. */
  headers: Record<string, string | string[] | undefined>;
  /** The bytes as they arrived, because the forge signs these. */
  body: Buffer;
}

/** How the forges of one kind send and sign their webhooks. */
export interface WebhookFormat {
  /** Whether the request has the header fields of this format. */
  isSent(request: WebhookRequest): boolean;
  /** Whether the request proves that its sender knows the secret, which is not empty. */
  isSigned(request: WebhookRequest, secret: string): boolean;
  /** Reads the event. null: it is of another kind, or its body is not as documented. */
  read(request: WebhookRequest): ForgeEvent | null;
}

export const shaSchema = Joi.string().hex().min(40).max(64);
export const nameSchema = Joi.string().max(300);

/** Parses a body with documented fields. Other fields are ignored. */
export function parsePayload<Payload>(body: Buffer, schema: AnySchema<Payload>): Payload | null {
  try {
    const validated = schema.validate(parseBoundedJson(body.toString(), payloadLimits), {
      convert: false,
      stripUnknown: true,
      presence: 'optional',
    });
    return validated.error ? null : validated.value;
  } catch {
    return null;
  }
}

/** Compares two secrets in constant time. */
export const isSameSecret = (given: Buffer, expected: Buffer): boolean =>
  given.length === expected.length && timingSafeEqual(given, expected);

/** The value of a header field that was sent once. */
export function headerValue({ headers }: WebhookRequest, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' ? value : undefined;
}

/** What an event is about. The commit of a deleted branch has only zeros. */
export const eventTarget = (
  commit: string | undefined,
  branch: string | undefined,
): Pick<ForgeEvent, 'commit' | 'branch'> => ({
  ...(commit !== undefined && !/^0+$/.test(commit) && { commit }),
  ...(branch !== undefined && { branch }),
});

export const branchOfRef = (ref: string): string | undefined =>
  ref.startsWith('refs/heads/') ? ref.slice('refs/heads/'.length) : undefined;
