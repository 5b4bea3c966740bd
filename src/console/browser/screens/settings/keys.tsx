import { useState } from 'preact/hooks';
import { path } from '../../../../browser/path.ts';
import { api } from '../../client/api.ts';
import { useIsAtLeast } from '../../client/session.ts';
import type { Key, NewKey } from '../../../../contract/answers.ts';
import { makerOf } from '../../taskWords.ts';
import { useList } from '../../useData.ts';
import { Button } from '../../ui/controls.tsx';
import { confirm } from '../../ui/dialog.tsx';
import { Dot, Empty } from '../../ui/states.tsx';
import { ListedTable, MainCell } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { toast } from '../../ui/toasts.tsx';
import { Card } from '../../ui/card.tsx';
import { MakeKey, RotateKey, ShowKey } from './newKey.tsx';

export function Keys() {
  const keys = useList<Key>(path`/keys`, 'keys', { limit: 100 });
  const [open, setOpen] = useState<'new' | Key>();
  const [made, setMade] = useState<NewKey>();
  const onMade = (key: NewKey) => {
    setOpen(undefined);
    setMade(key);
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
          <Button look="primary" icon="plus" onClick={() => setOpen('new')}>
            New key
          </Button>
        }
      >
        <ListedTable
          of={keys}
          empty={
            <Empty icon="key" title="No keys yet">
              Programs call the API with a key. Whatever this console does, a program can do.
            </Empty>
          }
          columns={['Key', 'State']}
          hasActions
          row={(key) => (
            <KeyRow key={key.keyId} of={key} reload={keys.reload} onRotate={() => setOpen(key)} />
          )}
        />
      </Card>
      {open === 'new' && <MakeKey close={() => setOpen(undefined)} onMade={onMade} />}
      {open && open !== 'new' && (
        <RotateKey of={open} close={() => setOpen(undefined)} onMade={onMade} />
      )}
      {made && <ShowKey made={made} close={() => setMade(undefined)} />}
    </>
  );
}

interface RowProps {
  of: Key;
  reload: () => void;
  onRotate: () => void;
}

const KeyRow = ({ of: key, reload, onRotate }: RowProps) => (
  <tr>
    <MainCell title={key.name}>
      <span class="mono">{key.prefix}…</span> · {key.role}
      {makerOf(key.createdBy) && ` · by ${makerOf(key.createdBy)}`}
    </MainCell>
    <td>
      <KeyState of={key} />
      <span class="under">
        {key.lastUsedAt ? (
          <>
            Used <Time at={key.lastUsedAt} />
          </>
        ) : (
          'Never used'
        )}
      </span>
    </td>
    <td class="end">
      {!isOver(key) && (
        <div class="row">
          <Button little onClick={onRotate} label={`Rotate ${key.name}`}>
            Rotate
          </Button>
          <Button
            little
            look="danger"
            onClick={() => revoke(key, reload)}
            label={`Revoke ${key.name}`}
          >
            Revoke
          </Button>
        </div>
      )}
    </td>
  </tr>
);

function KeyState({ of }: { of: Key }) {
  if (of.revokedAt) return <Dot kind="">Revoked</Dot>;
  if (isOver(of)) return <Dot kind="">Expired</Dot>;
  if (!of.expiresAt) return <Dot kind="good">Works</Dot>;
  return (
    <Dot kind="good">
      Ends <Time at={of.expiresAt} />
    </Dot>
  );
}

function revoke({ keyId, name }: Key, reload: () => void): void {
  confirm({
    title: `Revoke ${name}?`,
    text: 'Programs that use this key are refused at once. This can’t be undone.',
    submit: 'Revoke',
    async onSubmit() {
      await api(path`/keys/${keyId}`, { method: 'DELETE' });
      reload();
      toast(`${name} is revoked`);
    },
  });
}

/** Whether a key no longer works: it was revoked, or has expired. */
const isOver = ({ revokedAt, expiresAt }: Key) =>
  revokedAt !== null || (expiresAt !== null && Date.parse(expiresAt) <= Date.now());
