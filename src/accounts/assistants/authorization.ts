import { AsyncLocalStorage } from 'node:async_hooks';
import type { Kysely } from 'kysely';
import type { ConsentRequest } from '../../contract/answers.ts';
import { DomainError, invalidInput } from '../../errors.ts';
import type { Schema } from '../../storage/schema.ts';
import { type FetchDocument, isDocumentAddress, readClientDocument } from './clientDocuments.ts';
import type { InTurn } from './inTurn.ts';
import { hostOf } from './registration.ts';

/** The console's screen where a person allows a program to act. */
export const CONSENT_PAGE = '/connect';
/** The scopes of every token. `offline_access` makes better-auth issue refresh tokens. */
export const SCOPES = ['mcp', 'offline_access'];

/** The parameters of an authorization request that count. All others are ignored. */
const needed = ['response_type', 'client_id', 'redirect_uri', 'code_challenge'];
const read = new Set([...needed, 'code_challenge_method', 'state', 'resource']);
/** They would replace the parameters that the person sees the effect of (RFC 9101). */
const refused = ['request', 'request_uri'];

/** A decision of a person in the console. */
export interface Decision {
  /** The query of the authorization request. */
  query: string;
  /** The organization in which the program may act; absent: the person refuses. */
  organizationId?: string | undefined;
}

interface Deps {
  db: Kysely<Schema>;
  /** Lets better-auth answer a request. */
  answer: (request: Request) => Promise<Response>;
  publicUrl: () => URL;
  /** The address for which tokens are valid. */
  resource: () => string;
  inTurn: InTurn;
  /** Reads the programs' own documents. Absent: programs can only register. */
  fetchDocument?: FetchDocument | undefined;
}

export interface Authorization {
  /**
   * Checks an authorization request (RFC 6749, section 4.1.1; RFC 7636; RFC 8707). It is refused to
   * the person, and never sent back to the program: a link could otherwise send people anywhere.
   * @param headers with the cookie of the person's session
   * @throws DomainError INVALID_INPUT
   */
  check(query: string, headers: Headers): Promise<ConsentRequest>;
  /**
   * Tells the program what the person decided.
   * @returns the program's address, with the code or the refusal
   * @throws DomainError INVALID_INPUT, and UNAUTHORIZED where the session has ended
   */
  decide(decision: Decision, headers: Headers): Promise<{ url: string; name: string }>;
  /** The organization that the person chose in the present call. */
  chosenOrganization(): string | undefined;
}

/** Asks people whether a program may act for them, by better-auth's OAuth provider. */
export function createAuthorization(deps: Deps): Authorization {
  const chosen = new AsyncLocalStorage<string>();
  const { db, answer, publicUrl, resource, inTurn, fetchDocument } = deps;
  const own = () => publicUrl().origin;

  async function call(path: string, headers: Headers, body?: object): Promise<string> {
    const asked = new Headers(headers);
    asked.set('accept', 'application/json');
    if (body) asked.set('content-type', 'application/json');
    const request = new Request(new URL(path, publicUrl()), {
      headers: asked,
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    });
    const response = await answer(request);
    const { url, message } = (await response.json()) as { url?: string; message?: string };
    if (response.status === 401) throw new DomainError('UNAUTHORIZED', 'No session');
    if (url === undefined)
      throw new Error(`better-auth answered ${path} with ${response.status} ${message ?? ''}`);
    return url;
  }

  /** The request as better-auth has checked and signed it. */
  async function signed(parameters: URLSearchParams, headers: Headers): Promise<string> {
    const clientId = parameters.get('client_id')!;
    if (fetchDocument && isDocumentAddress(clientId))
      await readClientDocument({ db, fetchDocument, own }, clientId);
    const url = await call(`/auth/oauth2/authorize?${parameters.toString()}`, headers);
    const page = `${CONSENT_PAGE}?`;
    if (url.startsWith(page)) return url.slice(page.length);
    if (url.startsWith('/sign-in?')) throw new DomainError('UNAUTHORIZED', 'No session');
    throw refusal(new URL(url).searchParams);
  }

  return {
    async check(query, headers) {
      const parameters = parametersOf(query, resource());
      await signed(parameters, headers);
      return clientOf(db, parameters);
    },
    async decide({ query, organizationId }, headers) {
      const parameters = parametersOf(query, resource());
      const body = {
        accept: organizationId !== undefined,
        oauth_query: await signed(parameters, headers),
      };
      const { name } = await clientOf(db, parameters);
      const consent = () => call('/auth/oauth2/consent', headers, body);
      if (organizationId === undefined) return { url: await consent(), name };
      const url = await inTurn(parameters.get('client_id')!, () =>
        chosen.run(organizationId, consent),
      );
      await noteUse(db, parameters);
      return { url, name };
    },
    chosenOrganization: () => chosen.getStore(),
  };
}

/** @throws DomainError INVALID_INPUT */
function parametersOf(query: string, resource: string): URLSearchParams {
  const given = new URLSearchParams(query);
  for (const name of given.keys()) {
    if (refused.includes(name)) throw invalidInput(`${name} is not supported`);
    // RFC 6749, section 3.1
    if (read.has(name) && name !== 'resource' && given.getAll(name).length > 1)
      throw invalidInput(`${name} is given twice`);
  }
  const missing = needed.filter((name) => !given.get(name));
  if (missing.length > 0) throw invalidInput(`${missing.join(', ')} is missing`);
  if (given.get('response_type') !== 'code') throw invalidInput('response_type must be code');
  // RFC 7636, section 4.2: base64url of a SHA-256
  if (!/^[\w-]{43}$/.test(given.get('code_challenge')!))
    throw invalidInput('code_challenge must be the SHA-256 of a secret, as 43 characters');
  const parameters = new URLSearchParams([...given].filter(([name]) => read.has(name)));
  if (!parameters.has('resource')) parameters.set('resource', resource);
  parameters.set('scope', SCOPES.join(' '));
  parameters.set('prompt', 'consent'); // a person decides each time
  return parameters;
}

/** Our words for errors of better-auth. */
const words: Record<string, string> = {
  invalid_client: 'The program is not known here any more: remove it there, and add it again',
  invalid_redirect: 'The program did not register the address to go back to (redirect_uri)',
  invalid_target: 'resource must be the address of this service, with /mcp',
};

function refusal(fields: URLSearchParams): DomainError {
  const code = fields.get('error') ?? 'invalid_request';
  return invalidInput(words[code] ?? fields.get('error_description') ?? code);
}

async function clientOf(db: Kysely<Schema>, parameters: URLSearchParams): Promise<ConsentRequest> {
  const clientId = parameters.get('client_id')!;
  const { name } = await db
    .selectFrom('oauth_clients')
    .select('name')
    .where('client_id', '=', clientId)
    .executeTakeFirstOrThrow();
  const publisher = isDocumentAddress(clientId) ? new URL(clientId).host : null;
  return { name, host: hostOf(parameters.get('redirect_uri')!), publisher };
}

async function noteUse(db: Kysely<Schema>, parameters: URLSearchParams): Promise<void> {
  await db
    .updateTable('oauth_clients')
    .set({ used_at: new Date() })
    .where('client_id', '=', parameters.get('client_id'))
    .execute();
}
