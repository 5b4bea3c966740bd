import { AsyncLocalStorage } from 'node:async_hooks';
import type { Kysely } from 'kysely';
import type { ConsentRequest } from '../../contract/responses.ts';
import { DomainError, invalidInputError } from '../../errors.ts';
import type { Schema } from '../../storage/schema.ts';
import { type DocumentFetcher, isDocumentAddress, readClientDocument } from './clientDocuments.ts';
import type { KeyedQueue } from './keyedQueue.ts';
import { redirectHost } from './registration.ts';

/** The console's screen where a person allows a program to act. */
export const CONSENT_PAGE = '/connect';
/** The scopes of every token. `offline_access` makes better-auth issue refresh tokens. */
export const SCOPES = ['mcp', 'offline_access'];

/** The parameters of an authorization request that count. All others are ignored. */
const neededParameters = ['response_type', 'client_id', 'redirect_uri', 'code_challenge'];
const readParameterNames = new Set([
  ...neededParameters,
  'code_challenge_method',
  'state',
  'resource',
]);
/** Refused, because they could replace parameters that the person has seen (RFC 9101). */
const refusedParameters = ['request', 'request_uri'];

/** A decision of a person in the console. */
export interface ConsentDecision {
  /** The query of the authorization request. */
  query: string;
  /** The organization in which the program may act. Absent: the person refuses. */
  organizationId?: string | undefined;
}

interface AuthorizationDeps {
  db: Kysely<Schema>;
  /** Lets better-auth answer a request. */
  answer: (request: Request) => Promise<Response>;
  publicUrl: () => URL;
  /** The URL for which tokens are valid. */
  resource: () => string;
  /** Runs the requests of each program one at a time. */
  inTurn: KeyedQueue;
  /** Fetches the metadata documents of programs. Absent: programs can only register. */
  fetchDocument?: DocumentFetcher | undefined;
}

export interface AssistantAuthorization {
  /**
   * Checks an authorization request (RFC 6749, section 4.1.1; RFC 7636; RFC 8707). The person reads
   * what is wrong with it. The program is not told, because a link could otherwise send people to
   * any site.
   * @param headers with the cookie of the person's session
   * @returns what the person should know of the program before deciding
   * @throws DomainError INVALID_INPUT, and UNAUTHORIZED if the session has ended
   */
  check(query: string, headers: Headers): Promise<ConsentRequest>;
  /**
   * Records what the person decided.
   * @returns the program's name, and its URL with the code or the refusal, for the person's browser
   * @throws DomainError INVALID_INPUT, and UNAUTHORIZED if the session has ended
   */
  decide(decision: ConsentDecision, headers: Headers): Promise<{ url: string; name: string }>;
  /** The organization that the person chose, for better-auth during a call of `decide`. */
  chosenOrganization(): string | undefined;
}

/** Asks a person whether a program may act for them, by better-auth's OAuth provider. */
export function createAuthorization(deps: AuthorizationDeps): AssistantAuthorization {
  const chosenOrganizationStore = new AsyncLocalStorage<string>();
  const { db, answer, publicUrl, resource, inTurn, fetchDocument } = deps;
  const ownOrigin = () => publicUrl().origin;

  /** Calls better-auth. @returns the URL to which it redirects */
  async function call(path: string, headers: Headers, body?: object): Promise<string> {
    const requestHeaders = new Headers(headers);
    requestHeaders.set('accept', 'application/json');
    if (body) requestHeaders.set('content-type', 'application/json');
    const request = new Request(new URL(path, publicUrl()), {
      headers: requestHeaders,
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    });
    const response = await answer(request);
    const { url, message } = (await response.json()) as { url?: string; message?: string };
    if (response.status === 401)
      throw new DomainError('UNAUTHORIZED', 'The request has no session');
    if (url === undefined)
      throw new Error(`better-auth responded to ${path} with ${response.status} ${message ?? ''}`);
    return url;
  }

  /** The query of the request after better-auth has checked and signed it. */
  async function signed(parameters: URLSearchParams, headers: Headers): Promise<string> {
    const clientId = parameters.get('client_id')!;
    if (fetchDocument && isDocumentAddress(clientId))
      await readClientDocument({ db, fetchDocument, own: ownOrigin }, clientId);
    const url = await call(`/auth/oauth2/authorize?${parameters.toString()}`, headers);
    const consentPrefix = `${CONSENT_PAGE}?`;
    if (url.startsWith(consentPrefix)) return url.slice(consentPrefix.length);
    if (url.startsWith('/sign-in?'))
      throw new DomainError('UNAUTHORIZED', 'The request has no session');
    throw refusalError(new URL(url).searchParams);
  }

  return {
    async check(query, headers) {
      const parameters = readParameters(query, resource());
      await signed(parameters, headers);
      return describeClient(db, parameters);
    },
    async decide({ query, organizationId }, headers) {
      const parameters = readParameters(query, resource());
      const consentBody = {
        accept: organizationId !== undefined,
        oauth_query: await signed(parameters, headers),
      };
      const { name } = await describeClient(db, parameters);
      const sendConsent = () => call('/auth/oauth2/consent', headers, consentBody);
      if (organizationId === undefined) return { url: await sendConsent(), name };
      const url = await inTurn(parameters.get('client_id')!, () =>
        chosenOrganizationStore.run(organizationId, sendConsent),
      );
      await noteClientUse(db, parameters);
      return { url, name };
    },
    chosenOrganization: () => chosenOrganizationStore.getStore(),
  };
}

