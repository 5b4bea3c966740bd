import { RegistrationError } from '../../accounts/assistants/registration.ts';
import { DomainError, hasCode } from '../../errors.ts';
import type { ApiContext, ApiMiddleware, ApiRouter } from '../context.ts';
import { networkOf } from '../middleware/authenticate.ts';
import { bodyReader, jsonBody } from '../middleware/body.ts';
import type { Limiter } from '../middleware/limiter.ts';
import { countOr } from '../middleware/rateLimit.ts';
import { whereOAuthIsOn } from '../middleware/whereOAuthIsOn.ts';
import type { Needs } from '../parts.ts';
import { createRouter } from '../router.ts';
import { mostBytes } from './auth.ts';

type Deps = Needs<'accounts' | 'rateLimits'>;

/** Where RFC 8414 puts the metadata of the issuer `/auth`, and where older programs look. */
const METADATA = [
  '/.well-known/oauth-authorization-server/auth',
  '/.well-known/oauth-authorization-server',
];
const FORM = 'application/x-www-form-urlencoded';
/** The parameters of a token request that count. */
const tokenFields = [
  'grant_type',
  'client_id',
  'code',
  'code_verifier',
  'redirect_uri',
  'refresh_token',
  'resource',
];
/** `token_type_hint` doesn't count: a wrong one would hide the token (RFC 7009, section 2.1). */
const revokeFields = ['client_id', 'token'];

/**
 * What programs call that act for people: OAuth 2.1 with PKCE, and with registration or client ID
 * metadata documents, as the Model Context Protocol asks for it (Authorization, 2026-07-28). Errors
 * are those of RFC 6749.
 */
export function oauthRoutes({ accounts: { assistants }, rateLimits }: Deps): ApiRouter {
  const router = createRouter();
  const counted = (name: 'register' | 'token') => countRequests(rateLimits.oauth[name]);
  const isOn = whereOAuthIsOn(assistants);

  router.get(METADATA, isOn, (ctx) => void (ctx.body = assistants.metadata()));
  // the console asks the person, whatever the program wishes
  router.get('/auth/oauth2/authorize', isOn, (ctx) => ctx.redirect(`/connect${ctx.search}`));
  router.post(
    '/auth/oauth2/register',
    isOn,
    counted('register'),
    oauthErrors(),
    jsonBody({ maxBytes: mostBytes }),
    async (ctx) => {
      const { body } = ctx.state;
      if (typeof body !== 'object' || body === null || Array.isArray(body))
        throw new RegistrationError('invalid_client_metadata', 'The body must be a JSON object');
      ctx.body = await assistants.register({ ...body });
      ctx.status = 201;
    },
  );
  for (const [endpoint, names] of [
    ['token', tokenFields],
    ['revoke', revokeFields],
  ] as const)
    router.post(`/auth/oauth2/${endpoint}`, isOn, counted('token'), oauthErrors(), async (ctx) => {
      const answer = await assistants.token(endpoint, await formOf(ctx, names));
      ctx.status = answer.status;
      ctx.body = answer.body;
    });
  return router;
}

const readForm = bodyReader({ types: [FORM], maxBytes: mostBytes });

/** The named fields of a form. Others don't count. */
async function formOf(ctx: ApiContext, names: readonly string[]): Promise<URLSearchParams> {
  const given = new URLSearchParams((await readForm(ctx)).toString());
  const twice = names.find((name) => name !== 'resource' && given.getAll(name).length > 1);
  if (twice !== undefined) throw new DomainError('INVALID_INPUT', `${twice} is given twice`);
  return new URLSearchParams([...given].filter(([name]) => names.includes(name)));
}

/** Errors of a wrong request, as RFC 6749 (section 5.2) and RFC 7591 (section 3.2.2) have them. */
function oauthErrors(): ApiMiddleware {
  return async function oauthErrors(ctx, next) {
    try {
      await next();
    } catch (error) {
      if (error instanceof RegistrationError) refuse(ctx, error.code, error.message);
      else if (hasCode(error, 'INVALID_INPUT')) refuse(ctx, 'invalid_request', error.message);
      else throw error;
    }
  };
}

function refuse(ctx: ApiContext, code: string, message: string): void {
  ctx.status = 400;
  ctx.body = { error: code, error_description: message };
}

/** Limits the requests of a client's network. */
function countRequests(limiter: Limiter): ApiMiddleware {
  return async function countRequests(ctx, next) {
    await countOr('Too many requests from this address', [['address', limiter, networkOf(ctx.ip)]]);
    await next();
  };
}
