import { setTimeout } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import type { Schema } from '../../storage/schema.ts';
import { type AssistantAuthorization, createAuthorization, SCOPES } from './authorization.ts';
import type { DocumentFetcher } from './clientDocuments.ts';
import { type AssistantConnections, createConnections, forgetReplays } from './connections.ts';
import { createKeyedQueue } from './keyedQueue.ts';
import {
  type ClientMetadata,
  isLoopback,
  registerClient,
  type RegisteredClient,
} from './registration.ts';
import { createTeamAssistants, type TeamAssistants } from './teamAssistants.ts';
import { hashOfAccessToken, hashOfRefreshToken, tokenPrefixes } from './tokens.ts';

/** The path of the resource that tokens are for: the MCP server. */
const RESOURCE = '/mcp';
/** The path of better-auth, which is also that of the authorization server's identifier. */
const ISSUER = '/auth';

/** How often to ask for the result of another process's refresh, and the milliseconds between. */
const REFRESH_CHECKS = 20;
const REFRESH_CHECK_MS = 50;

/** An answer of the token or the revocation endpoint. */
export interface TokenResponse {
  status: number;
  body: object;
}

export interface Assistants extends AssistantAuthorization, AssistantConnections {
  team: TeamAssistants;
  /** Whether people may connect programs: only if tokens travel over https or on one machine. */
  isOn(): boolean;
  /** The URL for which tokens are valid. */
  resource(): string;
  /** The authorization server's identifier. */
  issuer(): string;
  /** What the authorization server can do (RFC 8414). */
  metadata(): object;
  /**
   * Registers a program (RFC 7591).
   * @throws RegistrationError if the metadata is not acceptable
   */
  register(metadata: ClientMetadata): Promise<RegisteredClient>;
  /**
   * Exchanges a code or a refresh token for tokens (RFC 6749, section 3.2), or revokes a token (RFC
   * 7009).
   * @param fields the form that the program sent
   */
  token(endpoint: 'token' | 'revoke', fields: URLSearchParams): Promise<TokenResponse>;
}

interface AssistantDeps {
  db: Kysely<Schema>;
  /** Lets better-auth answer a request. */
  answer: (request: Request) => Promise<Response>;
  publicUrl: () => URL;
  /** Fetches the metadata documents of programs. Absent: programs can only register. */
  fetchDocument?: DocumentFetcher | undefined;
}

/**
 * Lets programs act for people, by OAuth 2.1. Three words matter here:
 *
 * - A program is an application such as Claude, in OAuth a client. It registers (registration.ts),
 *   or its client id is the URL of a document that describes it (clientDocuments.ts).
 * - A connection is a person's permission for one program to act in one organization, with the
 *   person's role there (connections.ts). The person or an admin can end it at any time.
 * - An assistant is what the API and the console call a connection: its id is the `assistantId`.
 *
 * How a program connects: it opens `/auth/oauth2/authorize?client_id=…` in the person's browser.
 * The console shows who asks (`check`). The person chooses an organization, or refuses (`decide`).
 * The program gets a code, and exchanges it for tokens (`token`):
 * `grant_type=authorization_code&code=…` → `{ access_token: 'mcp_at_…', refresh_token: '…', … }`.
 * `authenticate` checks the access token of each later call.
 */
export function createAssistants({
  db,
  answer,
  publicUrl,
  fetchDocument,
}: AssistantDeps): Assistants {
  const absoluteUrl = (path: string) => new URL(path, publicUrl()).href;
  const resource = () => absoluteUrl(RESOURCE);
  // better-auth fails if two requests of a program for the same connection run at once
  const runInTurn = createKeyedQueue();
  const authorization = createAuthorization({
    db,
    answer,
    publicUrl,
    resource,
    inTurn: runInTurn,
    fetchDocument,
  });
  return {
    ...authorization,
    ...createConnections(db),
    team: createTeamAssistants(db),
    isOn: () => publicUrl().protocol === 'https:' || isLoopback(publicUrl()),
    resource,
    issuer: () => absoluteUrl(ISSUER),
    metadata: () => ({
      ...serverMetadata(absoluteUrl),
      client_id_metadata_document_supported: fetchDocument !== undefined,
    }),
    register: (metadata) => registerClient(db, metadata, publicUrl().origin),
    async token(endpoint, fields) {
      await forgetReplays(db, new Date());
      if (endpoint === 'revoke') replaceForeign(fields);
      const askProvider = async () => {
        const requestInit = { method: 'POST', body: fields };
        const request = new Request(absoluteUrl(`${ISSUER}/oauth2/${endpoint}`), requestInit);
        const tokenResponse = await toTokenResponse(endpoint, await answer(request));
        return endpoint === 'revoke' ? revocationResponse(tokenResponse, fields) : tokenResponse;
      };
      return runInTurn(fields.get('client_id') ?? '', () => afterOthers(db, fields, askProvider));
    },
  };
}

