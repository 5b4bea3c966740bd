import { hostPath } from '../../../browser/hostPath.ts';
import type { SignInOptions } from '../../../contract/responses.ts';
import { callAccount } from './api.ts';
import {
  postRequest,
  readResponse,
  RefusedRequestError,
  sendRequest,
} from '../../../browser/sendRequest.ts';

/** How people can sign in here, and whether they can sign up. */
export const readOptions = () => callAccount<SignInOptions>(hostPath`/options`);

interface SignInCredentials {
  email: string;
  password: string;
}

/**
 * Signs in with a password.
 * @throws RefusedRequestError with a message for people
 */
export async function signIn({ email, password }: SignInCredentials): Promise<void> {
  const response = await sendRequest(
    hostPath`/auth/sign-in/email`,
    postRequest({ email, password }),
  );
  if (response.status === 401)
    throw new RefusedRequestError(
      401,
      'The e-mail address or the password is wrong. Check both, then try again.',
    );
  if (response.status === 403)
    throw new RefusedRequestError(
      403,
      'Your e-mail address is not confirmed yet. Open the link in the e-mail that we sent you.',
    );
  await readResponse(response);
}

interface NewPerson extends SignInCredentials {
  name: string;
  invitationId?: string | undefined;
}

/**
 * Makes an account, and signs in unless the person must wait for a mail first.
 * @returns whether the person is signed in
 */
export async function signUp(person: NewPerson): Promise<boolean> {
  const response = await sendRequest(hostPath`/auth/sign-up/email`, postRequest(person));
  if (response.status === 403)
    throw new RefusedRequestError(
      403,
      'Only invited people can sign up here. Ask a colleague for an invitation.',
    );
  await readResponse(response);
  try {
    await signIn(person);
    return true;
  } catch (error) {
    if (error instanceof RefusedRequestError && error.status === 403) return false;
    throw error;
  }
}

/** Opens the sign-in page of the OIDC provider, which leads back to the path `next`. */
export async function signInElsewhere(next: string): Promise<void> {
  const response = await sendRequest(
    hostPath`/auth/sign-in/social`,
    postRequest({ provider: 'oidc', callbackURL: next, errorCallbackURL: '/sign-in' }),
  );
  const { url } = await readResponse<{ url: string }>(response);
  location.assign(url);
}

/**
 * Asks for a mail with a sign-in link. Works the same whether or not the address has an account.
 */
export const mailLink = (email: string) =>
  callAccount(hostPath`/link/request`, postRequest({ email }));
