import { queryOf } from '../../../browser/http.ts';
import { signOut, useAccount } from '../client/session.ts';
import { navigate } from '../router.ts';
import { Button, ButtonLink } from '../ui/controls.tsx';
import { Door } from './door.tsx';

/** Shown to a person who is signed in, but may not see the requested page. */
export function SomebodyElse({ next }: { next: string }) {
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
