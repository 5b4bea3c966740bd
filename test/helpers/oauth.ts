import { createHash, randomBytes } from 'node:crypto';
import {
  Client,
  type OAuthClientProvider,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client';
import { type Assistant, assistantOf } from './mcp.ts';
import { type Browser, type People, startPeople } from './people.ts';

type Stored = Parameters<NonNullable<OAuthClientProvider['saveClientInformation']>>[0];
type Tokens = Parameters<OAuthClientProvider['saveTokens']>[0];

export const callback = 'http://127.0.0.1:33418/callback';

/** People whose service is at the address where it listens, as programs look for its metadata. */
export async function startPeopleAtPort(
  options: Parameters<typeof startPeople>[0] = {},
): Promise<People & { origin: string }> {
  const address = { port: 0 };
  const publicUrl = () => new URL(`http://localhost:${address.port}`);
  const people = await startPeople({ ...options, publicUrl });
  address.port = people.api.port;
  return { ...people, origin: publicUrl().origin };
}

/** What a program keeps of its connection, with a browser that a script drives. */
class Program implements OAuthClientProvider {
  readonly redirectUrl = callback;
  readonly clientMetadata = {
    client_name: 'Tests',
    redirect_uris: [callback],
    grant_types: ['authorization_code', 'refresh_token'],
  };
  client: Stored | undefined;
  kept: Tokens | undefined;
  verifier = '';
  /** The address at which the person's browser begins. */
  asked: URL | undefined;

  clientInformation = () => this.client;
  saveClientInformation = (client: Stored) => void (this.client = client);
  tokens = () => this.kept;
  saveTokens = (tokens: Tokens) => void (this.kept = tokens);
  redirectToAuthorization = (url: URL) => void (this.asked = url);
  saveCodeVerifier = (verifier: string) => void (this.verifier = verifier);
  codeVerifier = () => this.verifier;
  state = () => 'a-state';
}

/** The console's path to which a browser is sent that opens a program's address. */
export async function consentPathOf(browser: Browser, asked: URL): Promise<string> {
  const { status, headers } = await browser.get(asked.pathname + asked.search);
  if (status !== 302) throw new Error(`The address of the program answered ${status}`);
  return headers.get('Location')!;
}

/** Allows what a program asks, as the console does. */
export async function allow(browser: Browser, asked: URL, organizationId: string): Promise<URL> {
  const path = await consentPathOf(browser, asked);
  const query = path.slice('/connect?'.length);
  const { status, json } = await browser.post('/account/assistants', { query, organizationId });
  if (status !== 200) throw new Error(`${status} ${JSON.stringify(json)}`);
  return new URL(json['url'] as string);
}

/**
 * The official client, which discovers, registers, and asks the person in a browser.
 * @param browser of a person who is signed in
 */
export async function connectByOAuth(
  origin: string,
  browser: Browser,
  organizationId: string,
): Promise<Assistant & { program: Program }> {
  const program = new Program();
  const address = new URL('/mcp', origin);
  const first = new StreamableHTTPClientTransport(address, { authProvider: program });
  const refused: unknown = await clientOf()
    .connect(first)
    .catch((error: unknown) => error);
  if (!(refused instanceof UnauthorizedError)) throw refused;
  await first.finishAuth((await allow(browser, program.asked!, organizationId)).searchParams);
  const client = clientOf();
  await client.connect(new StreamableHTTPClientTransport(address, { authProvider: program }));
  return { ...assistantOf(client), program };
}

const clientOf = () =>
  new Client({ name: 'tests', version: '1' }, { versionNegotiation: { mode: 'auto' } });

/** A secret and its challenge (RFC 7636). */
export function pkce() {
  const verifier = randomBytes(32).toString('base64url');
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') };
}
