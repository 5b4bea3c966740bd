import { type HostPath, hostPath } from '../../../browser/hostPath.ts';
import type { SignedInAccount, SessionApiKey } from '../../../contract/responses.ts';
import type { Membership } from '../../../contract/membership.ts';
import type { Role } from '../../../contract/roles.ts';
import { createStore, useStore } from '../store.ts';
import { tabMemory } from '../tabMemory.ts';
import {
  postRequest,
  readResponse,
  RefusedRequestError,
  sendRequest,
} from '../../../browser/sendRequest.ts';

/**
 * Who is signed in. It begins with `loading`. The answer of the service makes it `in` (signed in),
 * `out` (signed out) or `failed` (no usable answer). `signOut` makes it `out`.
 */
type ConsoleSession =
  | { phase: 'loading' }
  | { phase: 'out' }
  | { phase: 'failed'; error: unknown }
  | { phase: 'in'; account: SignedInAccount; organizationId: string | undefined };

const REMEMBERED = 'organization';
/** A key is renewed this many milliseconds before it expires. */
const EARLY_MS = 60_000;

export const session = createStore<ConsoleSession>({ phase: 'loading' });
/** Set while a person whose session has ended signs in again, in a dialog above the screen. */
export const signingInAgain = createStore<{ done: (isIn: boolean) => void } | undefined>(undefined);

/** Asks the service who is signed in, and sets `session`. */
export async function loadAccount(): Promise<void> {
  try {
    const account = await readResponse<SignedInAccount>(await sendRequest(hostPath`/account`));
    session.set({ phase: 'in', account, organizationId: chosenOrganization(account) });
  } catch (error) {
    const isSignedOut = error instanceof RefusedRequestError && error.status === 401;
    session.set(isSignedOut ? { phase: 'out' } : { phase: 'failed', error });
  }
}

function chosenOrganization({ organizations }: SignedInAccount): string | undefined {
  const remembered = localStorage.getItem(REMEMBERED);
  return (
    organizations.find(({ organizationId }) => organizationId === remembered) ?? organizations[0]
  )?.organizationId;
}

/** Switches to another organization of the person, and remembers it for the next visit. */
export function chooseOrganization(organizationId: string): void {
  const currentSession = session.get();
  if (currentSession.phase !== 'in') return;
  localStorage.setItem(REMEMBERED, organizationId);
  forgetKey();
  session.set({ ...currentSession, organizationId });
}

/**
 * The signed-in person, with the membership in the current organization.
 * @throws if nobody is signed in
 */
export function useAccount(): SignedInAccount & { membership: Membership | undefined } {
  const currentSession = useStore(session);
  if (currentSession.phase !== 'in') throw new Error('Nobody is signed in');
  const { account, organizationId } = currentSession;
  return {
    ...account,
    membership: account.organizations.find(
      (organization) => organization.organizationId === organizationId,
    ),
  };
}

const ranks: Record<Role, number> = { owner: 3, admin: 2, member: 1, viewer: 0 };
export const isAtLeast = (role: Role | undefined, requiredRole: Role) =>
  role !== undefined && ranks[role] >= ranks[requiredRole];
/** The roles that a person may give, the highest first. None is above the person's own. */
export const rolesUpTo = (role: Role | undefined) =>
  (Object.keys(ranks) as Role[]).filter((candidate) => isAtLeast(role, candidate));

export const useIsAtLeast = (requiredRole: Role) =>
  isAtLeast(useAccount().membership?.role, requiredRole);

let sessionKey: Promise<SessionApiKey> | undefined;

/** Makes the next call get a new key. */
export function forgetKey(): void {
  sessionKey = undefined;
}

/**
 * The API key for calls to /api/v1, which the service gives to the session for 15 minutes. It is
 * kept in memory only, and renewed before it expires.
 * @throws RefusedRequestError if nobody is signed in
 */
export async function currentKey(): Promise<string> {
  const currentSession = session.get();
  if (currentSession.phase !== 'in' || currentSession.organizationId === undefined)
    throw new RefusedRequestError(401, 'You are not signed in.');
  const { organizationId } = currentSession;
  sessionKey ??= mintKey(organizationId).catch((error: unknown) => {
    sessionKey = undefined;
    throw error;
  });
  const { apiKey, expiresAt, ...mintedKey } = await sessionKey;
  if (mintedKey.organizationId === organizationId && Date.parse(expiresAt) - Date.now() > EARLY_MS)
    return apiKey;
  sessionKey = undefined;
  return currentKey();
}

async function mintKey(organizationId: string): Promise<SessionApiKey> {
  try {
    return await readResponse<SessionApiKey>(
      await sendRequest(hostPath`/account/key`, {
        ...postRequest({ organizationId }),
        isRepeatable: true,
      }),
    );
  } catch (error) {
    if (!(error instanceof RefusedRequestError) || error.status !== 401) throw error;
    await signInAgain();
    return mintKey(organizationId);
  }
}

let signInAgainResult: Promise<boolean> | undefined;

/**
 * Lets the person sign in above the current screen, which keeps what was typed.
 * @throws RefusedRequestError if the person does not sign in
 */
async function signInAgain(): Promise<void> {
  signInAgainResult ??= new Promise<boolean>((onDone) =>
    signingInAgain.set({ done: onDone }),
  ).finally(() => {
    signInAgainResult = undefined;
    signingInAgain.set(undefined);
  });
  if (!(await signInAgainResult)) throw new RefusedRequestError(401, 'You are signed out.');
}

export const signOut = () => endSessions(hostPath`/auth/sign-out`);
/** Signs out on every device. */
export const signOutEverywhere = () => endSessions(hostPath`/auth/revoke-sessions`);

async function endSessions(sessions: HostPath): Promise<void> {
  await readResponse(await sendRequest(sessions, postRequest()));
  forgetKey();
  tabMemory.clear();
  session.set({ phase: 'out' });
}
