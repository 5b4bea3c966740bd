import { useState } from 'preact/hooks';
import { loadAccount } from '../client/session.ts';
import { readOptions, signUp } from '../client/signingIn.ts';
import { useData } from '../useData.ts';
import { EmailField, NewPasswordField, PASSWORD_LENGTH, TextField } from '../ui/controls.tsx';
import { useFields } from '../ui/form.ts';
import { Loaded, Notice } from '../ui/states.tsx';
import { Door, DoorForm } from './door.tsx';
import { Elsewhere } from './signIn.tsx';

export function SignUp() {
  const options = useData('options', readOptions);
  return (
    <Loaded of={options}>
      {(offered) => (
        <Door
          title="Make an account"
          lead={
            <>
              Have one already? <a href="/sign-in">Sign in</a>
            </>
          }
        >
          <div class="card stack">
            {offered.signUp === 'open' ? (
              <>
                <SignUpForm onDone={loadAccount} />
                <Elsewhere options={offered} next="/" />
              </>
            ) : (
              <Notice icon="lock">
                Only invited people can sign up here. Ask a colleague for an invitation.
              </Notice>
            )}
          </div>
        </Door>
      )}
    </Loaded>
  );
}

interface SignUpFormProps {
  /** The invited address. The person can't change it. */
  email?: string;
  invitationId?: string;
  onDone: () => Promise<unknown>;
}

export function SignUpForm({ email: invited, invitationId, onDone }: SignUpFormProps) {
  const [person, bind] = useFields({ name: '', email: invited ?? '', password: '' });
  const [mailed, setMailed] = useState(false);
  const submit = async () => {
    if (await signUp({ ...person, invitationId })) await onDone();
    else setMailed(true);
  };
  if (mailed)
    return (
      <Notice kind="good">
        We sent a mail to {person.email}. Open the link in it, then sign in.
      </Notice>
    );
  return (
    <DoorForm
      submit="Make the account"
      disabled={!person.name.trim() || !person.email || person.password.length < PASSWORD_LENGTH}
      onSubmit={submit}
    >
      <TextField label="Your name" autoComplete="name" autoFocus {...bind('name')} />
      <EmailField readOnly={invited !== undefined} {...bind('email')} />
      <NewPasswordField {...bind('password')} />
    </DoorForm>
  );
}
