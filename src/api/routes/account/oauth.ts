import { RegistrationError } from '../../../accounts/assistants/registration.ts';
import { DomainError, hasErrorCode } from '../../../errors.ts';
import type { ApiContext, ApiMiddleware, ApiRouter } from '../../context.ts';
import { networkOf } from '../../middleware/authenticate.ts';
import { bodyReader, jsonBody } from '../../middleware/body.ts';
import type { RequestLimiter } from '../../middleware/limiter.ts';
import { countOrThrow } from '../../middleware/rateLimit.ts';
import { whereOAuthIsOn } from '../../middleware/whereOAuthIsOn.ts';
import type { SomeApiDeps } from '../../apiDeps.ts';
import { createRouter } from '../../router.ts';
import { mostBytes } from './auth.ts';

type OAuthRouteDeps = SomeApiDeps<'accounts' | 'rateLimits'>;

/** The path of the issuer's metadata (RFC 8414), and the path that older programs request. */
const METADATA = [
  '/.well-known/oauth-authorization-server/auth',
  '/.well-known/oauth-authorization-server',
];
const FORM = 'application/x-www-form-urlencoded';
/** The parameters of a token request that are passed on. Others are ignored. */
const tokenFields = [
  'grant_type',
  'client_id',
  'code',
  'code_verifier',
  'redirect_uri',
  'refresh_token',
  'resource',
];
/** Without `token_type_hint`: a wrong one would hide the token (RFC 7009, section 2.1). */
const revokeFields = ['client_id', 'token'];

/**
 * The OAuth endpoints with which assistants get a token to act for a person: metadata, authorize,
 * register, token and revoke. They follow OAuth 2.1 with PKCE, and with registration or client ID
 * metadata documents, as the Model Context Protocol requires (Authorization, 2026-07-28). Errors
 * have the form of RFC 6749.
 */
export function oauthRoutes({ accounts: { assistants }, rateLimits }: OAuthRouteDeps): ApiRouter {
  const router = createRouter();
  const countEndpoint = (name: 'register' | 'token') => countRequests(rateLimits.oauth[name]);
  const isOn = whereOAuthIsOn(assistants);

  router.get(METADATA, isOn, (ctx) => void (ctx.body = assistants.metadata()));
  // the console asks the person, whatever the program wishes
  router.get('/auth/oauth2/authorize', isOn, (ctx) => ctx.redirect(`/connect${ctx.search}`));
  router.post(
    '/auth/oauth2/register',
    isOn,
    countEndpoint('register'),
    oauthErrors(),
    jsonBody({ maxBytes: mostBytes }),
    async (ctx) => {
      const { body } = ctx.state;
      if (typeof body !== 'object' || body === null || Array.isArray(body))
        throw new RegistrationError(
          'invalid_client_metadata',
          'The request body must be a JSON object',
        );
      ctx.body = await assistants.register({ ...body });
      ctx.status = 201;
    },
  );
  for (const [endpoint, fieldNames] of [
    ['token', tokenFields],
    ['revoke', revokeFields],
  ] as const)
    router.post(
      `/auth/oauth2/${endpoint}`,
      isOn,
      countEndpoint('token'),
      oauthErrors(),
      async (ctx) => {
        const tokenResponse = await assistants.token(
          endpoint,
          await readFormFields(ctx, fieldNames),
        );
        ctx.status = tokenResponse.status;
        ctx.body = tokenResponse.body;
      },
    );
  return router;
}

const readForm = bodyReader({ types: [FORM], maxBytes: mostBytes });

/**
 * Reads the named fields of a form, and ignores others.
 * @throws DomainError INVALID_INPUT for a repeated field, except `resource`
 */
async function readFormFields(
  ctx: ApiContext,
  fieldNames: readonly string[],
): Promise<URLSearchParams> {
  const formParameters = new URLSearchParams((await readForm(ctx)).toString());
  const repeatedName = fieldNames.find(
    (name) => name !== 'resource' && formParameters.getAll(name).length > 1,
  );
  if (repeatedName !== undefined)
    throw new DomainError('INVALID_INPUT', `${repeatedName} occurs more than once`);
  return new URLSearchParams([...formParameters].filter(([name]) => fieldNames.includes(name)));
}

/** Answers invalid requests in the form of RFC 6749 (section 5.2) and RFC 7591 (section 3.2.2). */
function oauthErrors(): ApiMiddleware {
  return async function oauthErrors(ctx, next) {
    try {
      await next();
    } catch (error) {
      if (error instanceof RegistrationError) answerOAuthError(ctx, error.code, error.message);
      else if (hasErrorCode(error, 'INVALID_INPUT'))
        answerOAuthError(ctx, 'invalid_request', error.message);
      else throw error;
    }
  };
}

function answerOAuthError(ctx: ApiContext, code: string, message: string): void {
  ctx.status = 400;
  ctx.body = { error: code, error_description: message };
}

/** Limits the requests of a client's network. */
function countRequests(limiter: RequestLimiter): ApiMiddleware {
  return async function countRequests(ctx, next) {
    await countOrThrow('Too many requests from this IP address', [
      ['address', limiter, networkOf(ctx.ip)],
    ]);
    await next();
  };
}
