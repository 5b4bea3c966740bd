import { postRequest } from '../../../../browser/sendRequest.ts';
import { hostPath } from '../../../../browser/hostPath.ts';
import { callAccount } from '../../client/api.ts';
import { loadAccount, useAccount } from '../../client/session.ts';
import { navigate } from '../../router.ts';
import { Card } from '../../ui/card.tsx';
import { Button } from '../../ui/controls.tsx';
import { askToConfirm } from '../../ui/dialog.tsx';
import { toast } from '../../ui/toasts.tsx';
import { forgetData } from '../../useData.ts';

const consequence = 'You lose access at once. To come back, you need a new invitation.';

/** Lets a person leave the organization. The service refuses its only owner, and says why. */
export function LeaveCard() {
  const { membership } = useAccount();
  if (!membership) return null;
  const { organizationId, name } = membership;
  const askToLeave = () =>
    askToConfirm({
      title: `Leave ${name}?`,
      text: consequence,
      submit: 'Leave',
      async onSubmit() {
        await callAccount(hostPath`/organizations/${organizationId}/leave`, postRequest());
        forgetData();
        await loadAccount();
        navigate('/');
        toast(`You left ${name}`);
      },
    });
  return (
    <Card
      title="Leave"
      lead={consequence}
      actions={
        <Button look="danger" onClick={askToLeave}>
          Leave {name}
        </Button>
      }
    />
  );
}
