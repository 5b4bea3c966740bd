import { randomBytes, randomUUID } from 'node:crypto';
import type { Kysely } from 'kysely';
import { removeInvisible } from '../../contract/text/removeInvisible.ts';
import type { Schema } from '../../storage/schema.ts';
import { parseUrl } from '../../contract/text/parseUrl.ts';

const mostAddresses = 10;
const longestAddress = 1_000;
const longestName = 60;
/** How many characters of the sent name are read. */
const readName = 1_000;
/** The most programs that nobody has connected. If there are more, the oldest are removed. */
const MOST_UNUSED = 10_000;

/** Redirect URIs with a scheme of the program's own. Only exactly these are allowed. */
const privateAddresses = new Set(['cursor://anysphere.cursor-mcp/oauth/callback']);

/** What a program asks to be registered with (RFC 7591, section 2), of any type. */
export type ClientMetadata = Record<string, unknown>;

/** Why a program is not registered (RFC 7591, section 3.2.2). */
export class RegistrationError extends Error {
  readonly code: 'invalid_redirect_uri' | 'invalid_client_metadata';

  constructor(code: RegistrationError['code'], message: string) {
    super(message);
    this.name = 'RegistrationError';
    this.code = code;
  }
}

/** The answer to a program that registered (RFC 7591, section 3.2.1). */
export interface RegisteredClient {
  client_id: string;
  client_id_issued_at: number;
  client_name: string;
  redirect_uris: string[];
  grant_types: string[];
  response_types: string[];
  token_endpoint_auth_method: 'none';
  scope: string;
}

/**
 * Registers a program. It gets a client id and no secret: PKCE and its redirect URIs protect its
 * codes. Other metadata that it sends is replaced or left out, as RFC 7591 lets servers do.
 * `{ client_name: 'Claude', redirect_uris: ['https://claude.example/callback'] }` →
 * `{ client_id: '…', client_name: 'Claude', token_endpoint_auth_method: 'none', … }`
 * @param ownOrigin this service's origin, which redirect URIs must not have
 * @throws RegistrationError if the metadata is not acceptable
 */
export async function registerClient(
  db: Kysely<Schema>,
  metadata: ClientMetadata,
  ownOrigin: string,
): Promise<RegisteredClient> {
  const { name, addresses } = readClient(metadata, ownOrigin);
  const issuedAt = new Date();
  const clientId = randomBytes(24).toString('base64url');
  await storeClient(db, clientId, { name, addresses });
  return {
    client_id: clientId,
    client_id_issued_at: Math.floor(issuedAt.getTime() / 1_000),
    client_name: name,
    redirect_uris: addresses,
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
    scope: 'mcp offline_access',
  };
}

/**
 * Reads what a program says of itself.
 * @returns its name for people, and its redirect URIs
 * @throws RegistrationError if the metadata is not acceptable
 */
export function readClient(
  metadata: ClientMetadata,
  ownOrigin: string,
): { name: string; addresses: string[] } {
  const addresses = readRedirectUris(metadata['redirect_uris'], ownOrigin);
  const grantTypes = metadata['grant_types'] ?? ['authorization_code'];
  if (!Array.isArray(grantTypes) || !grantTypes.includes('authorization_code'))
    throw new RegistrationError(
      'invalid_client_metadata',
      'grant_types must contain authorization_code',
    );
  return { name: readClientName(metadata['client_name'], addresses), addresses };
}

/**
 * Stores a program, or its new name and redirect URIs if it is known.
 * @param client.readAt when its metadata document was read. Absent: the program registered
 */
export async function storeClient(
  db: Kysely<Schema>,
  clientId: string,
  { name, addresses, readAt }: { name: string; addresses: string[]; readAt?: Date },
): Promise<void> {
  const clientColumns = {
    name,
    redirect_uris: JSON.stringify(addresses),
    ...(readAt && { read_at: readAt }),
  };
  await db
    .insertInto('oauth_clients')
    .values({
      id: randomUUID(),
      client_id: clientId,
      token_endpoint_auth_method: 'none',
      created_at: new Date(),
      ...clientColumns,
    })
    .onConflict((conflict) => conflict.column('client_id').doUpdateSet(clientColumns))
    .execute();
  await removeOldestClients(db);
}

/** Removes the oldest programs that nobody has connected, if there are too many of them. */
async function removeOldestClients(db: Kysely<Schema>): Promise<void> {
  const unusedClients = db.selectFrom('oauth_clients').where('used_at', 'is', null);
  const keptIds = unusedClients.select('id').orderBy('created_at', 'desc').limit(MOST_UNUSED);
  const { count } = await unusedClients
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .executeTakeFirstOrThrow();
  if (Number(count) <= MOST_UNUSED) return;
  await db
    .deleteFrom('oauth_clients')
    .where('used_at', 'is', null)
    .where('id', 'not in', keptIds)
    .execute();
}

function readRedirectUris(givenUris: unknown, ownOrigin: string): string[] {
  if (!Array.isArray(givenUris) || givenUris.length === 0 || givenUris.length > mostAddresses)
    throw new RegistrationError(
      'invalid_redirect_uri',
      `redirect_uris must be a list of 1 to ${mostAddresses} URLs`,
    );
  for (const address of givenUris as unknown[]) checkRedirectUri(address, ownOrigin);
  return givenUris as string[];
}

/**
 * Checks a redirect URI: codes are sent to a server over https, or to a program on the person's own
 * computer (RFC 8252, section 7.3).
 */
function checkRedirectUri(address: unknown, ownOrigin: string): void {
  const refuseUri = (requirement: string) => {
    throw new RegistrationError(
      'invalid_redirect_uri',
      `Each of redirect_uris must be ${requirement}`,
    );
  };
  if (typeof address !== 'string' || address.length > longestAddress)
    return refuseUri(`a text of at most ${longestAddress} characters`);
  if (privateAddresses.has(address)) return undefined;
  const url = parseUrl(address);
  if (!url || !/^[!-~]+$/.test(address)) return refuseUri('an absolute URL in ASCII');
  if (url.username !== '' || url.password !== '' || address.includes('#'))
    return refuseUri('a URL without a user name, a password and a fragment');
  if (url.origin === ownOrigin) return refuseUri('a URL of another service than this one');
  const isLocal = url.protocol === 'http:' && isLoopback(url);
  if (!isLocal && url.protocol !== 'https:') return refuseUri('an https URL, or http://127.0.0.1');
  return undefined;
}

/** Whether a URL leads to the computer of the person who opens it. */
export const isLoopback = ({ hostname }: URL): boolean =>
  hostname === 'localhost' || hostname === '127.0.0.1' || hostname === '[::1]';

/** The host that a redirect URI sends codes to; null for a program on the person's computer. */
export function redirectHost(redirectUri: string): string | null {
  const url = new URL(redirectUri);
  return url.protocol === 'https:' ? url.host : null;
}

/** A program's name for people: one short line without invisible characters. */
function readClientName(givenName: unknown, [address = '']: string[]): string {
  const shortenedName =
    typeof givenName === 'string' ? givenName.slice(0, readName).toWellFormed() : '';
  const cleanLine = removeInvisible(shortenedName.replace(/[\s\p{Cc}]+/gu, ' ')).trim();
  const shortName = [...cleanLine].slice(0, longestName).join('').trim();
  return /[\p{L}\p{N}]/u.test(shortName)
    ? shortName
    : (redirectHost(address) ?? 'A program on your computer');
}
