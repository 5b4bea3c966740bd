import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { posting } from '../../../../browser/http.ts';
import { path } from '../../../../browser/path.ts';
import type { Assistant, OwnAssistant } from '../../../../contract/answers.ts';
import { account, api } from '../../client/api.ts';
import { useAccount, useIsAtLeast } from '../../client/session.ts';
import { useData, useList } from '../../useData.ts';
import { Card } from '../../ui/card.tsx';
import { Button } from '../../ui/controls.tsx';
import { confirm } from '../../ui/dialog.tsx';
import { Empty, Loaded } from '../../ui/states.tsx';
import { ListedTable, ListTable, MainCell } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { toast } from '../../ui/toasts.tsx';

/** Lists a person's assistants, and for admins those of everybody in the organization. */
export function Assistants() {
  const isAdmin = useIsAtLeast('admin');
  const [round, setRound] = useState(0);
  const onEnded = () => setRound(round + 1);
  return (
    <>
      <OwnAssistants key={`own ${round}`} onEnded={onEnded} />
      {isAdmin && <TeamAssistants key={`team ${round}`} onEnded={onEnded} />}
    </>
  );
}

interface ListProps {
  /** Called after an assistant was disconnected. */
  onEnded: () => void;
}

/** The assistants that a person connected, in all organizations. */
function OwnAssistants({ onEnded }: ListProps) {
  const listed = useData('assistants', () =>
    account<{ assistants: OwnAssistant[] }>(path`/assistants`),
  );
  return (
    <Card
      title="Your assistants"
      lead="Programs that act for you. They end when you change your password, or sign out everywhere."
    >
      <Loaded of={listed}>
        {({ assistants }) =>
          assistants.length === 0 ? (
            <Empty icon="words" title="No assistants yet">
              Give Claude, ChatGPT, Cursor and others this address: <code>{address}</code>
            </Empty>
          ) : (
            <ListTable columns={columns} hasActions>
              {assistants.map((each) => (
                <OwnRow key={each.assistantId} of={each} onEnded={onEnded} />
              ))}
            </ListTable>
          )
        }
      </Loaded>
    </Card>
  );
}

const OwnRow = ({ of, onEnded }: ListProps & { of: OwnAssistant }) => (
  <Row
    of={of}
    called={of.name}
    computer="your computer"
    text={`Its access to ${of.organization.name} ends at once. To use it again, connect it again.`}
    end={() => account(path`/assistants/${of.assistantId}/disconnect`, posting())}
    onEnded={onEnded}
  >
    {of.organization.name}
    {of.role === 'viewer' && ' · sees what is shared'}
  </Row>
);

/** The assistants that act in the organization, of all its people. */
function TeamAssistants({ onEnded }: ListProps) {
  const { membership } = useAccount();
  const listed = useList<Assistant>(path`/assistants`, 'assistants', { limit: 100 });
  return (
    <Card
      title="Everybody’s assistants"
      lead={`Programs that act in ${membership?.name}, each for one person.`}
    >
      <ListedTable
        of={listed}
        lines={2}
        empty={<Empty icon="words" title="Nobody connected one" />}
        columns={columns}
        hasActions
        row={(each) => <TeamRow key={each.assistantId} of={each} onEnded={onEnded} />}
      />
    </Card>
  );
}

function TeamRow({ of, onEnded }: ListProps & { of: Assistant }) {
  const { name, email } = of.person;
  const person = name || email;
  return (
    <Row
      of={of}
      called={`${of.name} of ${person}`}
      computer="their computer"
      text={`Its access ends at once. While ${person} is a member, they can connect it again.`}
      end={() => api(path`/assistants/${of.assistantId}`, { method: 'DELETE' })}
      onEnded={onEnded}
    >
      for <span title={email}>{person}</span> · {of.role}
    </Row>
  );
}

const address = `${location.origin}/mcp`;
const columns = ['Assistant', 'Use'];

interface RowProps extends ListProps {
  of: Assistant;
  /** What the person who disconnects it knows it by. */
  called: string;
  /** Where it runs, if it has no host. */
  computer: string;
  /** What comes of its end. */
  text: string;
  end: () => Promise<unknown>;
  /** What else there is to say about it. */
  children: ComponentChildren;
}

const Row = ({ of, computer, children, ...ending }: RowProps) => (
  <tr>
    <MainCell title={of.name}>
      {of.hosts.length > 0 ? of.hosts.join(', ') : `on ${computer}`} · {children}
    </MainCell>
    <td>
      <span>
        Since <Time at={of.connectedAt} />
      </span>
      <span class="under">
        {of.lastUsedAt ? (
          <>
            Used <Time at={of.lastUsedAt} />
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
        onClick={() => disconnect(ending)}
        label={`Disconnect ${ending.called}`}
      >
        Disconnect
      </Button>
    </td>
  </tr>
);

type Ending = Pick<RowProps, 'called' | 'text' | 'end' | 'onEnded'>;

function disconnect({ called, text, end, onEnded }: Ending): void {
  confirm({
    title: `Disconnect ${called}?`,
    text,
    submit: 'Disconnect',
    async onSubmit() {
      await end();
      onEnded();
      toast(`${called} is disconnected`);
    },
  });
}
