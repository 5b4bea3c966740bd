import { useState } from 'preact/hooks';
import type { Role } from '../../../../contract/roles.ts';
import { hostPath } from '../../../../browser/hostPath.ts';
import { api } from '../../client/api.ts';
import type { Member } from '../../../../contract/membership.ts';
import { Dialog } from '../../ui/dialog.tsx';

interface MemberChange {
  member: Member;
  /** The new role. Absent if the person is removed, or leaves. */
  role?: Role;
}

/** Changes a member's role, or removes the member. @param endKeys whether to revoke API keys too */
export function changeMember(
  { member: { memberId }, role }: MemberChange,
  endKeys = false,
): Promise<unknown> {
  const memberPath = hostPath`/members/${memberId}`;
  if (role) return api(memberPath, { method: 'PATCH', body: { role, endKeys } });
  return api(memberPath, { method: 'DELETE', query: { endKeys: String(endKeys) } });
}

interface ChangeDialogProps {
  change: MemberChange;
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
  const [endKeys, setEndKeys] = useState(false);
  const sendChange = async () => {
    await changeMember(change, endKeys);
    close();
    await onDone();
  };
  return (
    <Dialog isDanger title={title} submit={submit} onClose={close} onSubmit={sendChange}>
      <p class="muted">{text}</p>
      <label class="check">
        <input
          type="checkbox"
          checked={endKeys}
          onChange={(event) => setEndKeys(event.currentTarget.checked)}
        />
        <span>
          Revoke those of their API keys that they can no longer create
          <span class="under muted small">
            Programs that use these keys are refused at once. If you do not revoke the keys, they
            continue to work for everybody who knows them.
          </span>
        </span>
      </label>
    </Dialog>
  );
}
