import { hostPath } from '../../../../browser/hostPath.ts';
import { useState } from 'preact/hooks';
import { post } from '../../client/api.ts';
import type { CallbackResponse, TaskSummaryResponse } from '../../../../contract/responses.ts';
import type { TestDelivery } from '../../../../contract/callback.ts';
import { useAnswer, useList } from '../../useData.ts';
import { setQuery, usePlace } from '../../router.ts';
import { Button, TextField } from '../../ui/controls.tsx';
import { Page, Tabs } from '../../ui/page.tsx';
import { Empty, Notice, Problem, ProblemOf } from '../../ui/states.tsx';
import { ListedItems } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { toast } from '../../ui/toasts.tsx';
import { countNoun } from '../../../../browser/counts.ts';
import { Deliveries, DeliveryState } from './deliveries.tsx';

const EVERY_MS = 8_000;
type ShownCallbackState = NonNullable<TaskSummaryResponse['callback']>;
const callbackTabs: [ShownCallbackState, string][] = [
  ['failed', 'Failed'],
  ['pending', 'On their way'],
  ['accepted', 'Accepted'],
];

/**
 * Lists the callbacks of finished tasks, and whether their receivers accepted them. A callback is
 * the request that the service sends to a program when its task ends.
 */
export function Callbacks() {
  const { query } = usePlace();
  const shownState = callbackTabs.find(([name]) => name === query.get('state'))?.[0] ?? 'failed';
  return (
    <Page title="Callbacks">
      <TestCallbackForm />
      <Tabs
        label="Callbacks by state"
        current={`/callbacks?state=${shownState}`}
        tabs={callbackTabs.map(([name, tabText]) => [`/callbacks?state=${name}`, tabText])}
      />
      <CallbackList key={shownState} state={shownState} />
    </Page>
  );
}

const emptyTexts: Record<ShownCallbackState, [title: string, text: string]> = {
  failed: [
    'No callback failed',
    'A callback appears here if the receiver rejected it four times. You can send it again.',
  ],
  pending: [
    'No callback is on its way',
    'The service sends a callback when its task ends. It tries up to four times until the receiver accepts it.',
  ],
  accepted: [
    'No callbacks yet',
    'Create a task with a callbackUrl over the API, and the service calls that URL when the task ends.',
  ],
};

function CallbackList({ state }: { state: ShownCallbackState }) {
  const tasks = useList<TaskSummaryResponse>(
    hostPath`/agent/tasks`,
    'tasks',
    { callback: state, limit: 20 },
    EVERY_MS,
  );
  return (
    <section class="card" aria-label="Callbacks">
      <ListedItems
        of={tasks}
        empty={
          <Empty icon="callbacks" title={emptyTexts[state][0]}>
            {emptyTexts[state][1]}
          </Empty>
        }
      >
        {(callbackTasks) => (
          <ul>
            {callbackTasks.map((task) => (
              <CallbackEntry key={task.taskId} task={task} />
            ))}
          </ul>
        )}
      </ListedItems>
    </section>
  );
}

function CallbackEntry({ task }: { task: TaskSummaryResponse }) {
  const callbackPath = hostPath`/agent/tasks/${task.taskId}/callback`;
  const everyMs = task.callback === 'pending' ? EVERY_MS : undefined;
  const { data, error } = useAnswer<CallbackResponse>(callbackPath, {}, everyMs);
  const [isOpen, setOpen] = useState(false);
  const lastDelivery = data?.deliveries.at(-1);
  const attempts =
    data?.deliveries.reduce((total, { attempts }) => total + attempts.length, 0) ?? 0;
  const sendAgain = async () => {
    await post(hostPath`${callbackPath}/redeliver`);
    toast('The callback is being sent again');
    setQuery({ state: 'pending' });
  };
  return (
    <li class="delivered">
      <div class="row spread">
        <div class="grow">
          <a class="strong" href={`/tasks/${task.taskId}`}>
            {task.title}
          </a>
          <p class="muted small">
            <Time at={task.finishedAt ?? task.createdAt} />
            {attempts > 0 && ` · ${countNoun(attempts, 'attempt')}`}
          </p>
        </div>
        {lastDelivery && <DeliveryState of={lastDelivery} />}
        <div class="row">
          <Button little disabled={!data} onClick={() => setOpen(!isOpen)}>
            {isOpen ? 'Hide attempts' : 'Attempts'}
          </Button>
          {lastDelivery && lastDelivery.state !== 'pending' && (
            <Button little onClick={sendAgain}>
              Send again
            </Button>
          )}
        </div>
      </div>
      <ProblemOf error={error} />
      {isOpen && data && <Deliveries of={data} />}
    </li>
  );
}

/** Sends one signed request to a URL, to test a receiver. */
function TestCallbackForm() {
  const [url, setUrl] = useState('');
  const [state, setState] = useState<{ of: string; tested?: TestDelivery; error?: unknown }>();
  const sendTest = () =>
    post<TestDelivery>(hostPath`/callbacks/test`, { url })
      .then((testResult) => setState({ of: url, tested: testResult }))
      .catch((error: unknown) => setState({ of: url, error }));
  const { tested: testResult, error } = state?.of === url ? state : {};
  return (
    <section class="card padded stack" aria-label="Send a test">
      <div class="beside">
        <TextField
          label="Send a test"
          type="url"
          placeholder="https://hooks.example.com/agent-tasks"
          hint="Sends one signed request, as a finished task does, marked as a test."
          value={url}
          onInput={setUrl}
        />
        <Button disabled={!url.trim()} onClick={sendTest}>
          Send
        </Button>
      </div>
      {testResult?.delivered && (
        <Notice kind="good">
          Accepted with status {testResult.status} after {testResult.ms} ms.
        </Notice>
      )}
      {testResult && !testResult.delivered && (
        <Problem>
          {testResult.error ??
            `The receiver answered with status ${testResult.status}. It must answer with a status from 200 to 299.`}{' '}
          ({testResult.ms} ms)
        </Problem>
      )}
      <ProblemOf error={error} />
    </section>
  );
}
