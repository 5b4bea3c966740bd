import { path } from '../../../browser/path.ts';
import type { SignInOptions } from '../../../contract/answers.ts';
import { account } from './api.ts';
import { read, Refused, send } from '../../../browser/http.ts';
import { loadAccount } from './session.ts';

/** What this service offers to whoever is not signed in. */
export const readOptions = () => account<SignInOptions>(path`/options`);

/** The least that a password has. */
export const PASSWORD_LENGTH = 12;

/** @throws Refused with words for people */
export async function signIn(email: string, password: string): Promise<void> {
  const response = await send(path`/auth/sign-in/email`, {
    method: 'POST',
    body: { email, password },
  });
  if (response.status === 401)
    throw new Refused(401, 'E-mail or password is wrong. Check both, then try again.');
  if (response.status === 403)
    throw new Refused(
      403,
      'Your address is not confirmed yet. Open the link in the mail that we sent you.',
    );
  await read(response);
}

export interface NewPerson {
  name: string;
  email: string;
  password: string;
  invitationId?: string;
}

/**
 * Makes an account, and signs in where no mail has to be waited for. @returns whether one is signed
 * in
 */
export async function signUp(person: NewPerson): Promise<boolean> {
  const response = await send(path`/auth/sign-up/email`, { method: 'POST', body: person });
  if (response.status === 403)
    throw new Refused(
      403,
      'Only invited people can sign up here. Ask a colleague for an invitation.',
    );
  await read(response);
  try {
    await signIn(person.email, person.password);
    return true;
  } catch (error) {
    if (error instanceof Refused && error.status === 403) return false;
    throw error;
  }
}

/** Leads to the provider's sign-in, and from there back to `next`. */
export async function signInElsewhere(next: string): Promise<void> {
  const response = await send(path`/auth/sign-in/social`, {
    method: 'POST',
    body: { provider: 'oidc', callbackURL: next, errorCallbackURL: '/sign-in' },
  });
  const { url } = await read<{ url: string }>(response);
  location.assign(url);
}

/**
 * Asks for a mail with a link that signs in, whether there is an account for the address or not.
 */
export const mailLink = (email: string) =>
  account(path`/link/request`, { method: 'POST', body: { email } });

export const enter = () => loadAccount();
