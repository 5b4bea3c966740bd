import { path } from '../../../../browser/path.ts';
import { posting } from '../../../../browser/http.ts';
import type { Assistant } from '../../../../contract/answers.ts';
import { account } from '../../client/api.ts';
import { useData } from '../../useData.ts';
import { Card } from '../../ui/card.tsx';
import { Button } from '../../ui/controls.tsx';
import { confirm } from '../../ui/dialog.tsx';
import { Empty, Loaded } from '../../ui/states.tsx';
import { ListTable, MainCell } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { toast } from '../../ui/toasts.tsx';

/** Lists the assistants that a person connected, in all organizations. */
export function Assistants() {
  const listed = useData('assistants', () =>
    account<{ assistants: Assistant[] }>(path`/assistants`),
  );
  return (
    <Card
      title="Assistants"
      lead="Programs that act for you. They end when you change your password, or sign out everywhere."
    >
      <Loaded of={listed}>
        {({ assistants }) =>
          assistants.length === 0 ? (
            <Empty icon="words" title="No assistants yet">
              Give Claude, ChatGPT, Cursor and others this address: <code>{address}</code>
            </Empty>
          ) : (
            <ListTable columns={['Assistant', 'Use']} hasActions>
              {assistants.map((each) => (
                <Row key={each.assistantId} of={each} reload={listed.reload} />
              ))}
            </ListTable>
          )
        }
      </Loaded>
    </Card>
  );
}

const address = `${location.origin}/mcp`;

function Row({ of, reload }: { of: Assistant; reload: () => void }) {
  const { name, hosts, organization, canChange, connectedAt, lastUsedAt } = of;
  return (
    <tr>
      <MainCell title={name}>
        {hosts.length > 0 ? hosts.join(', ') : 'on your computer'} · {organization.name}
        {!canChange && ' · only reads'}
      </MainCell>
      <td>
        <span>
          Since <Time at={connectedAt} />
        </span>
        <span class="under">
          {lastUsedAt ? (
            <>
              Used <Time at={lastUsedAt} />
            </>
          ) : (
            'Never used'
          )}
        </span>
      </td>
      <td class="end">
        <Button
          little
          look="danger"
          onClick={() => disconnect(of, reload)}
          label={`Disconnect ${name}`}
        >
          Disconnect
        </Button>
      </td>
    </tr>
  );
}

function disconnect({ assistantId, name, organization }: Assistant, reload: () => void): void {
  confirm({
    title: `Disconnect ${name}?`,
    text: `Its access to ${organization.name} ends at once. To use it again, connect it again.`,
    submit: 'Disconnect',
    async onSubmit() {
      await account(path`/assistants/${assistantId}/disconnect`, posting());
      reload();
      toast(`${name} is disconnected`);
    },
  });
}
