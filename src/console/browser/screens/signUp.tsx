import { useState } from 'preact/hooks';
import { enter, PASSWORD_LENGTH, readOptions, signUp } from '../client/signingIn.ts';
import { useData } from '../useData.ts';
import { TextField } from '../ui/controls.tsx';
import { Loaded, Notice } from '../ui/states.tsx';
import { Door, DoorForm } from './door.tsx';
import { Elsewhere } from './signIn.tsx';

export function SignUp() {
  const options = useData('options', readOptions);
  return (
    <Loaded of={options}>
      {({ signUp, ...offered }) => (
        <Door
          title="Make an account"
          lead={
            <>
              Have one already? <a href="/sign-in">Sign in</a>
            </>
          }
        >
          <div class="card stack">
            {signUp === 'open' ? (
              <>
                <SignUpForm onDone={enter} />
                <Elsewhere options={{ signUp, ...offered }} next="/" />
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

/** @param props.email the address that was invited: it can't be changed */
export function SignUpForm({
  email: invited,
  invitationId,
  onDone,
}: {
  email?: string;
  invitationId?: string;
  onDone: () => Promise<unknown>;
}) {
  const [person, setPerson] = useState({ name: '', email: invited ?? '', password: '' });
  const [mailed, setMailed] = useState(false);
  const set = (field: keyof typeof person) => (value: string) =>
    setPerson({ ...person, [field]: value });
  if (mailed)
    return (
      <Notice kind="good" icon="check">
        We sent a mail to {person.email}. Open the link in it, then sign in.
      </Notice>
    );
  return (
    <DoorForm
      submit="Make the account"
      disabled={!person.name.trim() || !person.email || person.password.length < PASSWORD_LENGTH}
      onSubmit={async () => {
        if (await signUp({ ...person, ...(invitationId !== undefined && { invitationId }) }))
          await onDone();
        else setMailed(true);
      }}
    >
      <TextField
        label="Your name"
        autoComplete="name"
        autoFocus
        value={person.name}
        onInput={set('name')}
      />
      <TextField
        label="E-mail"
        type="email"
        autoComplete="username"
        readOnly={invited !== undefined}
        value={person.email}
        onInput={set('email')}
      />
      <TextField
        label="Password"
        type="password"
        autoComplete="new-password"
        hint={`${PASSWORD_LENGTH} characters or more. Several words are fine.`}
        value={person.password}
        onInput={set('password')}
      />
    </DoorForm>
  );
}
