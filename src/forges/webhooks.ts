import { createHmac, timingSafeEqual } from 'node:crypto';
import Joi from 'joi';
import { type JsonLimits, parseBoundedJson } from '../contract/boundedJson.ts';

/** A push of 1,000 commits has 20,000 values. */
const payloadLimits: JsonLimits = { depth: 32, values: 25_000 };

/** What a forge tells of by a webhook. It only says that looking at once may be worthwhile. */
export interface ForgeEvent {
  kind: 'push' | 'status' | 'deployment_status' | 'check_run' | 'pull_request';
  /** `owner/name` */
  project: string;
  commit?: string;
  branch?: string;
}

/** A request as it came. */
export interface WebhookRequest {
  /** By lower-case name. */
  headers: Record<string, string | string[] | undefined>;
  /** The very bytes: the signature is of them. */
  body: Buffer;
}

/**
 * Gitea's and Forgejo's own names first: both also send GitHub's (services/webhook/deliver.go).
 * `X-Hub-Signature-256` is documented at docs.github.com: Validating webhook deliveries.
 */
const names = [
  { event: 'x-forgejo-event', signature: 'x-forgejo-signature' },
  { event: 'x-gitea-event', signature: 'x-gitea-signature' },
  { event: 'x-github-event', signature: 'x-hub-signature-256' },
];

const sha = Joi.string().hex().min(40).max(64);
const name = Joi.string().max(300);
const repository = Joi.object({ full_name: name.required() }).required();

interface Payload {
  repository: { full_name: string };
  ref?: string;
  after?: string;
  sha?: string;
  deployment?: { sha: string; ref?: string };
  check_run?: { head_sha: string };
  pull_request?: { head: { sha: string; ref: string; label?: string } };
}

/** What is used of each kind (docs.github.com: Webhook events and payloads). */
const payloads: Record<ForgeEvent['kind'], Joi.AnySchema<Payload>> = {
  push: Joi.object<Payload>({ repository, ref: name.required(), after: sha.required() }),
  status: Joi.object<Payload>({ repository, sha: sha.required() }),
  deployment_status: Joi.object<Payload>({
    repository,
    deployment: Joi.object({ sha: sha.required(), ref: name }).required(),
  }),
  check_run: Joi.object<Payload>({
    repository,
    check_run: Joi.object({ head_sha: sha.required() }).required(),
  }),
  pull_request: Joi.object<Payload>({
    repository,
    pull_request: Joi.object({
      head: Joi.object({ sha: sha.required(), ref: name.required(), label: name }).required(),
    }).required(),
  }),
};

/**
 * Reads a forge's webhook, in constant time for every wrong signature of the right length.
 * @param secret what the forge signs with; never empty
 * @returns null for another signature or none, an event of another kind, and a body that is not as
 *   documented
 */
export function readWebhook({ headers, body }: WebhookRequest, secret: string): ForgeEvent | null {
  const sent = names.find(({ signature }) => typeof headers[signature] === 'string');
  if (!sent || !isSigned(body, headers[sent.signature] as string, secret)) return null;
  const kind = headers[sent.event];
  if (!isKind(kind)) return null;
  const payload = payloadOf(body, payloads[kind]);
  return payload && { kind, project: payload.repository.full_name, ...of(payload) };
}

/** Whether the forge signed this request. */
export function isSignedWebhook({ headers, body }: WebhookRequest, secret: string): boolean {
  const sent = names.find(({ signature }) => typeof headers[signature] === 'string');
  return sent !== undefined && isSigned(body, headers[sent.signature] as string, secret);
}

const isKind = (kind: unknown): kind is ForgeEvent['kind'] =>
  typeof kind === 'string' && Object.hasOwn(payloads, kind);

function isSigned(body: Buffer, signature: string, secret: string): boolean {
  if (secret === '') return false;
  const expected = createHmac('sha256', secret).update(body).digest();
  const given = Buffer.from(signature.replace(/^sha256=/, ''), 'hex');
  return given.length === expected.length && timingSafeEqual(given, expected);
}

function payloadOf(body: Buffer, schema: Joi.AnySchema<Payload>): Payload | null {
  try {
    const checked = schema.validate(parseBoundedJson(body.toString(), payloadLimits), {
      convert: false,
      stripUnknown: true,
      presence: 'optional',
    });
    return checked.error ? null : checked.value;
  } catch {
    return null;
  }
}

/** The commit and the branch that an event is about, as far as it names them. */
function of(payload: Payload): Pick<ForgeEvent, 'commit' | 'branch'> {
  const { after, sha: ofStatus, deployment, check_run: run, pull_request: pull } = payload;
  const commit = after ?? ofStatus ?? deployment?.sha ?? run?.head_sha ?? pull?.head.sha;
  const branch = payload.ref ? branchIn(payload.ref) : (pull?.head.ref ?? deployment?.ref);
  const isThere = commit !== undefined && !/^0+$/.test(commit);
  return { ...(isThere && { commit }), ...(branch !== undefined && { branch }) };
}

const branchIn = (ref: string) =>
  ref.startsWith('refs/heads/') ? ref.slice('refs/heads/'.length) : undefined;
