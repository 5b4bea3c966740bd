import { useState } from 'preact/hooks';
import { hostPath } from '../../../../browser/hostPath.ts';
import type {
  WebhookEndpoint,
  WebhookEndpointCreated,
  WebhookEndpointList,
} from '../../../../contract/responses.ts';
import { api, post } from '../../client/api.ts';
import { useAnswer } from '../../useData.ts';
import { Button } from '../../ui/controls.tsx';
import { askToConfirm, Dialog } from '../../ui/dialog.tsx';
import { Empty, Loaded, StateDot } from '../../ui/states.tsx';
import { ListTable, MainCell } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { toast } from '../../ui/toasts.tsx';
import { Card } from '../../ui/card.tsx';
import { kindNames, MakeEndpoint } from './newEndpoint.tsx';
import { ShownOnce } from './shownOnce.tsx';
import { DeliveriesCard } from './webhookDeliveries.tsx';

/** Lists the endpoints that receive events, and lets admins create, change and try them. */
export function WebhooksCard() {
  const endpoints = useAnswer<WebhookEndpointList>(hostPath`/webhook-endpoints`);
  const [isCreating, setCreating] = useState(false);
  const [newSecret, setNewSecret] = useState<string>();
  const [loggedId, setLoggedId] = useState<string>();
  const showCreated = ({ secret, endpointId }: WebhookEndpointCreated) => {
    setCreating(false);
    setNewSecret(secret ?? undefined);
    setLoggedId(endpointId);
    endpoints.reload();
  };
  return (
    <>
      <Card
        title="Webhooks"
        lead="Programs and channels that are told what happens to tasks, batches and pages."
        actions={
          <Button look="primary" icon="plus" onClick={() => setCreating(true)}>
            New endpoint
          </Button>
        }
      >
        <Loaded of={endpoints} lines={3}>
          {({ endpoints: listed }) =>
            listed.length === 0 ? (
              <Empty icon="callbacks" title="No endpoints yet">
                An endpoint is a program of yours, a Slack channel or a Teams channel.
              </Empty>
            ) : (
              <ListTable columns={['Endpoint', 'State']} hasActions>
                {listed.map((endpoint) => (
                  <EndpointRow
                    key={endpoint.endpointId}
                    of={endpoint}
                    reload={endpoints.reload}
                    onRotated={showCreated}
                    onLog={() => setLoggedId(endpoint.endpointId)}
                  />
                ))}
              </ListTable>
            )
          }
        </Loaded>
      </Card>
      {endpoints.data?.endpoints
        .filter(({ endpointId }) => endpointId === loggedId)
        .map((endpoint) => (
          <DeliveriesCard key={endpoint.endpointId} of={endpoint} />
        ))}
      {isCreating && <MakeEndpoint close={() => setCreating(false)} onMade={showCreated} />}
      {newSecret && (
        <Dialog title="The secret of the endpoint" onClose={() => setNewSecret(undefined)}>
          <ShownOnce name="secret" value={newSecret} />
        </Dialog>
      )}
    </>
  );
}

interface EndpointRowProps {
  of: WebhookEndpoint;
  reload: () => void;
  onRotated: (endpoint: WebhookEndpointCreated) => void;
  onLog: () => void;
}

function EndpointRow({ of: endpoint, reload, onRotated, onLog }: EndpointRowProps) {
  const { endpointId, description, enabled, kind } = endpoint;
  const setEnabled = async () => {
    const body = { enabled: !enabled };
    await api(hostPath`/webhook-endpoints/${endpointId}`, { method: 'PATCH', body });
    reload();
    toast(`${description} was ${enabled ? 'disabled' : 'enabled'}`);
  };
  return (
    <tr>
      <MainCell title={description}>
        {kindNames[kind]} · <span class="mono wrap">{endpoint.url}</span>
        <br />
        {endpoint.eventTypes.join(', ')}
      </MainCell>
      <td>
        <EndpointState of={endpoint} />
      </td>
      <td class="end">
        <div class="row">
          <Button little onClick={onLog} label={`Log of ${description}`}>
            Log
          </Button>
          <Button
            little
            onClick={setEnabled}
            label={`${enabled ? 'Disable' : 'Enable'} ${description}`}
          >
            {enabled ? 'Disable' : 'Enable'}
          </Button>
          {kind === 'webhook' && (
            <Button
              little
              onClick={() => askToRotate(endpoint, onRotated)}
              label={`New secret of ${description}`}
            >
              New secret
            </Button>
          )}
          <Button
            little
            look="danger"
            onClick={() => askToDelete(endpoint, reload)}
            label={`Delete ${description}`}
          >
            Delete
          </Button>
        </div>
      </td>
    </tr>
  );
}

function EndpointState({ of: endpoint }: { of: WebhookEndpoint }) {
  if (endpoint.disabledBecause === 'failures')
    return <StateDot kind="bad">Disabled after five days of failures</StateDot>;
  if (!endpoint.enabled) return <StateDot kind="">Disabled</StateDot>;
  if (endpoint.failingSince === null) return <StateDot kind="good">Enabled</StateDot>;
  return (
    <StateDot kind="warn">
      Fails since <Time at={endpoint.failingSince} />
    </StateDot>
  );
}

function askToRotate(
  { endpointId, description }: WebhookEndpoint,
  onRotated: (endpoint: WebhookEndpointCreated) => void,
): void {
  askToConfirm({
    title: `Create a new secret for ${description}?`,
    text: 'For one day, events are signed with both secrets. Then the old secret expires.',
    submit: 'Create a new secret',
    isDanger: false,
    async onSubmit() {
      onRotated(await post(hostPath`/webhook-endpoints/${endpointId}/rotate`));
    },
  });
}

function askToDelete({ endpointId, description }: WebhookEndpoint, reload: () => void): void {
  askToConfirm({
    title: `Delete ${description}?`,
    text: 'It gets no more events, and its log is deleted. This can’t be undone.',
    submit: 'Delete',
    async onSubmit() {
      await api(hostPath`/webhook-endpoints/${endpointId}`, { method: 'DELETE' });
      reload();
      toast(`${description} was deleted`);
    },
  });
}
