import { useEffect } from 'preact/hooks';
import { queryOf } from '../../browser/http.ts';
import { loadAccount, session, signingInAgain } from './client/session.ts';
import { useStore } from './store.ts';
import { nextOf } from './screenPaths.ts';
import { matched, navigate, usePlace } from './router.ts';
import { Connect } from './screens/connect.tsx';
import { Invitation } from './screens/invitation.tsx';
import { SharedLink } from './screens/sharedLink.tsx';
import { SignIn } from './screens/signIn.tsx';
import { SignInAgain } from './screens/signInAgain.tsx';
import { SomebodyElse } from './screens/somebodyElse.tsx';
import { SignUp } from './screens/signUp.tsx';
import { Welcome } from './screens/welcome.tsx';
import { Confirmation } from './ui/dialog.tsx';
import { Bones, Failure } from './ui/states.tsx';
import { Toasts } from './ui/toasts.tsx';
import { Shell } from './shell.tsx';

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
