import { useState } from 'preact/hooks';
import { hostPath } from '../../../../browser/hostPath.ts';
import { api } from '../../client/api.ts';
import { useIsAtLeast } from '../../client/session.ts';
import type { ApiKeyResponse, IssuedApiKeyResponse } from '../../../../contract/responses.ts';
import { creatorName } from '../../words/taskWords.ts';
import { useList } from '../../useData.ts';
import { Button } from '../../ui/controls.tsx';
import { askToConfirm } from '../../ui/dialog.tsx';
import { StateDot, Empty } from '../../ui/states.tsx';
import { ListedTable, MainCell } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { toast } from '../../ui/toasts.tsx';
import { Card } from '../../ui/card.tsx';
import { MakeKey, RotateKey, ShowKey } from './newKey.tsx';

/** Lists API keys, and lets people create, rotate and revoke them. */
export function KeysCard() {
  const keys = useList<ApiKeyResponse>(hostPath`/keys`, 'keys', { limit: 100 });
  const [openDialog, setOpenDialog] = useState<'new' | ApiKeyResponse>();
  const [newKey, setNewKey] = useState<IssuedApiKeyResponse>();
  const showNewKey = (key: IssuedApiKeyResponse) => {
    setOpenDialog(undefined);
    setNewKey(key);
    keys.reload();
  };
  return (
    <>
      <Card
        title="API keys"
        lead={
          useIsAtLeast('admin') ? 'Keys of this organization.' : 'Your keys of this organization.'
        }
        actions={
          <Button look="primary" icon="plus" onClick={() => setOpenDialog('new')}>
            New key
          </Button>
        }
      >
        <ListedTable
          of={keys}
          empty={
            <Empty icon="key" title="No keys yet">
              Programs call the API with a key. They can do everything that this console does.
            </Empty>
          }
          columns={['Key', 'State']}
          hasActions
          row={(key) => (
            <KeyRow
              key={key.keyId}
              of={key}
              reload={keys.reload}
              onRotate={() => setOpenDialog(key)}
            />
          )}
        />
      </Card>
      {openDialog === 'new' && (
        <MakeKey close={() => setOpenDialog(undefined)} onMade={showNewKey} />
      )}
      {openDialog && openDialog !== 'new' && (
        <RotateKey of={openDialog} close={() => setOpenDialog(undefined)} onMade={showNewKey} />
      )}
      {newKey && <ShowKey made={newKey} close={() => setNewKey(undefined)} />}
    </>
  );
}

interface KeyRowProps {
  of: ApiKeyResponse;
  reload: () => void;
  onRotate: () => void;
}

const KeyRow = ({ of: apiKey, reload, onRotate }: KeyRowProps) => (
  <tr>
    <MainCell title={apiKey.name}>
      <span class="mono">{apiKey.prefix}…</span> · {apiKey.role}
      {creatorName(apiKey.createdBy) && ` · by ${creatorName(apiKey.createdBy)}`}
    </MainCell>
    <td>
      <KeyState of={apiKey} />
      <span class="under">
        {apiKey.lastUsedAt ? (
          <>
            Used <Time at={apiKey.lastUsedAt} />
          </>
        ) : (
          'Never used'
        )}
      </span>
    </td>
    <td class="end">
      {!isKeyOver(apiKey) && (
        <div class="row">
          <Button little onClick={onRotate} label={`Rotate ${apiKey.name}`}>
            Rotate
          </Button>
          <Button
            little
            look="danger"
            onClick={() => askToRevokeKey(apiKey, reload)}
            label={`Revoke ${apiKey.name}`}
          >
            Revoke
          </Button>
        </div>
      )}
    </td>
  </tr>
);

function KeyState({ of: apiKey }: { of: ApiKeyResponse }) {
  if (apiKey.revokedAt) return <StateDot kind="">Revoked</StateDot>;
  if (isKeyOver(apiKey)) return <StateDot kind="">Expired</StateDot>;
  if (!apiKey.expiresAt) return <StateDot kind="good">Active</StateDot>;
  return (
    <StateDot kind="good">
      Expires <Time at={apiKey.expiresAt} />
    </StateDot>
  );
}

function askToRevokeKey({ keyId, name }: ApiKeyResponse, reload: () => void): void {
  askToConfirm({
    title: `Revoke ${name}?`,
    text: 'Programs that use this key are refused at once. This can’t be undone.',
    submit: 'Revoke',
    async onSubmit() {
      await api(hostPath`/keys/${keyId}`, { method: 'DELETE' });
      reload();
      toast(`${name} was revoked`);
    },
  });
}

/** Whether a key no longer works: it was revoked, or has expired. */
const isKeyOver = ({ revokedAt, expiresAt }: ApiKeyResponse) =>
  revokedAt !== null || (expiresAt !== null && Date.parse(expiresAt) <= Date.now());
