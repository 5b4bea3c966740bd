import { type Path, path } from '../../../browser/path.ts';
import type { Account, SessionKey } from '../../../contract/answers.ts';
import type { Membership } from '../../../contract/people.ts';
import type { Role } from '../../../contract/roles.ts';
import { createStore, useStore } from '../store.ts';
import { tabMemory } from '../tabMemory.ts';
import { posting, read, Refused, send } from '../../../browser/http.ts';

type Session =
  | { phase: 'loading' }
  | { phase: 'out' }
  | { phase: 'failed'; error: unknown }
  | { phase: 'in'; account: Account; organizationId: string | undefined };

const REMEMBERED = 'organization';
/** A key is renewed this many milliseconds before it expires. */
const EARLY_MS = 60_000;

export const session = createStore<Session>({ phase: 'loading' });
/** Set while a person whose session has ended signs in again, in a dialog above the screen. */
export const signingInAgain = createStore<{ done: (isIn: boolean) => void } | undefined>(undefined);

/** Asks the service who is signed in. */
export async function loadAccount(): Promise<void> {
  try {
    const account = await read<Account>(await send(path`/account`));
    session.set({ phase: 'in', account, organizationId: chosenOf(account) });
  } catch (error) {
    const isOut = error instanceof Refused && error.status === 401;
    session.set(isOut ? { phase: 'out' } : { phase: 'failed', error });
  }
}

function chosenOf({ organizations }: Account): string | undefined {
  const remembered = localStorage.getItem(REMEMBERED);
  return (
    organizations.find(({ organizationId }) => organizationId === remembered) ?? organizations[0]
  )?.organizationId;
}

export function chooseOrganization(organizationId: string): void {
  const now = session.get();
  if (now.phase !== 'in') return;
  localStorage.setItem(REMEMBERED, organizationId);
  forgetKey();
  session.set({ ...now, organizationId });
}

/**
 * The signed-in person, with the membership in the current organization.
 * @throws if nobody is signed in
 */
export function useAccount(): Account & { membership: Membership | undefined } {
  const now = useStore(session);
  if (now.phase !== 'in') throw new Error('Nobody is signed in');
  const { account, organizationId } = now;
  return {
    ...account,
    membership: account.organizations.find((each) => each.organizationId === organizationId),
  };
}

const ranks: Record<Role, number> = { owner: 3, admin: 2, member: 1, viewer: 0 };
export const isAtLeast = (role: Role | undefined, least: Role) =>
  role !== undefined && ranks[role] >= ranks[least];
/** The roles that a person may give, the highest first. None is above the person's own. */
export const rolesUpTo = (role: Role | undefined) =>
  (Object.keys(ranks) as Role[]).filter((each) => isAtLeast(role, each));

export const useIsAtLeast = (least: Role) => isAtLeast(useAccount().membership?.role, least);

let key: Promise<SessionKey> | undefined;

export function forgetKey(): void {
  key = undefined;
}

/** The key for calls to /api/v1. It is kept in memory only, and renewed before it expires. */
export async function currentKey(): Promise<string> {
  const now = session.get();
  if (now.phase !== 'in' || now.organizationId === undefined)
    throw new Refused(401, 'You are not signed in.');
  const { organizationId } = now;
  key ??= mintKey(organizationId).catch((error: unknown) => {
    key = undefined;
    throw error;
  });
  const { apiKey, expiresAt, ...minted } = await key;
  if (minted.organizationId === organizationId && Date.parse(expiresAt) - Date.now() > EARLY_MS)
    return apiKey;
  key = undefined;
  return currentKey();
}

async function mintKey(organizationId: string): Promise<SessionKey> {
  try {
    return await read<SessionKey>(await send(path`/account/key`, posting({ organizationId })));
  } catch (error) {
    if (!(error instanceof Refused) || error.status !== 401) throw error;
    await signInAgain();
    return mintKey(organizationId);
  }
}

let again: Promise<boolean> | undefined;

/**
 * Lets the person sign in above the current screen, which keeps what was typed.
 * @throws Refused if the person does not sign in
 */
async function signInAgain(): Promise<void> {
  again ??= new Promise<boolean>((done) => signingInAgain.set({ done })).finally(() => {
    again = undefined;
    signingInAgain.set(undefined);
  });
  if (!(await again)) throw new Refused(401, 'You are signed out.');
}

export const signOut = () => end(path`/auth/sign-out`);
/** Signs out on every device. */
export const signOutEverywhere = () => end(path`/auth/revoke-sessions`);

async function end(sessions: Path): Promise<void> {
  await read(await send(sessions, posting()));
  forgetKey();
  tabMemory.clear();
  session.set({ phase: 'out' });
}
