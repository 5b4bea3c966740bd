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
} from './webhookFormat.ts';

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
 * The webhooks of GitHub, and of Gitea and Forgejo, which send the same payloads under other names
 * (services/webhook/deliver.go). `X-Hub-Signature-256` is documented at docs.github.com: Validating
 * webhook deliveries.
 */
export const createGitHubFormat = (names: { event: string; signature: string }): WebhookFormat => ({
  isSent: (request) => headerValue(request, names.signature) !== undefined,

  isSigned(request, secret) {
    const signature = headerValue(request, names.signature) ?? '';
    return isSameSecret(
      Buffer.from(signature.replace(/^sha256=/, ''), 'hex'),
      createHmac('sha256', secret).update(request.body).digest(),
    );
  },

  read(request) {
    const kind = headerValue(request, names.event);
    if (!isKind(kind)) return null;
    const payload = parsePayload(request.body, payloadSchemas[kind]);
    return payload && { kind, project: payload.repository.full_name, ...targetOf(payload) };
  },
});

const isKind = (eventKind: unknown): eventKind is ForgeEvent['kind'] =>
  typeof eventKind === 'string' && Object.hasOwn(payloadSchemas, eventKind);

/** The commit and the branch that an event is about, if it names them. */
function targetOf(payload: WebhookPayload): Pick<ForgeEvent, 'commit' | 'branch'> {
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
  return eventTarget(commit, branch);
}
