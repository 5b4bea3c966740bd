import { hostPath } from '../../../../browser/hostPath.ts';
import { postRequest, readResponse, sendRequest } from '../../../../browser/sendRequest.ts';
import { signOutEverywhere, useAccount } from '../../client/session.ts';
import { navigate } from '../../router.ts';
import { Button, NewPasswordField, PASSWORD_LENGTH, TextField } from '../../ui/controls.tsx';
import { askToConfirm } from '../../ui/dialog.tsx';
import { useFields } from '../../ui/form.ts';

import { toast } from '../../ui/toasts.tsx';
import { Card, CardForm } from '../../ui/card.tsx';
import { LeaveCard } from './leave.tsx';

export function YourSignIn() {
  const { user, membership } = useAccount();
  const askToSignOutEverywhere = () =>
    askToConfirm({
      title: 'Sign out everywhere?',
      text: 'All your sessions and assistants end at once, on every device, this one too.',
      submit: 'Sign out everywhere',
      async onSubmit() {
        await signOutEverywhere();
        navigate('/sign-in');
      },
    });
  return (
    <>
      <Card title="Your sign-in" lead={`${user.name} · ${user.email}`}>
        <PasswordForm />
      </Card>
      <Card
        title="Sessions"
        lead="For a lost device, or a shared one."
        actions={<Button onClick={askToSignOutEverywhere}>Sign out everywhere</Button>}
      />
      {membership?.role === 'viewer' && <LeaveCard />}
    </>
  );
}

function PasswordForm() {
  const [fields, bind, setFields] = useFields({ currentPassword: '', newPassword: '' });
  const savePassword = async () => {
    await readResponse(await sendRequest(hostPath`/auth/change-password`, postRequest(fields)));
    setFields({ currentPassword: '', newPassword: '' });
    toast('The password is changed. Other sessions and assistants are signed out');
  };
  return (
    <CardForm
      foot="Your other sessions and your assistants end with the old password."
      actions={
        <Button
          look="primary"
          disabled={!fields.currentPassword || fields.newPassword.length < PASSWORD_LENGTH}
          onClick={savePassword}
        >
          Change password
        </Button>
      }
    >
      <TextField
        label="Current password"
        type="password"
        autoComplete="current-password"
        {...bind('currentPassword')}
      />
      <NewPasswordField label="New password" {...bind('newPassword')} />
    </CardForm>
  );
}
