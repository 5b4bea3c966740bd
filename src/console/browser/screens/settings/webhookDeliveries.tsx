import { hostPath } from '../../../../browser/hostPath.ts';
import type { EventDelivery, WebhookEndpoint } from '../../../../contract/responses.ts';
import { post } from '../../client/api.ts';
import { useList } from '../../useData.ts';
import { Button } from '../../ui/controls.tsx';
import { Empty, StateDot } from '../../ui/states.tsx';
import { ListedTable, MainCell, TimeCell } from '../../ui/table.tsx';
import { toast } from '../../ui/toasts.tsx';
import { Card } from '../../ui/card.tsx';

/** The log of an endpoint's deliveries. Each can be sent again once it is over. */
export function DeliveriesCard({ of: endpoint }: { of: WebhookEndpoint }) {
  const path = hostPath`/webhook-endpoints/${endpoint.endpointId}/deliveries`;
  const deliveries = useList<EventDelivery>(path, 'deliveries', { limit: 50 });
  const sendTest = async () => {
    await post(hostPath`/webhook-endpoints/${endpoint.endpointId}/test`);
    toast('The test event is on its way. Reload the log to see the result');
    deliveries.reload();
  };
  const redeliver = async ({ deliveryId, eventType }: EventDelivery) => {
    await post(
      hostPath`/webhook-endpoints/${endpoint.endpointId}/deliveries/${deliveryId}/redeliver`,
    );
    toast(`${eventType} is sent again`);
    deliveries.reload();
  };
  return (
    <Card
      title={`Log of ${endpoint.description}`}
      lead="The last 1,000 deliveries of the last 30 days."
      actions={
        <div class="row">
          <Button onClick={deliveries.reload}>Reload</Button>
          <Button onClick={sendTest} disabled={!endpoint.enabled}>
            Send a test event
          </Button>
        </div>
      }
    >
      <ListedTable
        of={deliveries}
        lines={4}
        empty={
          <Empty icon="clock" title="Nothing was sent yet">
            Send a test event to try the endpoint out.
          </Empty>
        }
        columns={['Event', 'State', 'When']}
        hasActions
        row={(delivery) => (
          <tr key={delivery.deliveryId}>
            <MainCell title={delivery.eventType}>
              <span class="mono wrap">{delivery.eventId}</span>
              {delivery.error && (
                <>
                  <br />
                  {delivery.error}
                </>
              )}
            </MainCell>
            <td>
              <DeliveryState of={delivery} />
              <span class="under">
                {delivery.attempts} {delivery.attempts === 1 ? 'attempt' : 'attempts'}
                {delivery.responseStatus !== null && ` · status ${delivery.responseStatus}`}
              </span>
            </td>
            <TimeCell at={delivery.attemptedAt ?? delivery.createdAt} />
            <td class="end">
              {delivery.state !== 'pending' && (
                <Button
                  little
                  onClick={() => redeliver(delivery)}
                  disabled={!endpoint.enabled}
                  label={`Redeliver ${delivery.eventType} ${delivery.eventId}`}
                >
                  Redeliver
                </Button>
              )}
            </td>
          </tr>
        )}
      />
    </Card>
  );
}

function DeliveryState({ of: { state } }: { of: EventDelivery }) {
  if (state === 'delivered') return <StateDot kind="good">Delivered</StateDot>;
  if (state === 'failed') return <StateDot kind="bad">Failed</StateDot>;
  return <StateDot kind="warn">Being delivered</StateDot>;
}
