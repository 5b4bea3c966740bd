import type { OneTimeLink } from '../../../contract/answers.ts';
import { path } from '../../../browser/path.ts';
import { useState } from 'preact/hooks';
import { account } from '../client/api.ts';
import { loadAccount } from '../client/session.ts';
import { PASSWORD_LENGTH } from '../client/signingIn.ts';
import { useData } from '../useData.ts';
import { navigate } from '../router.ts';
import { ButtonLink, TextField } from '../ui/controls.tsx';
import { Bones, Empty } from '../ui/states.tsx';
import { Door, DoorForm } from './door.tsx';

/** The token leaves the address at once, so that it stays in no history. */
function tokenOf(hash: string): string {
  const token = new URLSearchParams(hash.slice(1)).get('token') ?? '';
  if (hash) history.replaceState(null, '', '/welcome');
  return token;
}

/** A one-time link: it signs in, or makes the first organization. */
export function Welcome({ hash }: { hash: string }) {
  const [token] = useState(() => tokenOf(hash));
  const { data, error } = useData(`link ${token}`, () =>
    account<OneTimeLink>(path`/link/check`, { method: 'POST', body: { token } }),
  );
  if (error !== undefined || token === '')
    return (
      <Door title="This link can’t be used">
        <div class="card">
          <Empty
            icon="clock"
            title="Used, old or cut off"
            actions={<ButtonLink href="/sign-in">Sign in</ButtonLink>}
          >
            A link works once, and not for long. Whoever runs the service prints a new one with{' '}
            <code>cli user link</code>.
          </Empty>
        </div>
      </Door>
    );
  if (!data) return <Bones />;
  return data.purpose === 'sign-in' ? <ByLink token={token} {...data} /> : <First token={token} />;
}

async function use(body: object): Promise<void> {
  await account(path`/link`, { method: 'POST', body });
  await loadAccount();
  navigate('/', { replace: true });
}

function ByLink({ token, email, needsPassword = false }: OneTimeLink & { token: string }) {
  const [password, setPassword] = useState('');
  const isShort = (needsPassword || password !== '') && password.length < PASSWORD_LENGTH;
  return (
    <Door
      title="Welcome"
      lead={email ? `This link signs you in as ${email}. It works once.` : 'This link works once.'}
    >
      <div class="card">
        <DoorForm
          submit="Go to the console"
          disabled={isShort}
          onSubmit={() => use({ token, ...(password && { password }) })}
        >
          <TextField
            label={needsPassword ? 'New password' : 'New password (optional)'}
            type="password"
            autoComplete="new-password"
            hint={`For the next time. ${PASSWORD_LENGTH} characters or more.`}
            value={password}
            onInput={setPassword}
          />
        </DoorForm>
      </div>
    </Door>
  );
}

function First({ token }: { token: string }) {
  const [fields, setFields] = useState({ organization: '', name: '', email: '', password: '' });
  const set = (field: keyof typeof fields) => (value: string) =>
    setFields({ ...fields, [field]: value });
  const isComplete =
    Object.values(fields).every((value) => value.trim() !== '') &&
    fields.password.length >= PASSWORD_LENGTH;
  return (
    <Door title="Welcome" lead="Name your organization, and make the account of its owner: yours.">
      <div class="card">
        <DoorForm submit="Begin" disabled={!isComplete} onSubmit={() => use({ token, ...fields })}>
          <TextField
            label="Organization"
            autoComplete="organization"
            autoFocus
            value={fields.organization}
            onInput={set('organization')}
          />
          <TextField
            label="Your name"
            autoComplete="name"
            value={fields.name}
            onInput={set('name')}
          />
          <TextField
            label="E-mail"
            type="email"
            autoComplete="username"
            value={fields.email}
            onInput={set('email')}
          />
          <TextField
            label="Password"
            type="password"
            autoComplete="new-password"
            hint={`${PASSWORD_LENGTH} characters or more. Several words are fine.`}
            value={fields.password}
            onInput={set('password')}
          />
        </DoorForm>
      </div>
    </Door>
  );
}
