import { path } from '../../../browser/path.ts';
import { useState } from 'preact/hooks';
import type { Offer } from '../../../contract/people.ts';
import type { Role } from '../../../contract/roles.ts';
import { account } from '../client/api.ts';
import { chooseOrganization, loadAccount, signOut, useAccount } from '../client/session.ts';
import { useData } from '../useData.ts';
import { navigate } from '../router.ts';
import { Button, ButtonLink, Toggle } from '../ui/controls.tsx';
import { Bones, EmptyCard, Notice } from '../ui/states.tsx';
import { Time } from '../ui/time.tsx';
import { toast } from '../ui/toasts.tsx';
import { posting, wordsOf } from '../../../browser/http.ts';
import { Door, DoorForm } from './door.tsx';
import { Elsewhere, SignInForm } from './signIn.tsx';
import { SignUpForm } from './signUp.tsx';
import { readOptions } from '../client/signingIn.ts';

/** Lets a person join an organization with the link of an invitation. */
export function Invitation({ id, isIn }: { id: string; isIn: boolean }) {
  const { data, error } = useData(`invitation ${id}`, () =>
    account<Offer>(path`/invitations/${id}`),
  );
  if (error !== undefined && !data)
    return (
      <Door title="This invitation can’t be used">
        <EmptyCard
          icon="clock"
          title={wordsOf(error)}
          actions={<ButtonLink href="/">Go to the console</ButtonLink>}
        >
          It may be old, used or taken back. Ask the person who sent it for a new one.
        </EmptyCard>
      </Door>
    );
  if (!data) return <Bones />;
  return <Join id={id} invited={data} isIn={isIn} />;
}

const roleWords: Record<Role, string> = {
  viewer: 'see what is shared with you',
  member: 'make pages and put them live',
  admin: 'make pages, add sites, and invite people',
  owner: 'do everything',
};

const articles: Record<Role, string> = { viewer: 'a', member: 'a', admin: 'an', owner: 'an' };

function Join({ id, invited, isIn }: { id: string; invited: Offer; isIn: boolean }) {
  const by = invited.invitedBy;
  const Accept = isIn ? AsSignedIn : AsStranger;
  const accept = async () => {
    const joined = await account<{ organizationId?: string }>(
      path`/invitations/${id}/accept`,
      posting(),
    );
    await loadAccount();
    if (joined?.organizationId) chooseOrganization(joined.organizationId);
    toast(`Welcome to ${invited.organization}`);
    navigate('/', { replace: true });
  };
  return (
    <Door
      title={`Join ${invited.organization}`}
      lead={
        <>
          {by ? `${by} invites you` : 'You are invited'} as {articles[invited.role]} {invited.role}:
          you can {roleWords[invited.role]}. The invitation ends <Time at={invited.expiresAt} />.
        </>
      }
    >
      <div class="card stack">
        <Accept id={id} invited={invited} accept={accept} />
      </div>
    </Door>
  );
}

interface AcceptProps {
  id: string;
  invited: Offer;
  accept: () => Promise<void>;
}

function AsSignedIn({ invited, accept }: AcceptProps) {
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

function AsStranger({ id, invited, accept }: AcceptProps) {
  const { data: options } = useData('options', readOptions);
  const [way, setWay] = useState<'new' | 'known'>('new');
  return (
    <>
      <Toggle
        label="Do you have an account?"
        value={way}
        onChange={setWay}
        choices={[
          ['new', 'I am new'],
          ['known', 'I have an account'],
        ]}
      />
      {way === 'new' ? (
        <SignUpForm email={invited.email} invitationId={id} onDone={accept} />
      ) : (
        <SignInForm email={invited.email} onDone={accept} />
      )}
      <Elsewhere options={options} next={path`/invitations/${id}`.toString()} />
    </>
  );
}
