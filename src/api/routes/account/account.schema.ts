import { Joi } from '../../../boundedJoi.ts';
import type { ConsentDecision } from '../../../accounts/assistants/authorization.ts';
import { passwordLength } from '../../../contract/passwordLength.ts';
import { emailAddress } from '../../../accounts/emailAddress.ts';
import { ownPath } from '../../ownPath.ts';
import { textSchema } from '../../textSchema.ts';

const mailedName = () => textSchema().trim().name({ isMailed: true });

export const personName = mailedName().description('The name of the person.');
export const organizationName = mailedName().description('The name of the organization.');
export const email = emailAddress.description('An e-mail address.');
const password = Joi.string().min(passwordLength.least).max(passwordLength.most);
/** A password to compare with the stored one. The rules for new passwords don't apply. */
const givenPassword = Joi.string().min(1).max(passwordLength.most);
const token = Joi.string().max(200);
/** A stand-in for the service's own origin; only the path is used. */
const placeholderOrigin = new URL('http://localhost');

/** A path of the console to return to after signing in at the OIDC provider. */
const consolePath = Joi.string()
  .max(2_000)
  .pattern(/^\/[!-~]*$/, 'a path')
  .custom(
    (givenPath: string, helpers) =>
      ownPath(givenPath, placeholderOrigin) ??
      helpers.error('string.pattern.name', { name: 'a path' }),
  );

/** The fields of all bodies of `/auth/…`; each body has some of them. */
export type AuthBody = Partial<
  Record<
    'name' | 'email' | 'password' | 'invitationId' | 'currentPassword' | 'newPassword',
    string
  > &
    Record<'provider' | 'callbackURL' | 'errorCallbackURL', string>
>;

/** Schemas of bodies by path. A path that is missing here has no route. */
export const authBodies = {
  '/auth/sign-up/email': Joi.object({
    name: personName.required(),
    email: email.required(),
    password: password.required(),
    invitationId: Joi.string().guid({ separator: '-', wrapper: false }),
  }),
  '/auth/sign-in/email': Joi.object({
    email: email.required(),
    password: givenPassword.required(),
    rememberMe: Joi.boolean(),
  }),
  '/auth/sign-in/social': Joi.object({
    provider: Joi.string().valid('oidc').required(),
    callbackURL: consolePath.default('/'),
    errorCallbackURL: consolePath.default('/sign-in'),
  }),
  '/auth/sign-out': Joi.object({}),
  '/auth/revoke-sessions': Joi.object({}),
  '/auth/change-password': Joi.object({
    currentPassword: givenPassword.required(),
    newPassword: password.required(),
  }),
} as const;

export const keyBody = Joi.object<{ organizationId: string }>({
  organizationId: Joi.string().max(36).required(),
});
export const eventMailBody = Joi.object<{ areWanted: boolean }>({
  areWanted: Joi.boolean().required(),
});
export const organizationBody = Joi.object<{ name: string }>({ name: organizationName.required() });
/** The query of an OAuth authorization request, which the console sends along with the consent. */
const authorizationQuery = Joi.string().max(8_000).required();
export const consentBody = Joi.object<{ query: string }>({ query: authorizationQuery });
export const decisionBody = Joi.object<ConsentDecision>({
  query: authorizationQuery,
  organizationId: Joi.string().max(36),
});
export const linkRequestBody = Joi.object<{ email: string }>({ email: email.required() });
export const linkCheckBody = Joi.object<{ token: string }>({ token: token.required() });

/** The body of POST /account/link. Which fields it needs depends on the purpose of the link. */
export interface LinkBody {
  token: string;
  name?: string;
  email?: string;
  password?: string;
  organization?: string;
}

export const linkBody = Joi.object<LinkBody>({
  token: token.required(),
  name: personName,
  email,
  password,
  organization: organizationName,
});
