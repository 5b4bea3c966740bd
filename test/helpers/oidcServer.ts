import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { Provider } from 'oidc-provider';

/** A person at the provider. */
export interface Claims {
  email: string;
  email_verified: boolean;
  name: string;
}

/**
 * A real OpenID Connect provider on loopback, which signs in whom the test says, and asks for no
 * consent.
 * @param redirectUri where it may send browsers back
 * @param port 0 for a free one
 */
export async function startOidc(redirectUri: string, port = 0) {
  const people = new Map<string, Claims>();
  let current = '';
  const server = createServer();
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client = { clientId: 'agent-tasks', clientSecret: 'a secret of the tests only' };
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: client.clientId,
        client_secret: client.clientSecret,
        redirect_uris: [redirectUri],
        grant_types: ['authorization_code'],
        response_types: ['code'],
      },
    ],
    conformIdTokenClaims: false,
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    cookies: { keys: ['a key of the tests'] },
    features: { devInteractions: { enabled: false } },
    pkce: { required: () => true },
    findAccount: (_, accountId) => ({
      accountId,
      claims: () => ({ sub: accountId, ...people.get(accountId)! }),
    }),
    loadExistingGrant: async (ctx) => {
      const grant = new ctx.oidc.provider.Grant({
        accountId: ctx.oidc.session!.accountId!,
        clientId: ctx.oidc.client!.clientId,
      });
      grant.addOIDCScope('openid email profile');
      await grant.save();
      return grant;
    },
    interactions: { url: (_, interaction) => `/interaction/${interaction.uid}` },
  });
  const handle = provider.callback();
  server.on('request', (req, res) => {
    if (!req.url?.startsWith('/interaction/')) return void handle(req, res);
    void provider.interactionFinished(req, res, { login: { accountId: current } });
  });
  return {
    issuer,
    ...client,
    /** Whom the next browser is at the provider. */
    signInAs(subject: string, claims: Claims) {
      people.set(subject, claims);
      current = subject;
    },
    /** Follows the provider's pages until it sends the browser back. @returns that address */
    async follow(start: string): Promise<string> {
      const cookies = new Map<string, string>();
      let at = start;
      while (at.startsWith(issuer)) {
        const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
        const reply = await fetch(at, { redirect: 'manual', headers: { cookie } });
        for (const line of reply.headers.getSetCookie()) {
          const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
          cookies.set(name, value);
        }
        const location = reply.headers.get('location');
        if (!location) throw new Error(`${reply.status} ${await reply.text()}`);
        at = new URL(location, at).href;
      }
      return at;
    },
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
