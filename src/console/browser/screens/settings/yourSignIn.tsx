import { path } from '../../../../browser/path.ts';
import { posting, read, send } from '../../../../browser/http.ts';
import { signOutEverywhere, useAccount } from '../../client/session.ts';
import { navigate } from '../../router.ts';
import { Button, NewPasswordField, PASSWORD_LENGTH, TextField } from '../../ui/controls.tsx';
import { confirm } from '../../ui/dialog.tsx';
import { useFields } from '../../ui/form.ts';

import { toast } from '../../ui/toasts.tsx';
import { Card, CardForm } from '../../ui/card.tsx';
import { Leave } from './leave.tsx';

export function You() {
  const { user, membership } = useAccount();
  const everywhere = () =>
    confirm({
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
        <Password />
      </Card>
      <Card
        title="Sessions"
        lead="For a lost device, or a shared one."
        actions={<Button onClick={everywhere}>Sign out everywhere</Button>}
      />
      {membership?.role === 'viewer' && <Leave />}
    </>
  );
}

function Password() {
  const [fields, bind, setFields] = useFields({ currentPassword: '', newPassword: '' });
  const save = async () => {
    await read(await send(path`/auth/change-password`, posting(fields)));
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
          onClick={save}
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
