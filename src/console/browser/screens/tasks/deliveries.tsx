import type { CallbackResponse, CallbackDeliveryResponse } from '../../../../contract/responses.ts';
import { StateDot } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { creatorName } from '../../words/taskWords.ts';

const deliveryWords: Record<CallbackDeliveryResponse['state'], ['good' | 'bad' | 'busy', string]> =
  {
    delivered: ['good', 'Accepted'],
    failed: ['bad', 'Failed'],
    pending: ['busy', 'On its way'],
  };

export function DeliveryState({ of: { state } }: { of: CallbackDeliveryResponse }) {
  const [kind, stateText] = deliveryWords[state];
  return <StateDot kind={kind}>{stateText}</StateDot>;
}

/**
 * The deliveries of a task's callback, the latest first, each with its attempts, and then the
 * request that was sent. A delivery has up to four attempts. A person can start another delivery.
 */
export const Deliveries = ({ of: { deliveries, request } }: { of: CallbackResponse }) => (
  <div class="stack">
    {deliveries
      .map((delivery, index) => (
        <section key={index} class="stack tight" aria-label={deliveryTitle(delivery, index)}>
          <div class="row spread">
            <h3 class="small">
              {deliveryTitle(delivery, index)}
              {delivery.requestedAt && (
                <span class="muted">
                  {' '}
                  · <Time at={delivery.requestedAt} />
                </span>
              )}
            </h3>
            <DeliveryState of={delivery} />
          </div>
          <AttemptList of={delivery} />
        </section>
      ))
      .reverse()}
    {request && <SentRequest of={request} />}
  </div>
);

function deliveryTitle({ requestedBy }: CallbackDeliveryResponse, index: number): string {
  if (index === 0) return 'First delivery';
  const requesterName = creatorName(requestedBy ?? null);
  return requesterName
    ? `Delivery ${index + 1}, sent again by ${requesterName}`
    : `Delivery ${index + 1}, sent again`;
}

const AttemptList = ({ of: { attempts, nextAttemptAt } }: { of: CallbackDeliveryResponse }) => (
  <ol class="attempts">
    {attempts.map(({ at, status, error }) => (
      <li key={at}>
        <span class="muted">
          <Time at={at} />
        </span>
        <span>
          {status === undefined ? (error ?? 'In progress') : `Answered with status ${status}`}
        </span>
      </li>
    ))}
    {nextAttemptAt && (
      <li>
        <span class="muted">
          <Time at={nextAttemptAt} />
        </span>
        <span>Next attempt</span>
      </li>
    )}
  </ol>
);

/** The request that was sent. Only its time and its signature differ between attempts. */
const SentRequest = ({
  of: { method, origin, headers, body },
}: {
  of: NonNullable<CallbackResponse['request']>;
}) => (
  <details class="sent">
    <summary class="small">The request that was sent</summary>
    <pre class="patch" tabIndex={0} aria-label="The request that was sent">
      {[
        `${method} ${origin}/…`,
        ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
        'webhook-timestamp: the time of the attempt',
        'webhook-signature: not shown',
        '',
        indentJson(body),
      ].join('\n')}
    </pre>
  </details>
);

const indentJson = (body: string) => JSON.stringify(JSON.parse(body), null, 2);
