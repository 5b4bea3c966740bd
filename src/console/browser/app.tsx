import { useEffect, useLayoutEffect } from 'preact/hooks';
import { queryString } from '../../browser/sendRequest.ts';
import { loadAccount, session, signingInAgain, signOut, useAccount } from './client/session.ts';
import { useStore } from './store.ts';
import { nextScreenPath } from './screenPaths.ts';
import { matchPath, navigate, usePlace } from './router.ts';
import { Connect } from './screens/entry/connect.tsx';
import { InvitationScreen } from './screens/entry/invitation.tsx';
import { SignIn } from './screens/entry/signIn.tsx';
import { SignInAgain } from './screens/entry/signInAgain.tsx';
import { SignUp } from './screens/entry/signUp.tsx';
import { Welcome } from './screens/entry/welcome.tsx';
import { Confirmation } from './ui/dialog.tsx';
import { LoadingBones, Failure } from './ui/states.tsx';
import { Toasts } from './ui/toasts.tsx';
import { Shell } from './shell.tsx';
import { lazy } from './lazy.tsx';
import { tabMemory } from './tabMemory.ts';
import { Button, ButtonLink } from './ui/controls.tsx';
import { Door } from './screens/entry/door.tsx';

/**
 * The console: the web page on which people manage sites, tasks and their organization. It is a
 * client of the API like any other, and is written with Preact. `main.tsx` shows this component,
 * which finds the screen for the current path.
 *
 * - shell.tsx has the frame for people who are signed in, and the list of their screens.
 * - screens/ has a folder for each area: entry (sign-in and invitations), sites, newTask, tasks,
 *   batches, sharing and settings.
 * - client/ signs people in and calls the API. useData.ts loads what a screen shows.
 * - reading/ and table/ turn a file or pasted cells into the pages of a new task.
 * - ui/ has controls, dialogs and tables. words/ has the texts that describe tasks and batches.
 * - router.ts, store.ts, lazy.tsx and tabMemory.ts are small helpers in place of libraries.
 *
 * For example, the path `/tasks/bg-1a2b` → `Shell` → `TaskScreen`, which reads
 * `GET /api/v1/agent/tasks/bg-1a2b` again and again while the task runs.
 */
export function App() {
  const signingIn = useStore(signingInAgain);
  return (
    <>
      <Screen />
      <Confirmation />
      {signingIn && <SignInAgain done={signingIn.done} />}
      <Toasts />
    </>
  );
}

function Screen() {
  const { path, hash, query } = usePlace();
  const currentSession = useStore(session);
  if (path === '/welcome') return <Welcome hash={hash} />;
  const shareId = matchPath('/shared/:id', path)?.['id'];
  if (shareId !== undefined) return <SharedLink shareId={shareId} hash={hash} />;
  if (currentSession.phase === 'loading') return <LoadingBones lines={5} />;
  if (currentSession.phase === 'failed')
    return <Failure error={currentSession.error} retry={() => void loadAccount()} isScreen />;
  const invitationId = matchPath('/invitations/:id', path)?.['id'];
  if (invitationId !== undefined)
    return <InvitationScreen id={invitationId} isIn={currentSession.phase === 'in'} />;
  const isDoor = path === '/sign-in' || path === '/sign-up';
  if (currentSession.phase === 'in' && isDoor && query.has('other'))
    return <OtherAccount next={nextScreenPath(query, location.origin)} />;
  if (currentSession.phase === 'in' && path === '/connect') return <Connect />;
  if (currentSession.phase === 'in')
    return isDoor ? (
      <Redirect to={nextScreenPath(query, location.origin)} />
    ) : (
      <Shell path={path} />
    );
  if (path === '/sign-up') return <SignUp />;
  if (path === '/sign-in') return <SignIn />;
  return (
    <Redirect to={`/sign-in${queryString({ next: path === '/' ? '' : path + location.search })}`} />
  );
}

function Redirect({ to }: { to: string }) {
  useEffect(() => navigate(to, { replace: true }), [to]);
  return <LoadingBones />;
}

const SharedPages = lazy(() => import('./screens/sharing/sharedPages.tsx'), 'SharedPages');

const shareKeyIn = (hash: string) => new URLSearchParams(hash.slice(1)).get('key') ?? '';

/**
 * Opens a share link, which shows a task's pages to a person without an account. Removes the link's
 * key from the URL at once, so that no history keeps it. The tab keeps the key for a reload.
 */
function SharedLink({ shareId, hash }: { shareId: string; hash: string }) {
  const keyInHash = shareKeyIn(hash);
  const memoryName = `share ${shareId}`;
  const linkKey = keyInHash || (tabMemory.get(memoryName) ?? '');
  const { phase } = useStore(session);
  useLayoutEffect(() => {
    if (keyInHash) tabMemory.set(memoryName, keyInHash);
    if (hash) navigate(location.pathname, { replace: true });
  }, [hash]);
  // A viewer who is signed in needs no key.
  if (!linkKey && phase === 'loading') return <LoadingBones lines={5} />;
  return <SharedPages key={`${shareId} ${linkKey}`} shareId={shareId} linkKey={linkKey} />;
}

/** Shown to a person who is signed in, but may not see the requested page. */
function OtherAccount({ next }: { next: string }) {
  const { email } = useAccount().user;
  const signOutFirst = async () => {
    await signOut();
    navigate(`/sign-in${queryString({ next })}`, { replace: true });
  };
  return (
    <Door title="Sign in as somebody else" lead={`You are signed in as ${email}.`}>
      <div class="card stack">
        <Button wide look="primary" onClick={signOutFirst}>
          Sign out, then sign in
        </Button>
        <ButtonLink wide href="/">
          Stay signed in, and go to the console
        </ButtonLink>
      </div>
    </Door>
  );
}
