import type { Kysely } from 'kysely';
import { invalidInputError } from '../../errors.ts';
import type { Schema } from '../../storage/schema.ts';
import { type ClientMetadata, readClient, RegistrationError, storeClient } from './registration.ts';
import { parseUrl } from '../../contract/text/parseUrl.ts';

const LONGEST_ADDRESS = 500;
/** The most bytes of a document that are read. Most have 1 kB; the draft recommends 5 at most. */
export const DOCUMENT_BYTES = 20_000;
/** Milliseconds to wait for a document. */
export const DOCUMENT_MS = 5_000;
/** Milliseconds after which a document is read again. */
const FRESH_MS = 3_600_000;

interface DocumentResponse {
  status: number;
  headers: Record<string, string>;
  body: Buffer;
}

/**
 * Requests a URL that a program named. Reaches allowed addresses only, follows no redirects, and
 * reads one byte more than `DOCUMENT_BYTES` at most.
 */
export type DocumentFetcher = (
  request: { url: string },
  signal: AbortSignal,
) => Promise<DocumentResponse>;

interface ClientDocumentDeps {
  db: Kysely<Schema>;
  fetchDocument: DocumentFetcher;
  /** This service's origin, which a program must not name as its redirect URI. */
  own: () => string;
}

/**
 * Whether a client id is the URL of a document that describes the program, such as
 * `https://app.example/oauth.json`. Such a program does not register (OAuth Client ID Metadata
 * Document, section 3).
 */
export const isDocumentAddress = (clientId: string): boolean => /^https?:\/\//i.test(clientId);

/**
 * Reads the metadata document of a program, and stores the program as if it had registered. Does
 * nothing if the document was read less than an hour ago.
 * @param clientId the URL of the document
 * @throws DomainError INVALID_INPUT if the address or the document is not a valid one, or can't be
 *   read
 */
export async function readClientDocument(
  deps: ClientDocumentDeps,
  clientId: string,
): Promise<void> {
  checkDocumentUrl(clientId);
  const { db, own: ownOrigin } = deps;
  if (await isFresh(db, clientId)) return;
  const metadata = await fetchMetadata(deps, clientId);
  const { name, addresses } = readDescribedClient(metadata, clientId, ownOrigin());
  await storeClient(db, clientId, { name, addresses, readAt: new Date() });
}

function checkDocumentUrl(clientId: string): void {
  const url = parseUrl(clientId);
  const isWhole =
    url !== null &&
    clientId.length <= LONGEST_ADDRESS &&
    // as it is written, without dot segments and the like
    url.href === clientId &&
    url.pathname !== '/' &&
    url.username + url.password + url.hash === '';
  if (!isWhole) throw documentError(documentProblems.url);
}

async function isFresh(db: Kysely<Schema>, clientId: string): Promise<boolean> {
  const freshQuery = db
    .selectFrom('oauth_clients')
    .select('id')
    .where('client_id', '=', clientId)
    .where('read_at', '>', new Date(Date.now() - FRESH_MS));
  return (await freshQuery.executeTakeFirst()) !== undefined;
}

async function fetchMetadata(
  { fetchDocument }: ClientDocumentDeps,
  clientId: string,
): Promise<ClientMetadata> {
  const signal = AbortSignal.timeout(DOCUMENT_MS);
  const documentResponse = await fetchDocument({ url: clientId }, signal).catch(() => {
    throw documentError(documentProblems.unreadable);
  });
  const { status, headers, body } = documentResponse;
  if (status !== 200) throw documentError(`its URL responds with status ${status} instead of 200`);
  if (!/^application\/(?:[\w.-]+\+)?json\b/i.test(headers['content-type'] ?? ''))
    throw documentError('it is not JSON');
  if (body.length > DOCUMENT_BYTES)
    throw documentError(`it is larger than ${DOCUMENT_BYTES} bytes`);
  return parseClientDocument(body);
}

function parseClientDocument(body: Buffer): ClientMetadata {
  try {
    const metadata: unknown = JSON.parse(body.toString());
    if (typeof metadata === 'object' && metadata !== null && !Array.isArray(metadata))
      return { ...metadata };
  } catch {
    // refused below
  }
  throw documentError('it is not a JSON object');
}

function readDescribedClient(metadata: ClientMetadata, clientId: string, ownOrigin: string) {
  if (metadata['client_id'] !== clientId) throw documentError('its client_id is a different URL');
  if ('client_secret' in metadata) throw documentError('it must not have a client_secret');
  const authMethod = metadata['token_endpoint_auth_method'] ?? 'none';
  if (authMethod !== 'none') throw documentError('its token_endpoint_auth_method must be none');
  try {
    return readClient(metadata, ownOrigin);
  } catch (error) {
    if (error instanceof RegistrationError) throw documentError(error.message);
    throw error;
  }
}

/** Why a program's document is refused, each as the end of a sentence. */
export const documentProblems = {
  url: 'its URL must have a path, and must not have a user name, dot segments or a fragment',
  unreadable: 'it cannot be read',
};

export const documentError = (reason: string) =>
  invalidInputError(`The program cannot be connected because of its metadata document: ${reason}`);
