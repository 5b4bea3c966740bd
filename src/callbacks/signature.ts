import { Webhook } from 'standardwebhooks';

export interface SignedMessage {
  /**
   * Secrets in the form `whsec_…`: the key in base64. There are two while a secret is being
   * replaced.
   */
  secrets: string[];
  webhookId: string;
  /** The time of this attempt. */
  timestamp: Date;
  body: string;
}

/**
 * The headers by which a receiver verifies that the body is recent and from this service (Standard
 * Webhooks, "Webhook headers"; signature scheme v1). There is one signature for each secret,
 * separated by spaces. A receiver accepts the message if any of them is valid.
 * Without secrets, there are no headers: chats check none.
 */
export function signatureHeaders({
  secrets,
  webhookId,
  timestamp,
  body,
}: SignedMessage): Record<string, string> {
  if (secrets.length === 0) return {};
  return {
    'webhook-id': webhookId,
    'webhook-timestamp': String(Math.floor(timestamp.getTime() / 1000)),
    'webhook-signature': secrets
      .map((secret) => new Webhook(secret).sign(webhookId, timestamp, body))
      .join(' '),
  };
}
