import { hostPath } from '../../../../browser/hostPath.ts';
import { useState } from 'preact/hooks';
import type { InvitationOffer } from '../../../../contract/membership.ts';
import type { Role } from '../../../../contract/roles.ts';
import { callAccount } from '../../client/api.ts';
import { chooseOrganization, loadAccount, signOut, useAccount } from '../../client/session.ts';
import { useData } from '../../useData.ts';
import { navigate } from '../../router.ts';
import { Button, ButtonLink, Toggle } from '../../ui/controls.tsx';
import { LoadingBones, EmptyCard, Notice } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { toast } from '../../ui/toasts.tsx';
import { postRequest, errorText } from '../../../../browser/sendRequest.ts';
import { Door, DoorForm } from './door.tsx';
import { SingleSignOnButton, SignInForm } from './signIn.tsx';
import { SignUpForm } from './signUp.tsx';
import { readOptions } from '../../client/signingIn.ts';

/** Lets a person join an organization with the link of an invitation. */
export function InvitationScreen({ id, isIn }: { id: string; isIn: boolean }) {
  const { data, error } = useData(`invitation ${id}`, () =>
    callAccount<InvitationOffer>(hostPath`/invitations/${id}`),
  );
  if (error !== undefined && !data)
    return (
      <Door title="This invitation can’t be used">
        <EmptyCard
          icon="clock"
          title={errorText(error)}
          actions={<ButtonLink href="/">Go to the console</ButtonLink>}
        >
          It may have expired, or it may have been used or revoked. Ask the person who sent it for a
          new one.
        </EmptyCard>
      </Door>
    );
  if (!data) return <LoadingBones />;
  return <JoinForm id={id} invited={data} isIn={isIn} />;
}

const roleWords: Record<Role, string> = {
  viewer: 'see what is shared with you',
  member: 'create pages and publish them',
  admin: 'create pages, add sites, and invite people',
  owner: 'do everything',
};

const articles: Record<Role, string> = { viewer: 'a', member: 'a', admin: 'an', owner: 'an' };

function JoinForm({ id, invited, isIn }: { id: string; invited: InvitationOffer; isIn: boolean }) {
  const inviterName = invited.invitedBy;
  const AcceptForm = isIn ? AcceptSignedIn : AcceptAsStranger;
  const accept = async () => {
    const acceptedInvitation = await callAccount<{ organizationId?: string }>(
      hostPath`/invitations/${id}/accept`,
      postRequest(),
    );
    await loadAccount();
    if (acceptedInvitation?.organizationId) chooseOrganization(acceptedInvitation.organizationId);
    toast(`Welcome to ${invited.organization}`);
    navigate('/', { replace: true });
  };
  return (
    <Door
      title={`Join ${invited.organization}`}
      lead={
        <>
          {inviterName ? `${inviterName} invites you` : 'You are invited'} as{' '}
          {articles[invited.role]} {invited.role}: you can {roleWords[invited.role]}. The invitation
          expires <Time at={invited.expiresAt} />.
        </>
      }
    >
      <div class="card stack">
        <AcceptForm id={id} invited={invited} accept={accept} />
      </div>
    </Door>
  );
}

interface AcceptProps {
  id: string;
  invited: InvitationOffer;
  accept: () => Promise<void>;
}

function AcceptSignedIn({ invited, accept }: AcceptProps) {
  const { email } = useAccount().user;
  if (email.toLowerCase() === invited.email.toLowerCase())
    return (
      <DoorForm submit={`Join ${invited.organization}`} onSubmit={accept}>
        <p>You are signed in as {email}.</p>
      </DoorForm>
    );
  return (
    <>
      <Notice kind="warn">
        The invitation is for {invited.email}, and you are signed in as {email}.
      </Notice>
      <Button wide onClick={() => signOut()}>
        Sign out, then join as {invited.email}
      </Button>
    </>
  );
}

function AcceptAsStranger({ id, invited, accept }: AcceptProps) {
  const { data: options } = useData('options', readOptions);
  const [accountKind, setAccountKind] = useState<'new' | 'known'>('new');
  return (
    <>
      <Toggle
        label="Do you have an account?"
        value={accountKind}
        onChange={setAccountKind}
        choices={[
          ['new', 'I am new'],
          ['known', 'I have an account'],
        ]}
      />
      {accountKind === 'new' ? (
        <SignUpForm email={invited.email} invitationId={id} onDone={accept} />
      ) : (
        <SignInForm email={invited.email} onDone={accept} />
      )}
      <SingleSignOnButton options={options} next={hostPath`/invitations/${id}`.toString()} />
    </>
  );
}
