import { createGitHubFormat } from './gitHubWebhooks.ts';
import { gitLabFormat } from './gitLabWebhooks.ts';
import type { ForgeEvent, WebhookFormat, WebhookRequest } from './webhookFormat.ts';

/**
 * The format of each forge. Forgejo and Gitea come before GitHub, because they also send GitHub's
 * headers.
 */
const formats: WebhookFormat[] = [
  createGitHubFormat({ event: 'x-forgejo-event', signature: 'x-forgejo-signature' }),
  createGitHubFormat({ event: 'x-gitea-event', signature: 'x-gitea-signature' }),
  createGitHubFormat({ event: 'x-github-event', signature: 'x-hub-signature-256' }),
  gitLabFormat,
];

/**
 * Reads a forge's webhook. Compares signatures in constant time.
 * A signed push → `{ kind: 'push', project: 'team/site', commit: '1a2b…', branch: 'main' }`
 * @param secret what the forge signs with. Nothing is signed with an empty one
 * @returns null for a wrong or missing signature, an event of another kind, and a body that is not
 *   as documented
 */
export function readWebhook(request: WebhookRequest, secret: string): ForgeEvent | null {
  const format = signedFormat(request, secret);
  return format ? format.read(request) : null;
}

/** Whether the forge signed this request. */
export const isSignedWebhook = (request: WebhookRequest, secret: string): boolean =>
  signedFormat(request, secret) !== undefined;

function signedFormat(request: WebhookRequest, secret: string): WebhookFormat | undefined {
  const format = formats.find((one) => one.isSent(request));
  return secret !== '' && format?.isSigned(request, secret) ? format : undefined;
}
