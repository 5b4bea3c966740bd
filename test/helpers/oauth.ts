import { createHash, randomBytes, randomInt } from 'node:crypto';
import {
  Client,
  type OAuthClientProvider,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client';
import { type Assistant, assistantOf } from './mcp.ts';
import { type People, startPeople } from './people.ts';

type ClientInformation = Parameters<NonNullable<OAuthClientProvider['saveClientInformation']>>[0];
type Tokens = Parameters<OAuthClientProvider['saveTokens']>[0];

export const callback = 'http://127.0.0.1:33418/callback';

export type AtPort = People & { origin: string };

/** People whose service is at the address where it listens, as programs look for its metadata. */
export async function startPeopleAtPort(
  options: Parameters<typeof startPeople>[0] = {},
): Promise<AtPort> {
  const address = { port: 0 };
  const publicUrl = options.publicUrl ?? (() => new URL(`http://localhost:${address.port}`));
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
  client: ClientInformation | undefined;
  kept: Tokens | undefined;
  verifier = '';
  /** The address at which the person's browser begins. */
  asked: URL | undefined;

  clientInformation = () => this.client;
  saveClientInformation = (client: ClientInformation) => void (this.client = client);
  tokens = () => this.kept;
  saveTokens = (tokens: Tokens) => void (this.kept = tokens);
  redirectToAuthorization = (url: URL) => void (this.asked = url);
  saveCodeVerifier = (verifier: string) => void (this.verifier = verifier);
  codeVerifier = () => this.verifier;
  state = () => 'a-state';
}

/** Whatever sends requests as the browser of a person who is signed in. */
interface Sender {
  get(path: string): Promise<Answer>;
  post(path: string, body: object): Promise<Answer>;
}
/** Of a service in a process of its own too, whose answers have header fields as an object. */
interface Answer {
  status: number;
  headers: Headers | Record<string, unknown>;
  json: Record<string, unknown>;
}
type Api = {
  request(
    method: string,
    path: string,
    options: { headers: Record<string, string>; body: string },
  ): Promise<Answer>;
};

/** The console's path to which a browser is sent that opens a program's address. */
export async function consentPathOf(browser: Sender, asked: URL): Promise<string> {
  const { status, headers } = await browser.get(asked.pathname + asked.search);
  if (status !== 302) throw new Error(`The address of the program answered ${status}`);
  const location: unknown =
    headers instanceof Headers ? headers.get('Location') : headers['location'];
  return location as string;
}

/** Allows what a program asks, as the console does. */
export async function allow(browser: Sender, asked: URL, organizationId: string): Promise<URL> {
  const path = await consentPathOf(browser, asked);
  const query = path.slice('/connect?'.length);
  const { status, json } = await browser.post('/account/assistants', { query, organizationId });
  if (status !== 200) throw new Error(`${status} ${JSON.stringify(json)}`);
  return new URL(json['url'] as string);
}

/**
 * The official client, which discovers, registers, and asks the person in a browser.
 * @param browser of a person who is signed in
 * @param clientId the address of a document that describes it, so that it need not register
 */
export async function connectByOAuth(
  origin: string,
  browser: Sender,
  organizationId: string,
  clientId?: string,
): Promise<Assistant & { program: Program }> {
  const program = new Program();
  if (clientId !== undefined) program.client = { client_id: clientId };
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

/** A body as programs send it to the token endpoint. Fields of '' are left out. */
export const formed = (fields: Record<string, string>) => ({
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
  body: new URLSearchParams(Object.entries(fields).filter(([, value]) => value !== '')).toString(),
});

/** For `X-Forwarded-For`: registrations are counted by address. */
export const anIpAddress = () => `10.${[1, 2, 3].map(() => randomInt(256)).join('.')}`;

export interface StoredTokens {
  access_token: string;
  refresh_token: string;
  /** The client's id. */
  client: string;
}

/** Connects a new program, and gives its tokens. */
export async function tokensOf(
  { api, origin }: { api: Api; origin: string },
  browser: Sender,
  organizationId: string,
): Promise<StoredTokens> {
  const { json: registered } = await api.request('POST', '/auth/oauth2/register', {
    headers: { 'content-type': 'application/json', 'x-forwarded-for': anIpAddress() },
    body: JSON.stringify({ client_name: 'Tests', redirect_uris: [callback] }),
  });
  const client = registered['client_id'] as string;
  const verifier = randomBytes(32).toString('base64url');
  const asked = new URL('/auth/oauth2/authorize', origin);
  asked.search = new URLSearchParams({
    response_type: 'code',
    client_id: client,
    redirect_uri: callback,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    resource: `${origin}/mcp`,
  }).toString();
  const code = (await allow(browser, asked, organizationId)).searchParams.get('code')!;
  const { json } = await api.request(
    'POST',
    '/auth/oauth2/token',
    formed({
      grant_type: 'authorization_code',
      client_id: client,
      redirect_uri: callback,
      code_verifier: verifier,
      code,
    }),
  );
  return { ...(json as unknown as StoredTokens), client };
}
