import { DomainError, hasErrorCode, invalidInputError } from '../../errors.ts';
import type { ApiMiddleware, ApiRouter } from '../context.ts';
import { authenticate, type KeyAuthenticator } from '../middleware/authenticate.ts';
import { jsonBody } from '../middleware/body.ts';
import { rateLimit } from '../middleware/rateLimit.ts';
import type { RouteDeps } from '../apiDeps.ts';
import { createRouter } from '../router.ts';

type McpRouteDeps = RouteDeps<'mcp' | 'publicUrl' | 'accounts'>;
type PublicUrl = McpRouteDeps['publicUrl'];

/** The path of the metadata of the resource `/mcp` (RFC 9728). */
const METADATA = '/.well-known/oauth-protected-resource/mcp';

/**
 * The endpoint of assistants: the Model Context Protocol over HTTP (src/mcp has its tools). Which
 * tools an API key or an access token may call depends on its role.
 */
export function mcpRoutes(deps: McpRouteDeps): ApiRouter {
  const { rateLimits, mcp, publicUrl, accounts } = deps;
  // many programs end addresses with a slash
  const router = createRouter('', { strict: false });
  router.post(
    '/mcp',
    challengeWithMetadata(publicUrl),
    requireOwnOrigin(publicUrl),
    requireCredential(),
    authenticate(keysAndTokens(deps), rateLimits),
    rateLimit(rateLimits, 'read'),
    jsonBody(),
    async (ctx) => {
      if (Array.isArray(ctx.state.body))
        throw invalidInputError('The request body must be one JSON-RPC message, not a batch');
      const mcpResponse = await mcp(ctx);
      // only this header field is copied: the others are for a stream that stays open
      const contentType = mcpResponse.headers.get('Content-Type');
      ctx.status = mcpResponse.status;
      ctx.body = Buffer.from(await mcpResponse.arrayBuffer());
      if (contentType !== null) ctx.type = contentType;
    },
  );
  router.get(METADATA, (ctx) => {
    const { assistants } = accounts;
    ctx.body = {
      resource: assistants.resource(),
      resource_name: 'Agent Tasks',
      bearer_methods_supported: ['header'],
      ...(assistants.isOn() && {
        authorization_servers: [assistants.issuer()],
        scopes_supported: ['mcp'],
      }),
    };
  });
  return router;
}

/** Finds the owners of API keys, and of access tokens for this endpoint. */
const keysAndTokens = ({ keys, accounts: { assistants } }: McpRouteDeps): KeyAuthenticator => ({
  authenticate: async (token) =>
    (await keys.authenticate(token)) ??
    (assistants.isOn() ? assistants.authenticate(token, assistants.resource()) : null),
  identify: (keyId) => keys.identify(keyId),
});

/**
 * Refuses a request without a key or token. It does not count as a wrong key, because programs
 * begin with such a request when they sign people in, and many of them may share one IP address.
 */
function requireCredential(): ApiMiddleware {
  return async function requireCredential(ctx, next) {
    if (ctx.get('Authorization') === '')
      throw new DomainError('UNAUTHORIZED', 'The request has neither an API key nor a token', {
        reason: 'the request has no Authorization header',
      });
    await next();
  };
}

/** Adds to a 401 where the client learns how to get a token (RFC 9728, section 5.1). */
function challengeWithMetadata(publicUrl: PublicUrl): ApiMiddleware {
  return async function challenge(ctx, next) {
    try {
      await next();
    } catch (error) {
      const metadataUrl = new URL(METADATA, publicUrl()).href;
      if (hasErrorCode(error, 'UNAUTHORIZED'))
        ctx.set('WWW-Authenticate', `Bearer resource_metadata="${metadataUrl}"`);
      throw error;
    }
  };
}

/**
 * Refuses requests that a page of another origin makes a browser send, as the protocol demands
 * (Streamable HTTP, Security). `Host` was checked before.
 */
function requireOwnOrigin(publicUrl: PublicUrl): ApiMiddleware {
  return async function ownOrigin(ctx, next) {
    const origin = ctx.get('Origin');
    const ownOrigins = [publicUrl().origin, `http://${ctx.host}`];
    if (origin !== '' && !ownOrigins.includes(origin))
      throw new DomainError('FORBIDDEN', 'The Origin must be that of this service, or absent');
    await next();
  };
}
