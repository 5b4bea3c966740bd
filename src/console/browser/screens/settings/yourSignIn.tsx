import { useEffect, useState } from 'preact/hooks';
import type { EventMailSetting } from '../../../../contract/responses.ts';
import { passwordLength } from '../../../../contract/passwordLength.ts';
import { hostPath } from '../../../../browser/hostPath.ts';
import {
  errorText,
  postRequest,
  readResponse,
  sendRequest,
} from '../../../../browser/sendRequest.ts';
import { callAccount } from '../../client/api.ts';
import { readOptions } from '../../client/signingIn.ts';
import { signOutEverywhere, useAccount } from '../../client/session.ts';
import { navigate } from '../../router.ts';
import { Button, CheckField, NewPasswordField, TextField } from '../../ui/controls.tsx';
import { askToConfirm } from '../../ui/dialog.tsx';
import { useFields } from '../../ui/form.ts';
import { toast } from '../../ui/toasts.tsx';
import { Card, CardForm } from '../../ui/card.tsx';
import { LeaveCard } from './leave.tsx';

/** Lets a person change the password, sign out everywhere and, as a viewer, leave. */
export function YourSignIn() {
  const { user, membership } = useAccount();
  const askToSignOutEverywhere = () =>
    askToConfirm({
      title: 'Sign out everywhere?',
      text: 'This signs you out on every device, including this one, and disconnects your assistants.',
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
        lead="Use this if you lost a device, or signed in on a shared one."
        actions={<Button onClick={askToSignOutEverywhere}>Sign out everywhere</Button>}
      />
      <EventMailCard />
      {membership?.role === 'viewer' && <LeaveCard />}
    </>
  );
}

/** Lets a person choose whether the service sends e-mails about their tasks and batches. */
function EventMailCard() {
  const [setting, setSetting] = useState<EventMailSetting>();
  useEffect(() => {
    const readSetting = async () => {
      const { mail } = await readOptions();
      if (mail) setSetting(await callAccount<EventMailSetting>(hostPath`/event-mails`));
    };
    // without the setting, the card is not shown
    readSetting().catch(() => undefined);
  }, []);
  if (!setting) return null;
  const saveSetting = async (areWanted: boolean) => {
    setSetting(await callAccount(hostPath`/event-mails`, postRequest({ areWanted })));
    toast(areWanted ? 'You will get e-mails' : 'You will get no more e-mails');
  };
  return (
    <Card
      title="E-mails"
      lead="About your own tasks and batches: a question, a batch that waits or is done, a failure."
    >
      <div class="card-body">
        <CheckField
          label="Send me e-mails about what waits for me"
          checked={setting.areWanted}
          onChange={(areWanted) =>
            void saveSetting(areWanted).catch((error: unknown) => toast(errorText(error), 'bad'))
          }
        />
      </div>
    </Card>
  );
}

function PasswordForm() {
  const [fields, bind, setFields] = useFields({ currentPassword: '', newPassword: '' });
  const savePassword = async () => {
    await readResponse(await sendRequest(hostPath`/auth/change-password`, postRequest(fields)));
    setFields({ currentPassword: '', newPassword: '' });
    toast('The password was changed. Your other sessions and assistants were signed out');
  };
  return (
    <CardForm
      foot="This signs out your other sessions and disconnects your assistants."
      actions={
        <Button
          look="primary"
          disabled={!fields.currentPassword || fields.newPassword.length < passwordLength.least}
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
