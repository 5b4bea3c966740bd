import type { Callback, Delivery } from '../../../contract/answers.ts';
import { Dot } from '../ui/states.tsx';
import { Time } from '../ui/time.tsx';
import { makerOf } from '../taskWords.ts';

const words: Record<Delivery['state'], ['good' | 'bad' | 'busy', string]> = {
  delivered: ['good', 'Accepted'],
  failed: ['bad', 'Failed'],
  pending: ['busy', 'On its way'],
};

export function DeliveryState({ of: { state } }: { of: Delivery }) {
  const [kind, text] = words[state];
  return <Dot kind={kind}>{text}</Dot>;
}

/**
 * The deliveries of a task's callback, the latest first, each with its attempts. The request that
 * was sent follows.
 */
export const Deliveries = ({ of: { deliveries, request } }: { of: Callback }) => (
  <div class="stack">
    {deliveries
      .map((delivery, n) => (
        <section key={n} class="stack tight" aria-label={titleOf(delivery, n)}>
          <div class="row spread">
            <h3 class="small">
              {titleOf(delivery, n)}
              {delivery.requestedAt && (
                <span class="muted">
                  {' '}
                  · <Time at={delivery.requestedAt} />
                </span>
              )}
            </h3>
            <DeliveryState of={delivery} />
          </div>
          <Attempts of={delivery} />
        </section>
      ))
      .reverse()}
    {request && <Request of={request} />}
  </div>
);

function titleOf({ requestedBy }: Delivery, n: number): string {
  if (n === 0) return 'First delivery';
  const by = makerOf(requestedBy ?? null);
  return by ? `Delivery ${n + 1}, sent again by ${by}` : `Delivery ${n + 1}, sent again`;
}

const Attempts = ({ of: { attempts, nextAttemptAt } }: { of: Delivery }) => (
  <ol class="attempts">
    {attempts.map(({ at, status, error }) => (
      <li key={at}>
        <span class="muted">
          <Time at={at} />
        </span>
        <span>
          {status === undefined ? (error ?? 'Under way') : `Answered with status ${status}`}
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
const Request = ({
  of: { method, origin, headers, body },
}: {
  of: NonNullable<Callback['request']>;
}) => (
  <details class="sent">
    <summary class="small">The request that was sent</summary>
    <pre class="patch" tabIndex={0} aria-label="The request that was sent">
      {[
        `${method} ${origin}/…`,
        ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
        'webhook-timestamp: of the attempt',
        'webhook-signature: not shown',
        '',
        indented(body),
      ].join('\n')}
    </pre>
  </details>
);

const indented = (body: string) => JSON.stringify(JSON.parse(body), null, 2);
