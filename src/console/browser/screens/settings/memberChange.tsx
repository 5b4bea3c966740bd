import { useState } from 'preact/hooks';
import type { Role } from '../../../../contract/roles.ts';
import { path } from '../../../../browser/path.ts';
import { all, api } from '../../client/api.ts';
import { isAtLeast } from '../../client/session.ts';
import { isOver } from '../../keyState.ts';
import type { Key } from '../../../../contract/answers.ts';
import type { Member } from '../../../../contract/people.ts';
import { useData } from '../../useData.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Loaded } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';

interface Change {
  member: Member;
  /** The new role. Absent if the person is removed, or leaves. */
  role?: Role;
}

/** The working keys that a person made, and could not make any more after the change. */
export async function keysEndedBy({ member, role }: Change): Promise<Key[]> {
  const keys = await all<Key>(path`/keys`, 'keys', { createdBy: member.userId });
  const isAllowed = (key: Key) =>
    role !== undefined && role !== 'viewer' && isAtLeast(role, key.role);
  return keys.filter((key) => !isOver(key) && !isAllowed(key));
}

export function changeMember(
  { member: { memberId }, role }: Change,
  endKeys = false,
): Promise<unknown> {
  const to = path`/members/${memberId}`;
  if (role) return api(to, { method: 'PATCH', body: { role, endKeys } });
  return api(to, { method: 'DELETE', query: { endKeys: String(endKeys) } });
}

interface ChangeDialogProps {
  change: Change;
  title: string;
  text: string;
  submit: string;
  close: () => void;
  /** Called after the change. */
  onDone: () => unknown;
}

/**
 * Asks before a removal or a lower role, and offers to revoke keys that the person could not make
 * any more.
 */
export function ChangeDialog({ change, title, text, submit, close, onDone }: ChangeDialogProps) {
  const { memberId } = change.member;
  const keys = useData(`keys of ${memberId} ${change.role}`, () => keysEndedBy(change));
  const [endKeys, setEndKeys] = useState(false);
  const send = async () => {
    await changeMember(change, endKeys);
    close();
    await onDone();
  };
  return (
    <Dialog
      isDanger
      title={title}
      submit={submit}
      onClose={close}
      onSubmit={send}
      disabled={!keys.data}
    >
      <p class="muted">{text}</p>
      <Loaded of={keys} lines={2}>
        {(list) => list.length > 0 && <Offer keys={list} endKeys={endKeys} onChange={setEndKeys} />}
      </Loaded>
    </Dialog>
  );
}

interface OfferProps {
  keys: Key[];
  endKeys: boolean;
  onChange: (endKeys: boolean) => void;
}

const Offer = ({ keys, endKeys, onChange }: OfferProps) => (
  <section class="stack tight" aria-label="API keys that this person made">
    <h3>API keys that this person made</h3>
    <ul class="links">
      {keys.map((key) => (
        <li key={key.keyId}>
          <span>
            {key.name}
            <span class="under muted small">
              <span class="mono">{key.prefix}…</span> · {key.role} ·{' '}
              {key.lastUsedAt ? (
                <>
                  used <Time at={key.lastUsedAt} />
                </>
              ) : (
                'never used'
              )}
            </span>
          </span>
        </li>
      ))}
    </ul>
    <label class="check">
      <input
        type="checkbox"
        checked={endKeys}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      <span>
        End these keys too
        <span class="under muted small">
          Programs that use them are refused at once. Otherwise they work on, also for whoever knows
          them.
        </span>
      </span>
    </label>
  </section>
);
