import { useEffect, useId, useRef } from 'preact/hooks';
import { loadAccount, session } from '../client/session.ts';
import { useStore } from '../store.ts';
import { Button } from '../ui/controls.tsx';
import { SignInForm } from './signIn.tsx';

/**
 * A sign-in dialog above a screen whose session has ended. The screen keeps everything that was
 * typed.
 */
export function SignInAgain({ done }: { done: (isIn: boolean) => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  const now = useStore(session);
  const user = now.phase === 'in' ? now.account.user : undefined;
  useEffect(() => dialog.current?.showModal(), []);
  const leave = () => {
    done(false);
    session.set({ phase: 'out' });
  };
  return (
    <dialog ref={dialog} aria-labelledby={id} onCancel={(event) => event.preventDefault()}>
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
        <Button look="ghost" wide onClick={leave}>
          Leave without it
        </Button>
      </div>
    </dialog>
  );
}
