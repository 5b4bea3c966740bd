import { posting } from '../../../../browser/http.ts';
import { path } from '../../../../browser/path.ts';
import { useState } from 'preact/hooks';
import { account, all } from '../../client/api.ts';
import { loadAccount, useAccount, useIsAtLeast } from '../../client/session.ts';
import type { Member } from '../../../../contract/people.ts';
import { forgetData, useData } from '../../useData.ts';
import { navigate } from '../../router.ts';
import { Button, ButtonLink } from '../../ui/controls.tsx';
import { confirm } from '../../ui/dialog.tsx';
import { toast } from '../../ui/toasts.tsx';
import { Card } from '../../ui/card.tsx';
import { ChangeDialog } from './memberChange.tsx';

const consequence = 'Your sign-in here ends at once. Somebody must invite you to come back.';

/** Lets a person leave the organization. A sole owner must first make somebody else an owner. */
export function Leave() {
  const { user, membership } = useAccount();
  const name = membership?.name ?? '';
  const isOwner = useIsAtLeast('owner');
  const owners = useData(`owners ${membership?.organizationId} ${isOwner}`, async () =>
    isOwner ? readOwners() : [],
  );
  const isOnlyOwner = isOwner && owners.data?.length === 1;
  const [me, setMe] = useState<Member>();
  const leave = async () => {
    const members = await readMembers();
    setMe(members.find(({ userId }) => userId === user.userId));
  };
  return (
    <>
      <Card
        title="Leave"
        lead={
          isOnlyOwner
            ? 'You are the only owner. To leave, make somebody else an owner first.'
            : consequence
        }
        actions={
          isOnlyOwner ? (
            <ButtonLink href="/settings/members">Choose an owner</ButtonLink>
          ) : (
            <Button look="danger" onClick={leave}>
              Leave {name}
            </Button>
          )
        }
      />
      {me && (
        <ChangeDialog
          change={{ member: me }}
          title={`Leave ${name}?`}
          text={consequence}
          submit="Leave"
          close={() => setMe(undefined)}
          onDone={() => goAway(name)}
        />
      )}
    </>
  );
}

/**
 * Lets a viewer leave. Viewers have no key to read the list of members, and do not need it to
 * leave.
 */
export function LeaveAsViewer() {
  const { membership } = useAccount();
  if (!membership) return null;
  const { organizationId, name } = membership;
  const leave = () =>
    confirm({
      title: `Leave ${name}?`,
      text: consequence,
      submit: 'Leave',
      async onSubmit() {
        await account(path`/organizations/${organizationId}/leave`, posting());
        await goAway(name);
      },
    });
  return (
    <Card
      title="Leave"
      lead={consequence}
      actions={
        <Button look="danger" onClick={leave}>
          Leave {name}
        </Button>
      }
    />
  );
}

const readMembers = () => all<Member>(path`/members`, 'members');

async function readOwners(): Promise<Member[]> {
  const members = await readMembers();
  return members.filter(({ role }) => role === 'owner');
}

async function goAway(name: string): Promise<void> {
  forgetData();
  await loadAccount();
  navigate('/');
  toast(`You left ${name}`);
}
