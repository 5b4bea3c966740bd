import { path } from '../../../../browser/path.ts';
import { useState } from 'preact/hooks';
import { read, send } from '../../../../browser/http.ts';
import { signOut, useAccount } from '../../client/session.ts';
import { PASSWORD_LENGTH } from '../../client/signingIn.ts';
import { navigate } from '../../router.ts';
import { Button, TextField } from '../../ui/controls.tsx';
import { confirm } from '../../ui/dialog.tsx';
import { toast } from '../../ui/toasts.tsx';
import { Card } from './card.tsx';
import { LeaveAsViewer } from './leave.tsx';

export function You() {
  const { user, membership } = useAccount();
  const everywhere = () =>
    confirm({
      title: 'Sign out everywhere?',
      text: 'All your sessions end at once, on every device, this one too.',
      submit: 'Sign out everywhere',
      async onSubmit() {
        await signOut(true);
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
      {membership?.role === 'viewer' && <LeaveAsViewer />}
    </>
  );
}

function Password() {
  const [fields, setFields] = useState({ currentPassword: '', newPassword: '' });
  const save = async () => {
    await read(await send(path`/auth/change-password`, { method: 'POST', body: fields }));
    setFields({ currentPassword: '', newPassword: '' });
    toast('The password is changed. Other sessions are signed out');
  };
  return (
    <>
      <div class="card-body stack">
        <TextField
          label="Current password"
          type="password"
          autoComplete="current-password"
          value={fields.currentPassword}
          onInput={(currentPassword) => setFields({ ...fields, currentPassword })}
        />
        <TextField
          label="New password"
          type="password"
          autoComplete="new-password"
          hint={`${PASSWORD_LENGTH} characters or more. Several words are fine.`}
          value={fields.newPassword}
          onInput={(newPassword) => setFields({ ...fields, newPassword })}
        />
      </div>
      <div class="card-foot">
        <span>Your other sessions end with the old password.</span>
        <Button
          look="primary"
          disabled={!fields.currentPassword || fields.newPassword.length < PASSWORD_LENGTH}
          onClick={save}
        >
          Change password
        </Button>
      </div>
    </>
  );
}
