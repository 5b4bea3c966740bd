import { randomBytes, randomUUID } from 'node:crypto';
import type { Kysely } from 'kysely';
import { visible } from '../../contract/visible.ts';
import type { Schema } from '../../storage/schema.ts';

const mostAddresses = 10;
const longestAddress = 1_000;
const longestName = 60;
/** Characters of a given name that are read. */
const readName = 1_000;
/** The most programs without a connection. The oldest of them make room. */
const MOST_UNUSED = 10_000;

/** Addresses in programs that no loopback address reaches. Only these, letter by letter. */
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

/** A registered program, as it reads it. */
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
 * Registers a program. It gets no secret: PKCE and its addresses protect its codes. Other metadata
 * that it sends is replaced or left out, as RFC 7591 lets servers do.
 * @param own this service's origin, to which no code is sent
 * @throws RegistrationError
 */
export async function registerClient(
  db: Kysely<Schema>,
  metadata: ClientMetadata,
  own: string,
): Promise<RegisteredClient> {
  const { name, addresses } = readClient(metadata, own);
  const at = new Date();
  const clientId = randomBytes(24).toString('base64url');
  await storeClient(db, clientId, { name, addresses });
  return {
    client_id: clientId,
    client_id_issued_at: Math.floor(at.getTime() / 1_000),
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
 * @throws RegistrationError
 */
export function readClient(
  metadata: ClientMetadata,
  own: string,
): { name: string; addresses: string[] } {
  const addresses = addressesIn(metadata['redirect_uris'], own);
  const grants = metadata['grant_types'] ?? ['authorization_code'];
  if (!Array.isArray(grants) || !grants.includes('authorization_code'))
    throw new RegistrationError(
      'invalid_client_metadata',
      'grant_types must contain authorization_code',
    );
  return { name: clientName(metadata['client_name'], addresses), addresses };
}

/** Stores a program, or what its address describes now. */
export async function storeClient(
  db: Kysely<Schema>,
  clientId: string,
  { name, addresses, readAt }: { name: string; addresses: string[]; readAt?: Date },
): Promise<void> {
  const described = {
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
      ...described,
    })
    .onConflict((conflict) => conflict.column('client_id').doUpdateSet(described))
    .execute();
  await makeRoom(db);
}

/** Removes the oldest programs that nobody connected, if there are too many of them. */
async function makeRoom(db: Kysely<Schema>): Promise<void> {
  const unused = db.selectFrom('oauth_clients').where('used_at', 'is', null);
  const kept = unused.select('id').orderBy('created_at', 'desc').limit(MOST_UNUSED);
  const { count } = await unused
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .executeTakeFirstOrThrow();
  if (Number(count) <= MOST_UNUSED) return;
  await db
    .deleteFrom('oauth_clients')
    .where('used_at', 'is', null)
    .where('id', 'not in', kept)
    .execute();
}

function addressesIn(given: unknown, own: string): string[] {
  if (!Array.isArray(given) || given.length === 0 || given.length > mostAddresses)
    throw new RegistrationError(
      'invalid_redirect_uri',
      `redirect_uris must be a list of 1 to ${mostAddresses} addresses`,
    );
  for (const address of given as unknown[]) checkAddress(address, own);
  return given as string[];
}

/**
 * A code goes to a server over https, or to a program on the person's own computer (RFC 8252,
 * section 7.3).
 */
function checkAddress(address: unknown, own: string): void {
  const refuse = (why: string) => {
    throw new RegistrationError('invalid_redirect_uri', `Each of redirect_uris must be ${why}`);
  };
  if (typeof address !== 'string' || address.length > longestAddress)
    return refuse(`a text of at most ${longestAddress} characters`);
  if (privateAddresses.has(address)) return undefined;
  const url = URL.parse(address);
  if (!url || !/^[!-~]+$/.test(address)) return refuse('an absolute address in ASCII');
  if (url.username !== '' || url.password !== '' || address.includes('#'))
    return refuse('without a user, a password and a fragment');
  if (url.origin === own) return refuse('of another service than this one');
  const isLocal = url.protocol === 'http:' && isLoopback(url);
  if (!isLocal && url.protocol !== 'https:') return refuse('https, or http://127.0.0.1');
  return undefined;
}

/** Whether an address leads to the computer of whoever opens it. */
export const isLoopback = ({ hostname }: URL): boolean =>
  hostname === 'localhost' || hostname === '127.0.0.1' || hostname === '[::1]';

/**
 * The host to which an address sends a code; null for a program on the person's own computer.
 */
export function hostOf(address: string): string | null {
  const url = new URL(address);
  return url.protocol === 'https:' ? url.host : null;
}

/** A program's name for people: one short line without invisible characters. */
function clientName(given: unknown, [address = '']: string[]): string {
  const text = typeof given === 'string' ? given.slice(0, readName).toWellFormed() : '';
  const line = visible(text.replace(/[\s\p{Cc}]+/gu, ' ')).trim();
  const short = [...line].slice(0, longestName).join('').trim();
  return /[\p{L}\p{N}]/u.test(short) ? short : (hostOf(address) ?? 'A program on your computer');
}
