import { path } from '../../../../browser/path.ts';
import { useState } from 'preact/hooks';
import type { CallbackSecret as Answer, NewCallbackSecret } from '../../../../contract/answers.ts';
import { post } from '../../client/api.ts';
import { useAnswer } from '../../useData.ts';
import { Button, ButtonLink } from '../../ui/controls.tsx';
import { confirm, Dialog } from '../../ui/dialog.tsx';
import { Loaded, Notice } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { Card } from '../../ui/card.tsx';
import { ShownOnce } from './shownOnce.tsx';

export function CallbackSecret() {
  const state = useAnswer<Answer>(path`/callback-secret`);
  const [made, setMade] = useState<string>();
  const rotate = () =>
    confirm({
      title: 'Make a new secret?',
      text: 'Callbacks are signed with both secrets for a day. Then the old one ends: give your receivers the new one before.',
      submit: 'Make a new secret',
      isDanger: false,
      async onSubmit() {
        const { callbackSecret } = await post<NewCallbackSecret>(path`/callback-secret/rotate`);
        setMade(callbackSecret);
        state.reload();
      },
    });
  return (
    <>
      <Card
        title="Callback secret"
        lead="Receivers check with it that a callback is from this service."
        actions={
          <Button look="primary" onClick={rotate}>
            New secret
          </Button>
        }
      >
        <Loaded of={state} lines={2}>
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
      {made && (
        <Dialog title="The new secret" onClose={() => setMade(undefined)}>
          <ShownOnce name="secret" value={made} />
        </Dialog>
      )}
    </>
  );
}
