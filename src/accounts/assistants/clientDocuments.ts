import type { Kysely } from 'kysely';
import { invalidInput } from '../../errors.ts';
import type { Schema } from '../../storage/schema.ts';
import { type ClientMetadata, readClient, RegistrationError, storeClient } from './registration.ts';

const LONGEST_ADDRESS = 500;
/** The most bytes of a document that are read. Most have 1 kB; the draft recommends 5 at most. */
export const DOCUMENT_BYTES = 20_000;
/** Milliseconds in which a document must come. */
export const DOCUMENT_MS = 5_000;
/** Milliseconds for which a document counts before it is read again. */
const FRESH_MS = 3_600_000;

interface DocumentAnswer {
  status: number;
  headers: Record<string, string>;
  body: Buffer;
}

/**
 * Reads an address of a program. It reaches allowed addresses only, follows no redirects, and reads
 * at most `DOCUMENT_BYTES` and one byte, in `DOCUMENT_MS`.
 */
export type FetchDocument = (
  request: { url: string },
  signal: AbortSignal,
) => Promise<DocumentAnswer>;

interface Deps {
  db: Kysely<Schema>;
  fetchDocument: FetchDocument;
  /** This service's origin, to which no code is sent. */
  own: () => string;
}

/**
 * Whether a client id is the address of a document that describes the program, in place of a
 * registration (OAuth Client ID Metadata Document, section 3).
 */
export const isDocumentAddress = (clientId: string): boolean => /^https?:\/\//i.test(clientId);

/**
 * Reads the document of a program and stores the program as if it had registered. A document that
 * was read less than an hour ago is not read again.
 * @throws DomainError INVALID_INPUT if the address or the document is not a valid one, or can't be
 *   read
 */
export async function readClientDocument(deps: Deps, clientId: string): Promise<void> {
  checkAddress(clientId);
  const { db, own } = deps;
  if (await isFresh(db, clientId)) return;
  const metadata = await fetchMetadata(deps, clientId);
  const { name, addresses } = clientIn(metadata, clientId, own());
  await storeClient(db, clientId, { name, addresses, readAt: new Date() });
}

function checkAddress(clientId: string): void {
  const url = URL.parse(clientId);
  const isWhole =
    url !== null &&
    clientId.length <= LONGEST_ADDRESS &&
    // as it is written, without dot segments and the like
    url.href === clientId &&
    url.pathname !== '/' &&
    url.username + url.password + url.hash === '';
  if (!isWhole)
    throw refused('its address must have a path, and no user, dot segments or fragment');
}

async function isFresh(db: Kysely<Schema>, clientId: string): Promise<boolean> {
  const found = db
    .selectFrom('oauth_clients')
    .select('id')
    .where('client_id', '=', clientId)
    .where('read_at', '>', new Date(Date.now() - FRESH_MS));
  return (await found.executeTakeFirst()) !== undefined;
}

async function fetchMetadata({ fetchDocument }: Deps, clientId: string): Promise<ClientMetadata> {
  const signal = AbortSignal.timeout(DOCUMENT_MS);
  const answer = await fetchDocument({ url: clientId }, signal).catch(() => {
    throw refused("it can't be read");
  });
  const { status, headers, body } = answer;
  if (status !== 200) throw refused(`its address answers ${status} and not 200`);
  if (!/^application\/(?:[\w.-]+\+)?json\b/i.test(headers['content-type'] ?? ''))
    throw refused('it is not JSON');
  if (body.length > DOCUMENT_BYTES) throw refused(`it has more than ${DOCUMENT_BYTES} bytes`);
  return parsed(body);
}

function parsed(body: Buffer): ClientMetadata {
  try {
    const metadata: unknown = JSON.parse(body.toString());
    if (typeof metadata === 'object' && metadata !== null && !Array.isArray(metadata))
      return { ...metadata };
  } catch {
    // refused below
  }
  throw refused('it is not a JSON object');
}

function clientIn(metadata: ClientMetadata, clientId: string, own: string) {
  if (metadata['client_id'] !== clientId) throw refused('its client_id is another address');
  if ('client_secret' in metadata) throw refused('it must not have a client_secret');
  const method = metadata['token_endpoint_auth_method'] ?? 'none';
  if (method !== 'none') throw refused('its token_endpoint_auth_method must be none');
  try {
    return readClient(metadata, own);
  } catch (error) {
    if (error instanceof RegistrationError) throw refused(error.message);
    throw error;
  }
}

const refused = (why: string) =>
  invalidInput(`The program can't be connected by its document: ${why}`);
