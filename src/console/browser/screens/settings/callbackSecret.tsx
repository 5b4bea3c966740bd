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

export function CallbackSecretCard() {
  const secretState = useAnswer<CallbackSecret>(hostPath`/callback-secret`);
  const [newSecret, setNewSecret] = useState<string>();
  const askToRotate = () =>
    askToConfirm({
      title: 'Make a new secret?',
      text: 'Callbacks are signed with both secrets for a day. Then the old one ends: give your receivers the new one before.',
      submit: 'Make a new secret',
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
        lead="Receivers check with it that a callback is from this service."
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
                    Made <Time at={rotatedAt} />.
                  </>
                ) : (
                  'The first secret is in use. Make a new one to see it.'
                )}
              </p>
              {previousUntil && (
                <Notice kind="warn" icon="clock">
                  The one before works still. It ends <Time at={previousUntil} />.
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
