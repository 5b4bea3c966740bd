import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { postRequest } from '../../../../browser/sendRequest.ts';
import { hostPath } from '../../../../browser/hostPath.ts';
import type { ConnectedAssistant, PersonalAssistant } from '../../../../contract/responses.ts';
import { callAccount, api } from '../../client/api.ts';
import { useAccount, useIsAtLeast } from '../../client/session.ts';
import { useData, useList } from '../../useData.ts';
import { Card } from '../../ui/card.tsx';
import { Button } from '../../ui/controls.tsx';
import { askToConfirm } from '../../ui/dialog.tsx';
import { Empty, Loaded } from '../../ui/states.tsx';
import { ListedTable, ListTable, MainCell } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { toast } from '../../ui/toasts.tsx';

/**
 * Lists a person's assistants, and for admins those of everybody in the organization. An assistant
 * is a program, such as Claude, that a person allows to act for them.
 */
export function AssistantSettings() {
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

interface AssistantListProps {
  /** Called after an assistant was disconnected. */
  onEnded: () => void;
}

/** The assistants that a person connected, in all organizations. */
function OwnAssistants({ onEnded }: AssistantListProps) {
  const loadedAssistants = useData('assistants', () =>
    callAccount<{ assistants: PersonalAssistant[] }>(hostPath`/assistants`),
  );
  return (
    <Card
      title="Your assistants"
      lead="Programs that act for you. They are disconnected when you change your password or sign out everywhere."
    >
      <Loaded of={loadedAssistants}>
        {({ assistants }) =>
          assistants.length === 0 ? (
            <Empty icon="words" title="No assistants yet">
              Give this URL to Claude, ChatGPT, Cursor or another assistant:{' '}
              <code>{endpointUrl}</code>
            </Empty>
          ) : (
            <ListTable columns={assistantColumns} hasActions>
              {assistants.map((assistant) => (
                <OwnAssistantRow key={assistant.assistantId} of={assistant} onEnded={onEnded} />
              ))}
            </ListTable>
          )
        }
      </Loaded>
    </Card>
  );
}

const OwnAssistantRow = ({
  of: assistant,
  onEnded,
}: AssistantListProps & { of: PersonalAssistant }) => (
  <AssistantRow
    of={assistant}
    called={assistant.name}
    computer="your computer"
    text={`Its access to ${assistant.organization.name} ends at once. To use it again, connect it again.`}
    end={() =>
      callAccount(hostPath`/assistants/${assistant.assistantId}/disconnect`, postRequest())
    }
    onEnded={onEnded}
  >
    {assistant.organization.name}
    {assistant.role === 'viewer' && ' · sees what is shared'}
  </AssistantRow>
);

/** The assistants that act in the organization, of all its people. */
function TeamAssistants({ onEnded }: AssistantListProps) {
  const { membership } = useAccount();
  const loadedAssistants = useList<ConnectedAssistant>(hostPath`/assistants`, 'assistants', {
    limit: 100,
  });
  return (
    <Card
      title="Everybody’s assistants"
      lead={`Programs that act in ${membership?.name}, each for one person.`}
    >
      <ListedTable
        of={loadedAssistants}
        lines={2}
        empty={<Empty icon="words" title="Nobody has connected an assistant" />}
        columns={assistantColumns}
        hasActions
        row={(assistant) => (
          <TeamAssistantRow key={assistant.assistantId} of={assistant} onEnded={onEnded} />
        )}
      />
    </Card>
  );
}

function TeamAssistantRow({
  of: assistant,
  onEnded,
}: AssistantListProps & { of: ConnectedAssistant }) {
  const { name, email } = assistant.person;
  const personName = name || email;
  return (
    <AssistantRow
      of={assistant}
      called={`${assistant.name} of ${personName}`}
      computer="their computer"
      text={`Its access ends at once. While ${personName} is a member, they can connect it again.`}
      end={() => api(hostPath`/assistants/${assistant.assistantId}`, { method: 'DELETE' })}
      onEnded={onEnded}
    >
      for <span title={email}>{personName}</span> · {assistant.role}
    </AssistantRow>
  );
}

const endpointUrl = `${location.origin}/mcp`;
const assistantColumns = ['Assistant', 'Use'];

interface AssistantRowProps extends AssistantListProps {
  of: ConnectedAssistant;
  /** The assistant's name in questions: `Claude`, or `Claude of Ada` for an admin. */
  called: string;
  /** Where it runs, if it has no host. */
  computer: string;
  /** What happens if it is disconnected. */
  text: string;
  end: () => Promise<unknown>;
  /** More about it, such as its organization. */
  children: ComponentChildren;
}

const AssistantRow = ({
  of: assistant,
  computer,
  children,
  ...disconnection
}: AssistantRowProps) => (
  <tr>
    <MainCell title={assistant.name}>
      {assistant.hosts.length > 0 ? assistant.hosts.join(', ') : `on ${computer}`} · {children}
    </MainCell>
    <td>
      <span>
        Since <Time at={assistant.connectedAt} />
      </span>
      <span class="under">
        {assistant.lastUsedAt ? (
          <>
            Used <Time at={assistant.lastUsedAt} />
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
        onClick={() => askToDisconnect(disconnection)}
        label={`Disconnect ${disconnection.called}`}
      >
        Disconnect
      </Button>
    </td>
  </tr>
);

type AssistantDisconnection = Pick<AssistantRowProps, 'called' | 'text' | 'end' | 'onEnded'>;

function askToDisconnect({
  called: calledName,
  text,
  end: disconnect,
  onEnded,
}: AssistantDisconnection): void {
  askToConfirm({
    title: `Disconnect ${calledName}?`,
    text,
    submit: 'Disconnect',
    async onSubmit() {
      await disconnect();
      onEnded();
      toast(`${calledName} is disconnected`);
    },
  });
}
