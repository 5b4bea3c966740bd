import { generateKeyPairSync, sign } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Browser } from './people.ts';

const client = { clientId: 'agent-tasks', clientSecret: 'a secret of the tests only' };
const keys = { own: newKey('own'), foreign: newKey('own') };

function newKey(kid: string) {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return { privateKey, jwk: { ...publicKey.export({ format: 'jwk' }), kid, use: 'sig' } };
}

type Json = Record<string, unknown>;

/** What a forged provider says to the next person who comes back from it. */
export interface Forgery {
  /** Beside those that are right. `undefined` takes a claim out. */
  claims?: Json;
  /** The person at the userinfo endpoint; not there by default. */
  userinfo?: Json;
  /** Beside those of `RS256` and the key's id. */
  header?: Json;
  /** Whether another key signs than the one that is published. */
  isForeign?: boolean;
  /** In place of the ID token. */
  idToken?: unknown;
  /** Beside the fields of the token endpoint's answer. */
  token?: Json;
}

/** Answers a request in place of the provider. */
type Instead = (req: IncomingMessage, res: ServerResponse) => void;

/**
 * An OpenID Connect provider on loopback that says whatever a test wants: real providers can not be
 * made to lie. It shows nobody a page.
 */
export async function startForgedOidc() {
  const forged: { forgery: Forgery; nonce: string | null }[] = [];
  let discovery: Json = {};
  const instead = new Map<string, Instead>();
  const server = createServer((req, res) => void answer(req, res));
  async function answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const path = new URL(req.url!, issuer).pathname;
    const other = instead.get(path);
    if (other) return other(req, res);
    const say = answers[path];
    res.writeHead(say ? 200 : 404, { 'content-type': 'application/json' });
    const { authorization = '' } = req.headers;
    const code =
      new URLSearchParams(await text(req)).get('code') ?? authorization.replace('Bearer ', '');
    res.end(JSON.stringify(say?.(code) ?? {}));
  }
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  const answers: Record<string, (code: string) => unknown> = {
    '/.well-known/openid-configuration': () => ({
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      userinfo_endpoint: `${issuer}/userinfo`,
      jwks_uri: `${issuer}/jwks`,
      id_token_signing_alg_values_supported: ['RS256'],
      ...discovery,
    }),
    '/jwks': () => ({ keys: [keys.own.jwk] }),
    '/token': (code) => {
      const { forgery, nonce } = forged[Number(code)]!;
      const idToken =
        'idToken' in forgery ? forgery.idToken : signed(claimsOf(forgery, nonce), forgery);
      const body = { access_token: code, token_type: 'Bearer', expires_in: 60 };
      return { ...body, id_token: idToken, ...forgery.token };
    },
    '/userinfo': (code) => forged[Number(code)]?.forgery.userinfo,
  };

  function claimsOf({ claims }: Forgery, nonce: string | null): Json {
    const at = Math.floor(Date.now() / 1000);
    const right = { iss: issuer, aud: client.clientId, exp: at + 60, iat: at, nonce };
    return { ...right, ...claims };
  }

  return {
    ...client,
    issuer,
    instead,
    /** Says something else of itself from now on. */
    describe: (fields: Json) => void (discovery = fields),
    /**
     * Goes to the provider and comes back with what is said.
     * @param asked fields with which the way begins
     * @param query parameters with which it comes back
     * @returns where the browser is sent then, and who is signed in
     */
    async signIn(
      browser: Browser,
      forgery: Forgery,
      {
        asked = { callbackURL: '/sites' },
        query: more = {},
      }: { asked?: object; query?: Record<string, string> } = {},
    ) {
      const { status, json } = await browser.post('/auth/sign-in/social', {
        provider: 'oidc',
        ...asked,
      });
      if (status !== 200) return { status, location: '', user: undefined };
      const query = new URL(String(json['url'])).searchParams;
      const code = String(forged.push({ forgery, nonce: query.get('nonce') }) - 1);
      const back = new URL(query.get('redirect_uri')!);
      const reply = await browser.get(
        `${back.pathname}?${new URLSearchParams({ code, state: query.get('state')!, ...more })}`,
      );
      const { json: account } = await browser.get('/account');
      const user = account['user'] as { userId: string; name: string; email: string } | undefined;
      return { status: reply.status, location: reply.headers.get('location') ?? '', user };
    },
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

function signed(claims: Json, { header, isForeign = false }: Forgery): string {
  const head = { alg: 'RS256', kid: 'own', ...header };
  const signedText = [head, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');
  if (head.alg === 'none') return `${signedText}.`;
  const { privateKey } = isForeign ? keys.foreign : keys.own;
  return `${signedText}.${sign('sha256', Buffer.from(signedText), privateKey).toString('base64url')}`;
}
