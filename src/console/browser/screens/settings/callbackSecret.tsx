import { hostPath } from '../../../../browser/hostPath.ts';
import { useState } from 'preact/hooks';
import type { CallbackSecret, RotatedCallbackSecret } from '../../../../contract/responses.ts';
import { post } from '../../client/api.ts';
import { useAnswer } from '../../useData.ts';
import { Button, ButtonLink } from '../../ui/controls.tsx';
import { askToConfirm, Dialog } from '../../ui/dialog.tsx';
import { Loaded, Notice } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { Card } from '../../ui/card.tsx';
import { ShownOnce } from './shownOnce.tsx';

/** Shows when the secret that signs callbacks was created, and lets admins replace it. */
export function CallbackSecretCard() {
  const secretState = useAnswer<CallbackSecret>(hostPath`/callback-secret`);
  const [newSecret, setNewSecret] = useState<string>();
  const askToRotate = () =>
    askToConfirm({
      title: 'Create a new secret?',
      text: 'For one day, callbacks are signed with both secrets. Then the old secret expires. Give your receivers the new secret before that.',
      submit: 'Create a new secret',
      isDanger: false,
      async onSubmit() {
        const { callbackSecret } = await post<RotatedCallbackSecret>(
          hostPath`/callback-secret/rotate`,
        );
        setNewSecret(callbackSecret);
        secretState.reload();
      },
    });
  return (
    <>
      <Card
        title="Callback secret"
        lead="Receivers use this secret to verify that a callback is from this service."
        actions={
          <Button look="primary" onClick={askToRotate}>
            New secret
          </Button>
        }
      >
        <Loaded of={secretState} lines={2}>
          {({ rotatedAt, previousUntil }) => (
            <div class="card-body stack">
              <p>
                {rotatedAt ? (
                  <>
                    Created <Time at={rotatedAt} />.
                  </>
                ) : (
                  'The first secret is in use. To see a secret, create a new one.'
                )}
              </p>
              {previousUntil && (
                <Notice kind="warn" icon="clock">
                  The previous secret still works. It expires <Time at={previousUntil} />.
                </Notice>
              )}
              <div class="row">
                <ButtonLink href="/callbacks">Send a test</ButtonLink>
              </div>
            </div>
          )}
        </Loaded>
      </Card>
      {newSecret && (
        <Dialog title="The new secret" onClose={() => setNewSecret(undefined)}>
          <ShownOnce name="secret" value={newSecret} />
        </Dialog>
      )}
    </>
  );
}
