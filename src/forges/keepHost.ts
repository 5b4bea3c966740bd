import { randomBytes } from 'node:crypto';
import { defined } from '../contract/defined.ts';
import type { OwnHost } from '../contract/site.ts';
import type { HostSettings, ReadOwnHost } from './ownHost.ts';

interface SecretStore {
  /** @returns the secret's credentialId */
  addSecret(organizationId: string, secret: string): Promise<string>;
}

/** A team's own host that is stored, and the secret of its webhooks if that was made now. */
export interface KeptHost {
  ownHost: OwnHost;
  webhookSecret?: string;
}

/** Makes the host to store for the site, and stores its secrets. */
export async function keepHost(
  credentials: SecretStore,
  organizationId: string,
  { settings, bypass }: ReadOwnHost,
  known?: OwnHost,
): Promise<KeptHost> {
  const bypassId =
    bypass?.value === undefined
      ? known?.bypass?.credentialId
      : await credentials.addSecret(organizationId, bypass.value);
  const webhookSecret = known?.webhook ? undefined : newWebhookSecret();
  const webhook =
    (known && webhookOf(known, settings)) ??
    (webhookSecret && { credentialId: await credentials.addSecret(organizationId, webhookSecret) });
  const ownHost: OwnHost = {
    ...settings,
    ...(bypass && bypassId && { bypass: { header: bypass.header, credentialId: bypassId } }),
    ...(webhook && { webhook }),
  };
  return { ownHost, ...defined({ webhookSecret }) };
}

/** Another project has the same secret, and has not sent anything yet. */
function webhookOf({ webhook, ...known }: OwnHost, { apiUrl, project }: HostSettings) {
  const isSame = known.apiUrl === apiUrl && known.project === project;
  return webhook && (isSame ? webhook : { credentialId: webhook.credentialId });
}

/** Forges take any text, and use it as the key of an HMAC-SHA256. */
export const newWebhookSecret = (): string => `whf_${randomBytes(32).toString('base64url')}`;

/** The credentials of a site's own host, beside its repository's. */
export const secretsOf = (ownHost: OwnHost | null | undefined): string[] =>
  [ownHost?.bypass, ownHost?.webhook].flatMap((named) => (named ? [named.credentialId] : []));

/** Where the forge of a site sends its webhooks, at the service's own address. */
export const webhookPath = (siteId: string): string => `/api/v1/webhooks/forges/${siteId}`;
