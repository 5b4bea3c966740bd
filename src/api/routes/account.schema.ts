import Joi from 'joi';
import { passwordLength } from '../../accounts/passwords.ts';
import { emailAddress } from '../../accounts/emailAddress.ts';
import { ownPath } from '../ownPath.ts';
import { text } from '../textSchema.ts';

const mailed = () => text().trim().name({ isMailed: true });

export const personName = mailed().description("The person's name.");
export const organizationName = mailed().description("The organization's name.");
export const email = emailAddress.description('An e-mail address.');
const password = Joi.string().min(passwordLength.least).max(passwordLength.most);
/** A password that is compared, not kept. */
const givenPassword = Joi.string().min(1).max(passwordLength.most);
const token = Joi.string().max(200);
/** Any origin: the path is the same at each. */
const here = new URL('http://localhost');

/** A path of the console, to which the OIDC provider's answer leads, as browsers read it. */
const consolePath = Joi.string()
  .max(2_000)
  .pattern(/^\/[!-~]*$/, 'a path')
  .custom(
    (path: string, helpers) =>
      ownPath(path, here) ?? helpers.error('string.pattern.name', { name: 'a path' }),
  );

/** What the bodies of `/auth/…` have, each some of it. */
export type AuthBody = Partial<
  Record<
    'name' | 'email' | 'password' | 'invitationId' | 'currentPassword' | 'newPassword',
    string
  > &
    Record<'provider' | 'callbackURL' | 'errorCallbackURL', string>
>;

/** Bodies of `/auth/…`, by path. Whatever has none here is not there. */
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
export const organizationBody = Joi.object<{ name: string }>({ name: organizationName.required() });
export const linkRequestBody = Joi.object<{ email: string }>({ email: email.required() });
export const linkCheckBody = Joi.object<{ token: string }>({ token: token.required() });

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
