import { createHmac } from 'node:crypto';
import type { AnySchema } from 'joi';
import { Joi } from '../boundedJoi.ts';
import {
  branchOfRef,
  eventTarget,
  type ForgeEvent,
  headerValue,
  isSameSecret,
  nameSchema,
  parsePayload,
  shaSchema,
  type WebhookFormat,
  type WebhookRequest,
} from './webhookFormat.ts';

interface WebhookPayload {
  project: { id: number; path_with_namespace: string };
  ref?: string;
  after?: string;
  object_attributes?: {
    ref?: string;
    sha?: string;
    source_branch?: string;
    last_commit?: { id: string };
  };
}

const projectSchema = Joi.object({
  id: Joi.number().integer().required(),
  path_with_namespace: Joi.string().max(1_000).required(),
}).required();

/** The fields that we use of each kind (docs.gitlab.com: Webhook events). */
const payloadSchemas: Record<
  string,
  { kind: ForgeEvent['kind']; schema: AnySchema<WebhookPayload> }
> = {
  'Push Hook': {
    kind: 'push',
    schema: Joi.object<WebhookPayload>({
      project: projectSchema,
      ref: nameSchema.required(),
      after: shaSchema.required(),
    }),
  },
  'Merge Request Hook': {
    kind: 'pull_request',
    schema: Joi.object<WebhookPayload>({
      project: projectSchema,
      object_attributes: Joi.object({
        source_branch: nameSchema.required(),
        last_commit: Joi.object({ id: shaSchema.required() }).allow(null),
      }).required(),
    }),
  },
  'Pipeline Hook': {
    kind: 'check_run',
    schema: Joi.object<WebhookPayload>({
      project: projectSchema,
      object_attributes: Joi.object({ ref: nameSchema, sha: shaSchema.required() }).required(),
    }),
  },
  'Deployment Hook': {
    kind: 'deployment_status',
    schema: Joi.object<WebhookPayload>({ project: projectSchema, ref: nameSchema }),
  },
};

/**
 * The webhooks of GitLab. It sends the secret token itself. Newer versions can sign with a signing
 * token instead, in the form of Standard Webhooks
 * (https://docs.gitlab.com/user/project/integrations/webhooks/#signing-tokens).
 */
export const gitLabFormat: WebhookFormat = {
  isSent: (request) => headerValue(request, 'x-gitlab-event') !== undefined,

  isSigned(request, secret) {
    if (request.headers['webhook-signature'] !== undefined)
      return isStandardSignature(request, secret);
    const token = headerValue(request, 'x-gitlab-token') ?? '';
    return isSameSecret(digestOf(token), digestOf(secret));
  },

  read(request) {
    const eventName = headerValue(request, 'x-gitlab-event') ?? '';
    if (!Object.hasOwn(payloadSchemas, eventName)) return null;
    const { kind, schema } = payloadSchemas[eventName]!;
    const payload = parsePayload(request.body, schema);
    if (!payload) return null;
    const { id, path_with_namespace: project } = payload.project;
    return { kind, project, projectId: String(id), ...targetOf(payload) };
  },
};

/** Secrets of different lengths have digests of the same length, so nothing tells the length. */
const digestOf = (text: string) => createHmac('sha256', 'token').update(text).digest();

/** Signatures that one webhook may have, such as while a secret is being replaced. */
const MOST_SIGNATURES = 5;

/**
 * Checks a signature of Standard Webhooks (https://www.standardwebhooks.com). Its time may be long
 * ago: an event only makes a task look at its deployment, so a repeated one does no harm.
 */
function isStandardSignature(request: WebhookRequest, secret: string): boolean {
  const id = headerValue(request, 'webhook-id');
  const timestamp = headerValue(request, 'webhook-timestamp');
  const signatures = headerValue(request, 'webhook-signature');
  if (id === undefined || timestamp === undefined || signatures === undefined) return false;
  const signingKey = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  if (signingKey.length === 0) return false;
  const expected = createHmac('sha256', signingKey)
    .update(`${id}.${timestamp}.`)
    .update(request.body)
    .digest();
  return signatures
    .split(' ', MOST_SIGNATURES)
    .some(
      (signature) =>
        signature.startsWith('v1,') &&
        isSameSecret(Buffer.from(signature.slice('v1,'.length), 'base64'), expected),
    );
}

function targetOf({ ref, after, object_attributes: about }: WebhookPayload) {
  const branch = ref === undefined ? (about?.source_branch ?? about?.ref) : branchNameOf(ref);
  return eventTarget(after ?? about?.sha ?? about?.last_commit?.id, branch);
}

/** Pushes name a ref such as `refs/heads/main`, deployments the branch itself. */
const branchNameOf = (ref: string) => (ref.startsWith('refs/') ? branchOfRef(ref) : ref);
