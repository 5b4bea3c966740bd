import { body } from '../openapi/bodies.ts';
import type { Operation, RoutesDescription } from '../openapi/operation.ts';

const receive: Operation = {
  method: 'post',
  path: '/webhooks/forges/{siteId}',
  operationId: 'receiveForgeWebhook',
  isOpen: true,
  summary: 'Receive a webhook of a forge',
  description: [
    "For forges, not for clients: the site's `host.webhookUrl`. Tasks of the site that wait for a build or a merge look",
    'at once. Without webhooks they look every few seconds, then less often. The forge signs with the webhook secret, in',
    '`X-Hub-Signature-256`, `X-Gitea-Signature` or `X-Forgejo-Signature`. Events that do not matter, and repetitions, get',
    '204 too.',
  ].join('\n'),
  body: body(
    { type: 'object', description: "The forge's own, as JSON." },
    { push: { ref: 'refs/heads/main', repository: { full_name: 'acme/site' } } },
  ),
  answers: { 204: { description: 'Received.' } },
  errors: {
    400: { 'Request body ended early': 'It is not whole.' },
    401: {
      Unauthorized:
        'The signature is not by the webhook secret of the site, or there is no such site, or its host is the embedded one.',
    },
    429: { 'Too Many Requests': 'Over 600 of the site in a minute, or 30 with wrong signatures.' },
    503: { 'Service Unavailable': 'The forge may send it again.' },
  },
};

export const forgeWebhooks: RoutesDescription = {
  tag: { name: 'Webhooks of forges', description: 'By them, tasks need not look so often.' },
  operations: [receive],
};
