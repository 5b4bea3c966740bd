import { randomBytes } from 'node:crypto';
import { withoutUndefined } from '../contract/withoutUndefined.ts';
import type { ExternalHost } from '../contract/site.ts';
import type { HostSettings, ParsedExternalHost } from './externalHost.ts';

interface WebhookSecretStore {
  /** @returns the secret's credentialId */
  addSecret(organizationId: string, secret: string): Promise<string>;
}

/** The external host to store, and the secret of its webhooks if it is a new one. */
export interface StoredHost {
  ownHost: ExternalHost;
  webhookSecret?: string;
}

/**
 * Stores the secrets of an external host as credentials: the value that opens protected previews,
 * and the secret of its webhooks. Returns the host to store for the site, which names them.
 * @param knownHost the external host that the site has now, whose secrets are used again
 */
export async function storeHost(
  credentials: WebhookSecretStore,
  organizationId: string,
  { settings, bypass }: ParsedExternalHost,
  knownHost?: ExternalHost,
): Promise<StoredHost> {
  const bypassId =
    bypass?.value === undefined
      ? knownHost?.bypass?.credentialId
      : await credentials.addSecret(organizationId, bypass.value);
  const webhookSecret = knownHost?.webhook ? undefined : newWebhookSecret();
  const webhook =
    (knownHost && keptWebhook(knownHost, settings)) ??
    (webhookSecret && { credentialId: await credentials.addSecret(organizationId, webhookSecret) });
  const ownHost: ExternalHost = {
    ...settings,
    ...(bypass && bypassId && { bypass: { header: bypass.header, credentialId: bypassId } }),
    ...(webhook && { webhook }),
  };
  return { ownHost, ...withoutUndefined({ webhookSecret }) };
}

/** The webhook after a change. A new project gets the same secret, but has sent nothing yet. */
function keptWebhook({ webhook, ...knownHost }: ExternalHost, { apiUrl, project }: HostSettings) {
  const isSameProject = knownHost.apiUrl === apiUrl && knownHost.project === project;
  return webhook && (isSameProject ? webhook : { credentialId: webhook.credentialId });
}

/**
 * Forges take any text, and use it as the key of an HMAC-SHA256. GitLab's signing tokens must have
 * this form, which is that of Standard Webhooks.
 */
export const newWebhookSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`;

/** The credentials of an external host. The repository's credential is not among them. */
export const hostSecretIds = (ownHost: ExternalHost | null | undefined): string[] =>
  [ownHost?.bypass, ownHost?.webhook].flatMap((namedSecret) =>
    namedSecret ? [namedSecret.credentialId] : [],
  );

/** The path of this service to which the forge of a site sends its webhooks. */
export const webhookPath = (siteId: string): string => `/api/v1/webhooks/forges/${siteId}`;
