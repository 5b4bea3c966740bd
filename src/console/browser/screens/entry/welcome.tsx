import { passwordLength } from '../../../../contract/passwordLength.ts';
import { postRequest } from '../../../../browser/sendRequest.ts';
import type { OneTimeLink } from '../../../../contract/responses.ts';
import { hostPath } from '../../../../browser/hostPath.ts';
import { useState } from 'preact/hooks';
import { callAccount } from '../../client/api.ts';
import { loadAccount } from '../../client/session.ts';
import { useData } from '../../useData.ts';
import { navigate } from '../../router.ts';
import { ButtonLink, EmailField, NewPasswordField, TextField } from '../../ui/controls.tsx';
import { useFields } from '../../ui/form.ts';
import { LoadingBones, EmptyCard } from '../../ui/states.tsx';
import { Door, DoorForm } from './door.tsx';

/** Reads the token and removes it from the URL at once, so that no history keeps it. */
function takeToken(hash: string): string {
  const linkToken = new URLSearchParams(hash.slice(1)).get('token') ?? '';
  if (hash) history.replaceState(null, '', '/welcome');
  return linkToken;
}

/** Opens a one-time link, which signs a person in or creates the account of the first owner. */
export function Welcome({ hash }: { hash: string }) {
  const [token] = useState(() => takeToken(hash));
  const { data, error } = useData(`link ${token}`, () =>
    callAccount<OneTimeLink>(hostPath`/link/check`, postRequest({ token })),
  );
  if (error !== undefined || token === '')
    return (
      <Door title="This link can’t be used">
        <EmptyCard
          icon="clock"
          title="The link was used, has expired or is incomplete"
          actions={<ButtonLink href="/sign-in">Sign in</ButtonLink>}
        >
          A link works once, and only for a short time. The operator of the service can create a new
          one with <code>cli user link</code>.
        </EmptyCard>
      </Door>
    );
  if (!data) return <LoadingBones />;
  return data.purpose === 'sign-in' ? (
    <SignInByLink token={token} {...data} />
  ) : (
    <FirstOwnerForm token={token} needsOrganization={data.purpose === 'first-organization'} />
  );
}

async function submitLink(body: object): Promise<void> {
  await callAccount(hostPath`/link`, postRequest(body));
  await loadAccount();
  navigate('/', { replace: true });
}

function SignInByLink({ token, email, needsPassword = false }: OneTimeLink & { token: string }) {
  const [password, setPassword] = useState('');
  const isShort = (needsPassword || password !== '') && password.length < passwordLength.least;
  return (
    <Door
      title="Welcome"
      lead={email ? `This link signs you in as ${email}. It works once.` : 'This link works once.'}
    >
      <div class="card">
        <DoorForm
          submit="Go to the console"
          disabled={isShort}
          onSubmit={() => submitLink({ token, ...(password && { password }) })}
        >
          <NewPasswordField
            label={needsPassword ? 'New password' : 'New password (optional)'}
            hint={`For your next sign-in. ${passwordLength.least} characters or more.`}
            value={password}
            onInput={setPassword}
          />
        </DoorForm>
      </div>
    </Door>
  );
}

/** The first owner's name, address and password, and the organization's name if it has none yet. */
function FirstOwnerForm({ token, needsOrganization }: FirstOwnerFormProps) {
  const [{ organization, ...person }, bind] = useFields({
    name: '',
    email: '',
    password: '',
    organization: '',
  });
  const fields = needsOrganization ? { ...person, organization } : person;
  const isComplete =
    Object.values(fields).every((value) => value.trim() !== '') &&
    fields.password.length >= passwordLength.least;
  return (
    <Door
      title="Welcome"
      lead={
        needsOrganization
          ? 'Create your account, and name your organization. You become its owner.'
          : 'Create your account. You become the owner of the organization.'
      }
    >
      <div class="card">
        <DoorForm
          submit="Begin"
          disabled={!isComplete}
          onSubmit={() => submitLink({ token, ...fields })}
        >
          <TextField label="Your name" autoComplete="name" autoFocus {...bind('name')} />
          <EmailField {...bind('email')} />
          <NewPasswordField
            hint={`For your next sign-in. ${passwordLength.least} characters or more.`}
            {...bind('password')}
          />
          {needsOrganization && (
            <TextField label="Organization" autoComplete="organization" {...bind('organization')} />
          )}
        </DoorForm>
      </div>
    </Door>
  );
}

interface FirstOwnerFormProps {
  token: string;
  needsOrganization: boolean;
}
