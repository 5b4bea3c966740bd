import { createHmac, timingSafeEqual } from 'node:crypto';
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

/**
 * The headers of each forge. Forgejo and Gitea come first, because they also send GitHub's headers
 * (services/webhook/deliver.go). `X-Hub-Signature-256` is documented at docs.github.com: Validating
 * webhook deliveries.
 */
const webhookHeaders = [
  { event: 'x-forgejo-event', signature: 'x-forgejo-signature' },
  { event: 'x-gitea-event', signature: 'x-gitea-signature' },
  { event: 'x-github-event', signature: 'x-hub-signature-256' },
];

const shaSchema = Joi.string().hex().min(40).max(64);
const nameSchema = Joi.string().max(300);
const repositorySchema = Joi.object({ full_name: nameSchema.required() }).required();

interface WebhookPayload {
  repository: { full_name: string };
  ref?: string;
  after?: string;
  sha?: string;
  deployment?: { sha: string; ref?: string };
  check_run?: { head_sha: string };
  pull_request?: { head: { sha: string; ref: string; label?: string } };
}

/** The fields that we use of each kind (docs.github.com: Webhook events and payloads). */
const payloadSchemas: Record<ForgeEvent['kind'], AnySchema<WebhookPayload>> = {
  push: Joi.object<WebhookPayload>({
    repository: repositorySchema,
    ref: nameSchema.required(),
    after: shaSchema.required(),
  }),
  status: Joi.object<WebhookPayload>({ repository: repositorySchema, sha: shaSchema.required() }),
  deployment_status: Joi.object<WebhookPayload>({
    repository: repositorySchema,
    deployment: Joi.object({ sha: shaSchema.required(), ref: nameSchema }).required(),
  }),
  check_run: Joi.object<WebhookPayload>({
    repository: repositorySchema,
    check_run: Joi.object({ head_sha: shaSchema.required() }).required(),
  }),
  pull_request: Joi.object<WebhookPayload>({
    repository: repositorySchema,
    pull_request: Joi.object({
      head: Joi.object({
        sha: shaSchema.required(),
        ref: nameSchema.required(),
        label: nameSchema,
      }).required(),
    }).required(),
  }),
};

/**
 * Reads a forge's webhook. Compares signatures in constant time.
 * A signed push → `{ kind: 'push', project: 'team/site', commit: '1a2b…', branch: 'main' }`
 * @param secret what the forge signs with. Nothing is signed with an empty one
 * @returns null for a wrong or missing signature, an event of another kind, and a body that is not
 *   as documented
 */
export function readWebhook({ headers, body }: WebhookRequest, secret: string): ForgeEvent | null {
  const sentHeaders = webhookHeaders.find(
    ({ signature }) => typeof headers[signature] === 'string',
  );
  if (!sentHeaders || !isSigned(body, headers[sentHeaders.signature] as string, secret))
    return null;
  const eventKind = headers[sentHeaders.event];
  if (!isKind(eventKind)) return null;
  const payload = parsePayload(body, payloadSchemas[eventKind]);
  return (
    payload && { kind: eventKind, project: payload.repository.full_name, ...eventTarget(payload) }
  );
}

/** Whether the forge signed this request. */
export function isSignedWebhook({ headers, body }: WebhookRequest, secret: string): boolean {
  const sentHeaders = webhookHeaders.find(
    ({ signature }) => typeof headers[signature] === 'string',
  );
  return (
    sentHeaders !== undefined && isSigned(body, headers[sentHeaders.signature] as string, secret)
  );
}

const isKind = (eventKind: unknown): eventKind is ForgeEvent['kind'] =>
  typeof eventKind === 'string' && Object.hasOwn(payloadSchemas, eventKind);

function isSigned(body: Buffer, signature: string, secret: string): boolean {
  if (secret === '') return false;
  const expectedSignature = createHmac('sha256', secret).update(body).digest();
  const givenSignature = Buffer.from(signature.replace(/^sha256=/, ''), 'hex');
  return (
    givenSignature.length === expectedSignature.length &&
    timingSafeEqual(givenSignature, expectedSignature)
  );
}

function parsePayload(body: Buffer, schema: AnySchema<WebhookPayload>): WebhookPayload | null {
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

/** The commit and the branch that an event is about, if it names them. */
function eventTarget(payload: WebhookPayload): Pick<ForgeEvent, 'commit' | 'branch'> {
  const {
    after,
    sha: ofStatus,
    deployment,
    check_run: checkRun,
    pull_request: pullRequest,
  } = payload;
  const commit =
    after ?? ofStatus ?? deployment?.sha ?? checkRun?.head_sha ?? pullRequest?.head.sha;
  const branch = payload.ref
    ? branchOfRef(payload.ref)
    : (pullRequest?.head.ref ?? deployment?.ref);
  const isCommit = commit !== undefined && !/^0+$/.test(commit);
  return { ...(isCommit && { commit }), ...(branch !== undefined && { branch }) };
}

const branchOfRef = (ref: string) =>
  ref.startsWith('refs/heads/') ? ref.slice('refs/heads/'.length) : undefined;
