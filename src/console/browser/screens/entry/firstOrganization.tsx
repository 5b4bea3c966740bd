import { postRequest } from '../../../../browser/sendRequest.ts';
import { hostPath } from '../../../../browser/hostPath.ts';
import { useState } from 'preact/hooks';
import { callAccount } from '../../client/api.ts';
import { loadAccount, signOut, useAccount } from '../../client/session.ts';
import { readOptions } from '../../client/signingIn.ts';
import { useData } from '../../useData.ts';
import { Button, TextField } from '../../ui/controls.tsx';
import { Notice } from '../../ui/states.tsx';
import { Door, DoorForm } from './door.tsx';

/** Shown to a person who is signed in, but is not a member of any organization. */
export function FirstOrganization() {
  const { user } = useAccount();
  const { data: options } = useData('options', readOptions);
  const [name, setName] = useState('');
  const createOrganization = async () => {
    await callAccount(hostPath`/organizations`, postRequest({ name }));
    await loadAccount();
  };
  return (
    <Door
      title="You are not a member of an organization yet"
      lead={`You are signed in as ${user.email}.`}
    >
      <div class="card stack">
        {options?.signUp === 'open' ? (
          <DoorForm
            submit="Create organization"
            disabled={!name.trim()}
            onSubmit={createOrganization}
          >
            <TextField label="Name of your organization" autoFocus value={name} onInput={setName} />
          </DoorForm>
        ) : (
          <Notice>
            Ask an admin of your organization for an invitation to {user.email}, then open its link.
          </Notice>
        )}
        <Button look="ghost" wide onClick={() => signOut()}>
          Sign out
        </Button>
      </div>
    </Door>
  );
}
