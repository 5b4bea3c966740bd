import { Webhook } from 'standardwebhooks';

export interface SignedMessage {
  /** `whsec_` and the key in base64. */
  secret: string;
  webhookId: string;
  /** When this attempt is made. */
  timestamp: Date;
  body: string;
}

/**
 * The headers that prove to a receiver that the body is ours and fresh (Standard Webhooks, "Webhook headers"; signature
 * scheme v1).
 */
export function signatureHeaders({ secret, webhookId, timestamp, body }: SignedMessage): Record<string, string> {
  return {
    'webhook-id': webhookId,
    'webhook-timestamp': String(Math.floor(timestamp.getTime() / 1000)),
    'webhook-signature': new Webhook(secret).sign(webhookId, timestamp, body),
  };
}
