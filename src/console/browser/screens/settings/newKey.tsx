import { path } from '../../../../browser/path.ts';
import { useState } from 'preact/hooks';
import { post } from '../../client/api.ts';
import { rolesUpTo, useAccount } from '../../client/session.ts';
import type { Role } from '../../../../contract/roles.ts';
import type { Key, NewKey } from '../../../../contract/answers.ts';
import { type Choice, SelectField, TextField } from '../../ui/controls.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { roleChoices } from './members.tsx';
import { ShownOnce } from './shownOnce.tsx';

const DAY_MS = 86_400_000;
const lifetimes: Choice[] = [
  ['90', '90 days'],
  ['30', '30 days'],
  ['365', 'A year'],
  ['', 'No end'],
];

interface MakeProps {
  close: () => void;
  onMade: (key: NewKey) => void;
}

export function MakeKey({ close, onMade }: MakeProps) {
  const { membership } = useAccount();
  const [name, setName] = useState('');
  const [role, setRole] = useState<Role>('member');
  const [days, setDays] = useState('90');
  const make = async () => {
    const expiresAt = days && new Date(Date.now() + Number(days) * DAY_MS).toISOString();
    onMade(
      await post<NewKey>(path`/keys`, { name: name.trim(), role, ...(expiresAt && { expiresAt }) }),
    );
  };
  return (
    <Dialog
      title="New key"
      submit="Make the key"
      onClose={close}
      onSubmit={make}
      disabled={!name.trim()}
    >
      <TextField
        label="Name"
        hint="What will use it?"
        autoFocus
        value={name}
        onInput={setName}
        autoComplete="off"
      />
      <SelectField
        label="Role"
        value={role}
        choices={roleChoices(rolesUpTo(membership?.role).filter((each) => each !== 'viewer'))}
        onChange={setRole}
      />
      <SelectField label="Works for" value={days} choices={lifetimes} onChange={setDays} />
    </Dialog>
  );
}

const overlaps: Choice[] = [
  ['24', 'A day'],
  ['1', 'An hour'],
  ['168', 'A week'],
  ['0', 'Not at all: it ends now'],
];

/** Makes a key that replaces another one. */
export function RotateKey({ of, close, onMade }: MakeProps & { of: Key }) {
  const [hours, setHours] = useState('24');
  const rotate = async () =>
    onMade(await post<NewKey>(path`/keys/${of.keyId}/rotate`, { overlapHours: Number(hours) }));
  return (
    <Dialog title={`Rotate ${of.name}`} submit="Make the new key" onClose={close} onSubmit={rotate}>
      <p class="muted">A new key takes the place of this one. Give your programs time to change.</p>
      <SelectField
        label="The old key works for"
        value={hours}
        choices={overlaps}
        onChange={setHours}
      />
    </Dialog>
  );
}

/** Shows a new key once. */
export const ShowKey = ({ made, close }: { made: NewKey; close: () => void }) => (
  <Dialog title={`${made.name} is ready`} onClose={close}>
    <ShownOnce name="key" value={made.apiKey} />
  </Dialog>
);