/** Reads the parameters that count, and adds our scopes. @throws DomainError INVALID_INPUT */
function readParameters(query: string, resource: string): URLSearchParams {
  const queryParameters = new URLSearchParams(query);
  for (const parameterName of queryParameters.keys()) {
    if (refusedParameters.includes(parameterName))
      throw invalidInputError(`${parameterName} is not supported`);
    // RFC 6749, section 3.1
    if (
      readParameterNames.has(parameterName) &&
      parameterName !== 'resource' &&
      queryParameters.getAll(parameterName).length > 1
    )
      throw invalidInputError(`${parameterName} occurs more than once`);
  }
  const missingNames = neededParameters.filter(
    (parameterName) => !queryParameters.get(parameterName),
  );
  if (missingNames.length > 0) throw invalidInputError(`${missingNames.join(', ')} is missing`);
  if (queryParameters.get('response_type') !== 'code')
    throw invalidInputError('response_type must be code');
  // RFC 7636, section 4.2: base64url of a SHA-256
  if (!/^[\w-]{43}$/.test(queryParameters.get('code_challenge')!))
    throw invalidInputError(
      'code_challenge must be the SHA-256 of a secret in base64url, which has 43 characters',
    );
  const parameters = new URLSearchParams(
    [...queryParameters].filter(([parameterName]) => readParameterNames.has(parameterName)),
  );
  if (!parameters.has('resource')) parameters.set('resource', resource);
  parameters.set('scope', SCOPES.join(' '));
  parameters.set('prompt', 'consent'); // a person decides each time
  return parameters;
}

/** Our messages for errors of better-auth, by its codes. */
const authorizationErrors: Record<string, string> = {
  invalid_client:
    'The service no longer knows this program. Remove the service from the program, and add it again.',
  invalid_redirect: 'The program did not register the redirect_uri of this request',
  invalid_target: 'resource must be the URL of this service followed by /mcp',
};

function refusalError(fields: URLSearchParams): DomainError {
  const errorCode = fields.get('error') ?? 'invalid_request';
  return invalidInputError(
    authorizationErrors[errorCode] ?? fields.get('error_description') ?? errorCode,
  );
}

async function describeClient(
  db: Kysely<Schema>,
  parameters: URLSearchParams,
): Promise<ConsentRequest> {
  const clientId = parameters.get('client_id')!;
  const { name } = await db
    .selectFrom('oauth_clients')
    .select('name')
    .where('client_id', '=', clientId)
    .executeTakeFirstOrThrow();
  const publisher = isDocumentAddress(clientId) ? new URL(clientId).host : null;
  return { name, host: redirectHost(parameters.get('redirect_uri')!), publisher };
}

async function noteClientUse(db: Kysely<Schema>, parameters: URLSearchParams): Promise<void> {
  await db
    .updateTable('oauth_clients')
    .set({ used_at: new Date() })
    .where('client_id', '=', parameters.get('client_id'))
    .execute();
}
