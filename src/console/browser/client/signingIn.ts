import { path } from '../../../browser/path.ts';
import type { SignInOptions } from '../../../contract/answers.ts';
import { account } from './api.ts';
import { posting, read, Refused, send } from '../../../browser/http.ts';

/** How people can sign in here, and whether they can sign up. */
export const readOptions = () => account<SignInOptions>(path`/options`);

interface Credentials {
  email: string;
  password: string;
}

/**
 * Signs in with a password.
 * @throws Refused with a message for people
 */
export async function signIn({ email, password }: Credentials): Promise<void> {
  const response = await send(path`/auth/sign-in/email`, posting({ email, password }));
  if (response.status === 401)
    throw new Refused(401, 'E-mail or password is wrong. Check both, then try again.');
  if (response.status === 403)
    throw new Refused(
      403,
      'Your address is not confirmed yet. Open the link in the mail that we sent you.',
    );
  await read(response);
}

interface NewPerson extends Credentials {
  name: string;
  invitationId?: string | undefined;
}

/**
 * Makes an account, and signs in unless the person must wait for a mail first.
 * @returns whether the person is signed in
 */
export async function signUp(person: NewPerson): Promise<boolean> {
  const response = await send(path`/auth/sign-up/email`, posting(person));
  if (response.status === 403)
    throw new Refused(
      403,
      'Only invited people can sign up here. Ask a colleague for an invitation.',
    );
  await read(response);
  try {
    await signIn(person);
    return true;
  } catch (error) {
    if (error instanceof Refused && error.status === 403) return false;
    throw error;
  }
}

/** Goes to the provider's sign-in, which leads back to `next`. */
export async function signInElsewhere(next: string): Promise<void> {
  const response = await send(
    path`/auth/sign-in/social`,
    posting({ provider: 'oidc', callbackURL: next, errorCallbackURL: '/sign-in' }),
  );
  const { url } = await read<{ url: string }>(response);
  location.assign(url);
}

/**
 * Asks for a mail with a sign-in link. Works the same whether or not the address has an account.
 */
export const mailLink = (email: string) => account(path`/link/request`, posting({ email }));
