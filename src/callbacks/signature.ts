import { Webhook } from 'standardwebhooks';

export interface SignedMessage {
  /** Each is `whsec_` and the key in base64. While a secret is replaced, there are two. */
  secrets: string[];
  webhookId: string;
  /** When this attempt is made. */
  timestamp: Date;
  body: string;
}

/**
 * The headers that prove to a receiver that the body is ours and recent (Standard Webhooks,
 * "Webhook headers"; signature scheme v1). Each secret gives one signature, separated by spaces; a
 * receiver accepts any that it can verify.
 */
export function signatureHeaders({
  secrets,
  webhookId,
  timestamp,
  body,
}: SignedMessage): Record<string, string> {
  return {
    'webhook-id': webhookId,
    'webhook-timestamp': String(Math.floor(timestamp.getTime() / 1000)),
    'webhook-signature': secrets
      .map((secret) => new Webhook(secret).sign(webhookId, timestamp, body))
      .join(' '),
  };
}