/**
 * Asks better-auth, and asks again while another process handles the same refresh. As soon as that
 * process has stored its answer, better-auth returns the same answer here.
 */
async function afterOthers(
  db: Kysely<Schema>,
  fields: URLSearchParams,
  askProvider: () => Promise<TokenResponse>,
): Promise<TokenResponse> {
  for (let attemptsLeft = REFRESH_CHECKS; attemptsLeft > 0; attemptsLeft--) {
    const tokenResponse = await askProvider();
    if (tokenResponse.status === 200 || !(await isRefreshed(db, fields))) return tokenResponse;
    await setTimeout(REFRESH_CHECK_MS);
  }
  return askProvider();
}

/** Whether the program used this refresh token so recently that it may repeat the request. */
async function isRefreshed(db: Kysely<Schema>, fields: URLSearchParams): Promise<boolean> {
  const tokenHash = hashOfRefreshToken(fields.get('refresh_token') ?? '');
  if (tokenHash === null) return false;
  const refreshQuery = db
    .selectFrom('oauth_refresh_tokens')
    .select('id')
    .where('token', '=', tokenHash)
    .where('client_id', '=', fields.get('client_id'))
    .where('rotation_replay_expires_at', '>=', new Date());
  return (await refreshQuery.executeTakeFirst()) !== undefined;
}

const serverMetadata = (absoluteUrl: (path: string) => string) => ({
  issuer: absoluteUrl(ISSUER),
  authorization_endpoint: absoluteUrl(`${ISSUER}/oauth2/authorize`),
  token_endpoint: absoluteUrl(`${ISSUER}/oauth2/token`),
  registration_endpoint: absoluteUrl(`${ISSUER}/oauth2/register`),
  revocation_endpoint: absoluteUrl(`${ISSUER}/oauth2/revoke`),
  scopes_supported: SCOPES,
  response_types_supported: ['code'],
  response_modes_supported: ['query'],
  grant_types_supported: ['authorization_code', 'refresh_token'],
  token_endpoint_auth_methods_supported: ['none'],
  revocation_endpoint_auth_methods_supported: ['none'],
  code_challenge_methods_supported: ['S256'],
  authorization_response_iss_parameter_supported: true,
});

/** A token that nobody has. */
const NO_TOKEN = `${tokenPrefixes.refresh}none`;

/** Replaces a token that is not ours, because better-auth fails at a text that looks like a JWT. */
function replaceForeign(fields: URLSearchParams): void {
  const token = fields.get('token');
  const isForeign = token && !hashOfAccessToken(token) && !hashOfRefreshToken(token);
  if (isForeign) fields.set('token', NO_TOKEN);
}

/**
 * The answer to a revocation. Succeeds for a token that is unknown or was revoked before (RFC 7009,
 * section 2.2).
 */
function revocationResponse(tokenResponse: TokenResponse, fields: URLSearchParams): TokenResponse {
  const { error } = tokenResponse.body as { error?: string };
  const isUnknown =
    tokenResponse.status === 400 && error !== 'invalid_client' && fields.get('token');
  return isUnknown ? { status: 200, body: {} } : tokenResponse;
}

/** The codes of RFC 6749, section 5.2, by the codes that better-auth answers instead. */
const grantErrorCodes: Record<string, string> = {
  invalid_token: 'invalid_grant',
  invalid_user: 'invalid_grant',
};
/** Descriptions of errors that are `invalid_grant`, but `invalid_request` in better-auth. */
const grantErrorPattern =
  /^(?:code verification failed|code_verifier required|session no longer exists)/;

async function toTokenResponse(endpoint: string, response: Response): Promise<TokenResponse> {
  const responseText = await response.text();
  const { status } = response;
  if (status >= 500) throw new Error(`better-auth responded to /oauth2/${endpoint} with ${status}`);
  const body = (
    responseText === '' || responseText === 'null' ? {} : JSON.parse(responseText)
  ) as Record<string, string>;
  if (status < 400) return { status, body };
  const { error = 'invalid_request', error_description: description = '' } = body;
  const errorCode = grantErrorPattern.test(description)
    ? 'invalid_grant'
    : (grantErrorCodes[error] ?? error);
  return {
    status: 400,
    body: { error: errorCode, ...(description && { error_description: description }) },
  };
}
