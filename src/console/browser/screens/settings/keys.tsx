import { path } from '../../../../browser/path.ts';
import { useState } from 'preact/hooks';
import { api, post } from '../../client/api.ts';
import { rolesUpTo, useAccount, useIsAtLeast } from '../../client/session.ts';
import { isOver } from '../../keyState.ts';
import type { Role } from '../../../../contract/roles.ts';
import type { Key, NewKey, Site, SitePage } from '../../../../contract/answers.ts';
import { makerOf } from '../../taskWords.ts';
import { useList, useSites } from '../../useData.ts';
import {
  Button,
  type Choice,
  CodeBlock,
  Secret,
  SelectField,
  TextField,
} from '../../ui/controls.tsx';
import { confirm, Dialog } from '../../ui/dialog.tsx';
import { Dot, Empty, Notice } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { toast } from '../../ui/toasts.tsx';
import { Card } from './card.tsx';
import { roleChoices } from './members.tsx';
import { ListedTable, MainCell } from '../../ui/table.tsx';

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

const DAY_MS = 86_400_000;
const lifetimes: Choice[] = [
  ['90', '90 days'],
  ['30', '30 days'],
  ['365', 'A year'],
  ['', 'No end'],
];

interface MakeProps {
  close: () => void;
  onMade: (key: NewKey) => void;
}

function MakeKey({ close, onMade }: MakeProps) {
  const { membership } = useAccount();
  const [name, setName] = useState('');
  const [role, setRole] = useState<Role>('member');
  const [days, setDays] = useState('90');
  const make = async () => {
    const expiresAt = days && new Date(Date.now() + Number(days) * DAY_MS).toISOString();
    onMade(
      await post<NewKey>(path`/keys`, { name: name.trim(), role, ...(expiresAt && { expiresAt }) }),
    );
  };
  return (
    <Dialog
      title="New key"
      submit="Make the key"
      onClose={close}
      onSubmit={make}
      disabled={!name.trim()}
    >
      <TextField
        label="Name"
        hint="What will use it?"
        autoFocus
        value={name}
        onInput={setName}
        autoComplete="off"
      />
      <SelectField
        label="Role"
        value={role}
        choices={roleChoices(rolesUpTo(membership?.role).filter((each) => each !== 'viewer'))}
        onChange={setRole}
      />
      <SelectField label="Works for" value={days} choices={lifetimes} onChange={setDays} />
    </Dialog>
  );
}

const overlaps: Choice[] = [
  ['24', 'A day'],
  ['1', 'An hour'],
  ['168', 'A week'],
  ['0', 'Not at all: it ends now'],
];

function RotateKey({ of, close, onMade }: MakeProps & { of: Key }) {
  const [hours, setHours] = useState('24');
  const rotate = async () =>
    onMade(await post<NewKey>(path`/keys/${of.keyId}/rotate`, { overlapHours: Number(hours) }));
  return (
    <Dialog title={`Rotate ${of.name}`} submit="Make the new key" onClose={close} onSubmit={rotate}>
      <p class="muted">A new key takes the place of this one. Give your programs time to change.</p>
      <SelectField
        label="The old key works for"
        value={hours}
        choices={overlaps}
        onChange={setHours}
      />
    </Dialog>
  );
}

/** A new key, once, with a request that works with it. */
function ShowKey({ made, close }: { made: NewKey; close: () => void }) {
  const { data = [] } = useSites();
  const sites = data.filter(({ repository }) => repository !== null);
  const [chosen, setChosen] = useState('');
  const site = sites.find(({ siteId }) => siteId === chosen) ?? sites[0];
  return (
    <Dialog wide title={`${made.name} is ready`} onClose={close}>
      <Notice kind="warn" icon="key">
        Copy the key now. It is not shown again.
      </Notice>
      <Secret value={made.apiKey} />
      {sites.length > 1 && (
        <SelectField
          label="A first request for"
          value={site?.siteId ?? ''}
          choices={sites.map(({ siteId, name }): Choice => [siteId, name])}
          onChange={setChosen}
        />
      )}
      {site && <FirstRequest key={site.siteId} site={site} apiKey={made.apiKey} />}
    </Dialog>
  );
}

function FirstRequest({ site, apiKey }: { site: Site; apiKey: string }) {
  const { data } = useList<SitePage>(path`/sites/${site.siteId}/pages`, 'pages', { limit: 20 });
  const slug = data?.find(({ slug }) => slug !== '/' && slug !== '/404')?.slug ?? '/';
  const body = JSON.stringify({
    siteId: site.siteId,
    prompt: `Change the headline of ${slug} to "Made by API"`,
  });
  const curl = [
    `curl -s ${location.origin}/api/v1/agent/tasks \\`,
    `  -H 'Authorization: Bearer ${apiKey}' \\`,
    "  -H 'Content-Type: application/json' \\",
    `  -d '${body.replaceAll("'", "'\\''")}'`,
  ].join('\n');
  return (
    <div class="stack tight">
      <span class="legend">A first request</span>
      <CodeBlock label="A first request" text={curl} />
      <p class="muted small">It makes a preview of {site.name}. Nothing goes live.</p>
    </div>
  );
}
