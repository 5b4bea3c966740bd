import { hostPath } from '../../../../browser/hostPath.ts';
import { useState } from 'preact/hooks';
import type { Role } from '../../../../contract/roles.ts';
import { api, post } from '../../client/api.ts';
import { errorText } from '../../../../browser/sendRequest.ts';
import { isAtLeast, rolesUpTo, useAccount, useIsAtLeast } from '../../client/session.ts';
import type { Invitation, Member, NewInvitation } from '../../../../contract/membership.ts';
import { useList } from '../../useData.ts';
import {
  Button,
  type SelectChoice,
  EmailField,
  CopyLine,
  Select,
  SelectField,
} from '../../ui/controls.tsx';
import { askToConfirm, Dialog } from '../../ui/dialog.tsx';
import { Empty, Notice } from '../../ui/states.tsx';
import { toast } from '../../ui/toasts.tsx';
import { Card } from '../../ui/card.tsx';
import { ChangeDialog, changeMember } from './memberChange.tsx';
import { ListedTable, MainCell, TimeCell } from '../../ui/table.tsx';

const rolePowers: Record<Role, string> = {
  owner: 'does everything, and manages owners',
  admin: 'manages sites, members and keys',
  member: 'creates and publishes pages',
  viewer: 'sees shared pages',
};
export const roleChoices = (roles: Role[]) =>
  roles.map((role): SelectChoice<Role> => [role, `${role}: ${rolePowers[role]}`]);

/** Lists the members, and lets admins invite people, change roles and remove members. */
export function MembersCard() {
  const { membership } = useAccount();
  const isAdmin = useIsAtLeast('admin');
  const members = useList<Member>(hostPath`/members`, 'members', { limit: 100 });
  const [isInviting, setInviting] = useState(false);
  const [round, setRound] = useState(0);
  return (
    <>
      <Card
        title="Members"
        lead={`The people of ${membership?.name}.`}
        actions={
          isAdmin && (
            <Button look="primary" icon="plus" onClick={() => setInviting(true)}>
              Invite
            </Button>
          )
        }
      >
        <ListedTable
          of={members}
          columns={['Name', 'Role', 'Since']}
          hasActions
          row={(member) => (
            <MemberRow key={member.memberId} member={member} reload={members.reload} />
          )}
        />
      </Card>
      {isAdmin && <InvitationsCard key={round} />}
      {isInviting && (
        <InviteDialog
          close={() => {
            setInviting(false);
            setRound(round + 1);
          }}
        />
      )}
    </>
  );
}

interface MemberProps {
  member: Member;
  reload: () => void;
}

function MemberRow({ member, reload }: MemberProps) {
  const { user, membership } = useAccount();
  const isOwnRow = member.userId === user.userId;
  const mayChange =
    isAtLeast(membership?.role, 'admin') && isAtLeast(membership?.role, member.role);
  const [isRemoving, setRemoving] = useState(false);
  const onRemoved = () => {
    reload();
    toast(`${member.name} was removed`);
  };
  return (
    <tr>
      <MainCell
        title={
          <>
            {member.name || member.email}
            {isOwnRow && <span class="muted"> (you)</span>}
          </>
        }
      >
        {member.email}
      </MainCell>
      <td>
        {mayChange && !isOwnRow ? (
          <RoleSelect member={member} reload={reload} />
        ) : (
          <span class="tag">{member.role}</span>
        )}
      </td>
      <TimeCell at={member.joinedAt} />
      <td class="end">
        {mayChange && !isOwnRow && (
          <Button little label={`Remove ${member.name}`} onClick={() => setRemoving(true)}>
            Remove
          </Button>
        )}
        {isRemoving && (
          <ChangeDialog
            change={{ member }}
            title={`Remove ${member.name}?`}
            text="They lose access and their share links stop working at once. What they created stays."
            submit="Remove"
            close={() => setRemoving(false)}
            onDone={onRemoved}
          />
        )}
      </td>
    </tr>
  );
}

function RoleSelect({ member, reload }: MemberProps) {
  const { membership } = useAccount();
  const [lowerRole, setLowerRole] = useState<Role>();
  const onDone = (role: Role) => {
    reload();
    toast(`${member.name} now has the role ${role}`);
  };
  const changeRole = async (role: Role) => {
    if (!isAtLeast(role, member.role)) return setLowerRole(role);
    try {
      await changeMember({ member, role });
      onDone(role);
    } catch (error) {
      toast(errorText(error), 'bad');
      reload();
    }
  };
  return (
    <>
      <Select
        aria-label={`Role of ${member.name}`}
        value={lowerRole ?? member.role}
        choices={rolesUpTo(membership?.role).map((role): SelectChoice<Role> => [role, role])}
        onChange={(role) => void changeRole(role)}
      />
      {lowerRole && (
        <ChangeDialog
          change={{ member, role: lowerRole }}
          title={`Change the role of ${member.name} to ${lowerRole}?`}
          text="They lose the rights of their current role at once."
          submit="Change the role"
          close={() => setLowerRole(undefined)}
          onDone={() => onDone(lowerRole)}
        />
      )}
    </>
  );
}

function InvitationsCard() {
  const invitations = useList<Invitation>(hostPath`/invitations`, 'invitations', { limit: 100 });
  const takeBack = ({ invitationId, email }: Invitation) =>
    askToConfirm({
      title: 'Revoke the invitation?',
      text: `The link that was sent to ${email} stops working.`,
      submit: 'Revoke',
      async onSubmit() {
        await api(hostPath`/invitations/${invitationId}`, { method: 'DELETE' });
        invitations.reload();
        toast('The invitation was revoked');
      },
    });
  return (
    <Card title="Invitations" lead="Invitations that nobody has accepted yet.">
      <ListedTable
        of={invitations}
        lines={2}
        empty={<Empty icon="people" title="No open invitations" />}
        columns={['For', 'Role', 'Expires']}
        hasActions
        row={(invitation) => (
          <tr key={invitation.invitationId}>
            <MainCell title={invitation.email} />
            <td>
              <span class="tag">{invitation.role}</span>
            </td>
            <TimeCell at={invitation.expiresAt} />
            <td class="end">
              <Button
                little
                onClick={() => takeBack(invitation)}
                label={`Revoke: ${invitation.email}`}
              >
                Revoke
              </Button>
            </td>
          </tr>
        )}
      />
    </Card>
  );
}

function InviteDialog({ close }: { close: () => void }) {
  const { membership } = useAccount();
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<Role>('member');
  const [sentInvitation, setSentInvitation] = useState<NewInvitation>();
  const sendInvitation = async () =>
    setSentInvitation(await post<NewInvitation>(hostPath`/invitations`, { email, role }));
  if (sentInvitation)
    return (
      <Dialog title={`${sentInvitation.email} was invited`} onClose={close}>
        <Notice kind="good">
          {sentInvitation.sent
            ? 'We sent an e-mail with this link.'
            : 'Send this link to the person. It works only for their e-mail address.'}
        </Notice>
        {sentInvitation.url && <CopyLine value={sentInvitation.url} />}
      </Dialog>
    );
  return (
    <Dialog
      title="Invite somebody"
      submit="Invite"
      onClose={close}
      disabled={!email.includes('@')}
      onSubmit={sendInvitation}
    >
      <EmailField autoFocus autoComplete="off" value={email} onInput={setEmail} />
      <SelectField
        label="Role"
        value={role}
        choices={roleChoices(rolesUpTo(membership?.role))}
        onChange={setRole}
      />
    </Dialog>
  );
}
