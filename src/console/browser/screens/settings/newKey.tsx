import { hostPath } from '../../../../browser/hostPath.ts';
import { useState } from 'preact/hooks';
import { post } from '../../client/api.ts';
import { rolesUpTo, useAccount } from '../../client/session.ts';
import type { Role } from '../../../../contract/roles.ts';
import type { ApiKeyResponse, IssuedApiKeyResponse } from '../../../../contract/responses.ts';
import { type SelectChoice, SelectField, TextField } from '../../ui/controls.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { roleChoices } from './members.tsx';
import { ShownOnce } from './shownOnce.tsx';

const DAY_MS = 86_400_000;
const keyLifetimes: SelectChoice[] = [
  ['90', '90 days'],
  ['30', '30 days'],
  ['365', 'A year'],
  ['', 'Without expiry'],
];

interface NewKeyProps {
  close: () => void;
  onMade: (key: IssuedApiKeyResponse) => void;
}

export function MakeKey({ close, onMade }: NewKeyProps) {
  const { membership } = useAccount();
  const [name, setName] = useState('');
  const [role, setRole] = useState<Role>('member');
  const [days, setDays] = useState('90');
  const createKey = async () => {
    const expiresAt = days && new Date(Date.now() + Number(days) * DAY_MS).toISOString();
    onMade(
      await post<IssuedApiKeyResponse>(hostPath`/keys`, {
        name: name.trim(),
        role,
        ...(expiresAt && { expiresAt }),
      }),
    );
  };
  return (
    <Dialog
      title="New key"
      submit="Create key"
      onClose={close}
      onSubmit={createKey}
      disabled={!name.trim()}
    >
      <TextField
        label="Name"
        hint="Name the program that will use the key."
        autoFocus
        value={name}
        onInput={setName}
        autoComplete="off"
      />
      <SelectField
        label="Role"
        value={role}
        choices={roleChoices(
          rolesUpTo(membership?.role).filter((offeredRole) => offeredRole !== 'viewer'),
        )}
        onChange={setRole}
      />
      <SelectField label="Works for" value={days} choices={keyLifetimes} onChange={setDays} />
    </Dialog>
  );
}

const overlapChoices: SelectChoice[] = [
  ['24', 'A day'],
  ['1', 'An hour'],
  ['168', 'A week'],
  ['0', 'Not at all: it stops working now'],
];

/** Creates a key that replaces another one. */
export function RotateKey({ of: apiKey, close, onMade }: NewKeyProps & { of: ApiKeyResponse }) {
  const [hours, setHours] = useState('24');
  const sendRotation = async () =>
    onMade(
      await post<IssuedApiKeyResponse>(hostPath`/keys/${apiKey.keyId}/rotate`, {
        overlapHours: Number(hours),
      }),
    );
  return (
    <Dialog
      title={`Rotate ${apiKey.name}`}
      submit="Create the new key"
      onClose={close}
      onSubmit={sendRotation}
    >
      <p class="muted">A new key replaces this one. Give your programs time to switch to it.</p>
      <SelectField
        label="The old key works for"
        value={hours}
        choices={overlapChoices}
        onChange={setHours}
      />
    </Dialog>
  );
}

/** Shows a new key once. */
export const ShowKey = ({
  made: newKey,
  close,
}: {
  made: IssuedApiKeyResponse;
  close: () => void;
}) => (
  <Dialog title={`${newKey.name} is ready`} onClose={close}>
    <ShownOnce name="key" value={newKey.apiKey} />
  </Dialog>
);
