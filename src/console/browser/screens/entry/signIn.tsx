import { useState } from 'preact/hooks';
import type { SignInOptions } from '../../../../contract/responses.ts';
import { loadAccount } from '../../client/session.ts';
import { mailLink, readOptions, signIn, signInElsewhere } from '../../client/signingIn.ts';
import { useData } from '../../useData.ts';
import { nextScreenPath } from '../../screenPaths.ts';
import { usePlace } from '../../router.ts';
import { Button, EmailField, TextField } from '../../ui/controls.tsx';
import { useFields } from '../../ui/form.ts';
import { Notice, Problem } from '../../ui/states.tsx';
import { Door, DoorForm } from './door.tsx';

/** The screen where people sign in, by password, single sign-on or a mailed link. */
export function SignIn() {
  const { query } = usePlace();
  const { data: options } = useData('options', readOptions);
  return (
    <Door title="Sign in">
      <div class="card stack">
        {query.has('error') && <Problem>{providerFailure(query.get('error'))}</Problem>}
        <SignInForm onDone={loadAccount} />
        <SingleSignOnButton options={options} next={nextScreenPath(query, location.origin)} />
        {options?.mail && <ForgottenPassword />}
      </div>
      <p class="muted small">
        {options?.signUp === 'open' ? (
          <>
            New here? <a href="/sign-up">Create an account</a>
          </>
        ) : (
          'No account? Ask an admin of your organization for an invitation.'
        )}{' '}
        {!options?.mail && (
          <>
            Locked out? The operator of this service can create a sign-in link for you with{' '}
            <code>cli user link</code>.
          </>
        )}
      </p>
    </Door>
  );
}

const providerFailure = (error: string | null) =>
  error === 'signup_disabled' || error === 'SIGN_UP_DISABLED'
    ? 'Only invited people can sign in here. Ask a colleague for an invitation.'
    : 'Single sign-on failed. Try again.';

interface SignInFormProps {
  /** The account's e-mail address, if it is known. Then the person can't change it. */
  email?: string;
  onDone: () => Promise<unknown>;
}

/** Signs in with e-mail and password. */
export function SignInForm({ email: knownEmail, onDone }: SignInFormProps) {
  const [fields, bind] = useFields({ email: knownEmail ?? '', password: '' });
  const isKnown = knownEmail !== undefined;
  const submitForm = async () => {
    await signIn(fields);
    await onDone();
  };
  return (
    <DoorForm submit="Sign in" disabled={!fields.email || !fields.password} onSubmit={submitForm}>
      <EmailField autoFocus={!isKnown} readOnly={isKnown} {...bind('email')} />
      <TextField
        label="Password"
        type="password"
        autoComplete="current-password"
        autoFocus={isKnown}
        {...bind('password')}
      />
    </DoorForm>
  );
}

/** The button for single sign-on at the OIDC provider, if the service has one. */
export function SingleSignOnButton({
  options,
  next,
}: {
  options: SignInOptions | undefined;
  next: string;
}) {
  if (!options?.oidc) return null;
  return (
    <Button wide icon="lock" onClick={() => signInElsewhere(next)}>
      Continue with single sign-on
    </Button>
  );
}

/** Sends a sign-in link by mail to people who forgot their password. */
function ForgottenPassword() {
  const [isOpen, setOpen] = useState(false);
  const [email, setEmail] = useState('');
  const [isSent, setSent] = useState(false);
  if (isSent)
    return (
      <Notice kind="good">
        If there is an account for {email}, an e-mail with a sign-in link is on its way.
      </Notice>
    );
  if (!isOpen)
    return (
      <button type="button" class="link" onClick={() => setOpen(true)}>
        Forgot your password?
      </button>
    );
  return (
    <DoorForm
      submit="E-mail me a link"
      disabled={!email.includes('@')}
      onSubmit={async () => {
        await mailLink(email);
        setSent(true);
      }}
    >
      <TextField label="Your e-mail" type="email" autoFocus value={email} onInput={setEmail} />
    </DoorForm>
  );
}
