import { randomBytes } from 'node:crypto';
import { withoutUndefined } from '../contract/withoutUndefined.ts';
import type { ExternalHost } from '../contract/site.ts';
import type { HostSettings, ParsedOwnHost } from './externalHost.ts';

interface WebhookSecretStore {
  /** @returns the secret's credentialId */
  addSecret(organizationId: string, secret: string): Promise<string>;
}

/** A team's own host that is stored, and the secret of its webhooks if that was made now. */
export interface StoredHost {
  ownHost: ExternalHost;
  webhookSecret?: string;
}

/** Makes the host to store for the site, and stores its secrets. */
export async function storeHost(
  credentials: WebhookSecretStore,
  organizationId: string,
  { settings, bypass }: ParsedOwnHost,
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

/** Another project has the same secret, and has not sent anything yet. */
function keptWebhook({ webhook, ...knownHost }: ExternalHost, { apiUrl, project }: HostSettings) {
  const isSameProject = knownHost.apiUrl === apiUrl && knownHost.project === project;
  return webhook && (isSameProject ? webhook : { credentialId: webhook.credentialId });
}

/** Forges take any text, and use it as the key of an HMAC-SHA256. */
export const newWebhookSecret = (): string => `whf_${randomBytes(32).toString('base64url')}`;

/** The credentials of a site's own host, beside its repository's. */
export const hostSecretIds = (ownHost: ExternalHost | null | undefined): string[] =>
  [ownHost?.bypass, ownHost?.webhook].flatMap((namedSecret) =>
    namedSecret ? [namedSecret.credentialId] : [],
  );

/** Where the forge of a site sends its webhooks, at the service's own address. */
export const webhookPath = (siteId: string): string => `/api/v1/webhooks/forges/${siteId}`;
