import { useEffect, useId, useRef } from 'preact/hooks';
import { loadAccount, session } from '../../client/session.ts';
import { useStore } from '../../store.ts';
import { Button } from '../../ui/controls.tsx';
import { SignInForm } from './signIn.tsx';

/**
 * A sign-in dialog above a screen whose session has ended. The screen keeps everything that was
 * typed.
 */
export function SignInAgain({ done }: { done: (isIn: boolean) => void }) {
  const dialogRef = useRef<HTMLDialogElement>(null);
  const id = useId();
  const currentSession = useStore(session);
  const user = currentSession.phase === 'in' ? currentSession.account.user : undefined;
  useEffect(() => dialogRef.current?.showModal(), []);
  const leaveSignedOut = () => {
    done(false);
    session.set({ phase: 'out' });
  };
  return (
    <dialog ref={dialogRef} aria-labelledby={id} onCancel={(event) => event.preventDefault()}>
      <div class="body">
        <h2 id={id}>Sign in again</h2>
        <p class="muted">Your session has ended. What you typed is still here.</p>
        <SignInForm
          {...(user && { email: user.email })}
          onDone={async () => {
            await loadAccount();
            done(true);
          }}
        />
        <Button look="ghost" wide onClick={leaveSignedOut}>
          Leave without signing in
        </Button>
      </div>
    </dialog>
  );
}
