import { useEffect, useLayoutEffect } from 'preact/hooks';
import { queryOf } from '../../browser/http.ts';
import { loadAccount, session, signingInAgain, signOut, useAccount } from './client/session.ts';
import { useStore } from './store.ts';
import { nextOf } from './screenPaths.ts';
import { matched, navigate, usePlace } from './router.ts';
import { Connect } from './screens/connect.tsx';
import { Invitation } from './screens/invitation.tsx';
import { SignIn } from './screens/signIn.tsx';
import { SignInAgain } from './screens/signInAgain.tsx';
import { SignUp } from './screens/signUp.tsx';
import { Welcome } from './screens/welcome.tsx';
import { Confirmation } from './ui/dialog.tsx';
import { Bones, Failure } from './ui/states.tsx';
import { Toasts } from './ui/toasts.tsx';
import { Shell } from './shell.tsx';
import { lazy } from './lazy.tsx';
import { tabMemory } from './tabMemory.ts';
import { Button, ButtonLink } from './ui/controls.tsx';
import { Door } from './screens/door.tsx';

export function App() {
  const again = useStore(signingInAgain);
  return (
    <>
      <Screen />
      <Confirmation />
      {again && <SignInAgain done={again.done} />}
      <Toasts />
    </>
  );
}

function Screen() {
  const { path, hash, query } = usePlace();
  const now = useStore(session);
  if (path === '/welcome') return <Welcome hash={hash} />;
  const shareId = matched('/shared/:id', path)?.['id'];
  if (shareId !== undefined) return <SharedLink shareId={shareId} hash={hash} />;
  if (now.phase === 'loading') return <Bones lines={5} />;
  if (now.phase === 'failed') return <Failure error={now.error} retry={() => void loadAccount()} />;
  const invited = matched('/invitations/:id', path)?.['id'];
  if (invited !== undefined) return <Invitation id={invited} isIn={now.phase === 'in'} />;
  const isDoor = path === '/sign-in' || path === '/sign-up';
  if (now.phase === 'in' && isDoor && query.has('other'))
    return <SomebodyElse next={nextOf(query, location.origin)} />;
  if (now.phase === 'in' && path === '/connect') return <Connect />;
  if (now.phase === 'in')
    return isDoor ? <Redirect to={nextOf(query, location.origin)} /> : <Shell path={path} />;
  if (path === '/sign-up') return <SignUp />;
  if (path === '/sign-in') return <SignIn />;
  return (
    <Redirect to={`/sign-in${queryOf({ next: path === '/' ? '' : path + location.search })}`} />
  );
}

function Redirect({ to }: { to: string }) {
  useEffect(() => navigate(to, { replace: true }), [to]);
  return <Bones />;
}

const SharedPages = lazy(() => import('./screens/sharedPages.tsx'), 'SharedPages');

const keyOf = (hash: string) => new URLSearchParams(hash.slice(1)).get('key') ?? '';

/**
 * Opens a shared link. Its key leaves the address at once, so that no history keeps it. The tab
 * keeps the key for a reload.
 */
function SharedLink({ shareId, hash }: { shareId: string; hash: string }) {
  const given = keyOf(hash);
  const name = `share ${shareId}`;
  const key = given || (tabMemory.get(name) ?? '');
  const { phase } = useStore(session);
  useLayoutEffect(() => {
    if (given) tabMemory.set(name, given);
    if (hash) navigate(location.pathname, { replace: true });
  }, [hash]);
  // A viewer who is signed in needs no key.
  if (!key && phase === 'loading') return <Bones lines={5} />;
  return <SharedPages key={`${shareId} ${key}`} shareId={shareId} linkKey={key} />;
}

/** Shown to a person who is signed in, but may not see the requested page. */
function SomebodyElse({ next }: { next: string }) {
  const { email } = useAccount().user;
  const leave = async () => {
    await signOut();
    navigate(`/sign-in${queryOf({ next })}`, { replace: true });
  };
  return (
    <Door title="Sign in as somebody else" lead={`You are signed in as ${email}.`}>
      <div class="card stack">
        <Button wide look="primary" onClick={leave}>
          Sign out, then sign in
        </Button>
        <ButtonLink wide href="/">
          Stay signed in, and go to the console
        </ButtonLink>
      </div>
    </Door>
  );
}
