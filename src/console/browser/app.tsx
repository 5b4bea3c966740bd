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
    return <Failure error={currentSession.error} retry={() => void loadAccount()} />;
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
 * Opens a shared link. Its key leaves the address at once, so that no history keeps it. The tab
 * keeps the key for a reload.
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
