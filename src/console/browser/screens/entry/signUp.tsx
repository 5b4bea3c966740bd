import { passwordLength } from '../../../../contract/passwordLength.ts';
import { useState } from 'preact/hooks';
import { loadAccount } from '../../client/session.ts';
import { readOptions, signUp } from '../../client/signingIn.ts';
import { useData } from '../../useData.ts';
import { EmailField, NewPasswordField, TextField } from '../../ui/controls.tsx';
import { useFields } from '../../ui/form.ts';
import { Loaded, Notice } from '../../ui/states.tsx';
import { Door, DoorForm } from './door.tsx';
import { SingleSignOnButton } from './signIn.tsx';

/** The screen where people create an account, if the service lets everybody do that. */
export function SignUp() {
  const options = useData('options', readOptions);
  return (
    <Loaded of={options} isScreen>
      {(loadedOptions) => (
        <Door
          title="Create an account"
          lead={
            <>
              Do you already have an account? <a href="/sign-in">Sign in</a>
            </>
          }
        >
          <div class="card stack">
            {loadedOptions.signUp === 'open' ? (
              <>
                <SignUpForm onDone={loadAccount} />
                <SingleSignOnButton options={loadedOptions} next="/" />
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
  /** The e-mail address of the invitation. The person can't change it. */
  email?: string;
  invitationId?: string;
  onDone: () => Promise<unknown>;
}

/** Creates an account, and signs in unless the person must first open a link in a mail. */
export function SignUpForm({ email: invitedEmail, invitationId, onDone }: SignUpFormProps) {
  const [person, bind] = useFields({ name: '', email: invitedEmail ?? '', password: '' });
  const [isMailed, setIsMailed] = useState(false);
  const submitForm = async () => {
    if (await signUp({ ...person, invitationId })) await onDone();
    else setIsMailed(true);
  };
  if (isMailed)
    return (
      <Notice kind="good">
        We sent an e-mail to {person.email}. Open the link in it, then sign in.
      </Notice>
    );
  return (
    <DoorForm
      submit="Create account"
      disabled={
        !person.name.trim() || !person.email || person.password.length < passwordLength.least
      }
      onSubmit={submitForm}
    >
      <TextField label="Your name" autoComplete="name" autoFocus {...bind('name')} />
      <EmailField readOnly={invitedEmail !== undefined} {...bind('email')} />
      <NewPasswordField {...bind('password')} />
    </DoorForm>
  );
}
