import { path } from '../../../browser/path.ts';
import { useState } from 'preact/hooks';
import { post } from '../client/api.ts';
import type { Callback, TaskSummary } from '../../../contract/answers.ts';
import type { TestDelivery } from '../../../contract/callback.ts';
import { useAnswer, useList } from '../useData.ts';
import { setQuery, usePlace } from '../router.ts';
import { Button, TextField } from '../ui/controls.tsx';
import { Page, Tabs } from '../ui/page.tsx';
import { Empty, Notice, Problem, ProblemOf } from '../ui/states.tsx';
import { Listed } from '../ui/table.tsx';
import { Time } from '../ui/time.tsx';
import { toast } from '../ui/toasts.tsx';
import { count } from '../../../browser/counts.ts';
import { Deliveries, DeliveryState } from './deliveries.tsx';

const EVERY_MS = 8_000;
type State = NonNullable<TaskSummary['callback']>;
const states: [State, string][] = [
  ['failed', 'Failed'],
  ['pending', 'On their way'],
  ['accepted', 'Accepted'],
];

/** Lists the callbacks of finished tasks, and whether their receivers accepted them. */
export function Callbacks() {
  const { query } = usePlace();
  const state = states.find(([name]) => name === query.get('state'))?.[0] ?? 'failed';
  return (
    <Page title="Callbacks">
      <SendTest />
      <Tabs
        label="Callbacks by state"
        current={`/callbacks?state=${state}`}
        tabs={states.map(([name, text]) => [`/callbacks?state=${name}`, text])}
      />
      <Delivered key={state} state={state} />
    </Page>
  );
}

const nothing: Record<State, [title: string, text: string]> = {
  failed: [
    'No callback failed',
    'A callback that was refused four times stands here, and can be sent again.',
  ],
  pending: [
    'None is on its way',
    'A callback is sent when its task is done, and up to four times until it is accepted.',
  ],
  accepted: [
    'No callbacks yet',
    'Give a task a callbackUrl over the API, and the service tells it when the task is done.',
  ],
};

function Delivered({ state }: { state: State }) {
  const tasks = useList<TaskSummary>(
    path`/agent/tasks`,
    'tasks',
    { callback: state, limit: 20 },
    EVERY_MS,
  );
  return (
    <section class="card" aria-label="Callbacks">
      <Listed
        of={tasks}
        empty={
          <Empty icon="callbacks" title={nothing[state][0]}>
            {nothing[state][1]}
          </Empty>
        }
      >
        {(list) => (
          <ul>
            {list.map((task) => (
              <Told key={task.taskId} task={task} />
            ))}
          </ul>
        )}
      </Listed>
    </section>
  );
}

function Told({ task }: { task: TaskSummary }) {
  const callback = path`/agent/tasks/${task.taskId}/callback`;
  const everyMs = task.callback === 'pending' ? EVERY_MS : undefined;
  const { data, error } = useAnswer<Callback>(callback, {}, everyMs);
  const [isOpen, setOpen] = useState(false);
  const last = data?.deliveries.at(-1);
  const attempts = data?.deliveries.reduce((sum, { attempts }) => sum + attempts.length, 0) ?? 0;
  const again = async () => {
    await post(path`${callback}/redeliver`);
    toast('It is sent again');
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
            {attempts > 0 && ` · ${count(attempts, 'attempt')}`}
          </p>
        </div>
        {last && <DeliveryState of={last} />}
        <div class="row">
          <Button little disabled={!data} onClick={() => setOpen(!isOpen)}>
            {isOpen ? 'Hide attempts' : 'Attempts'}
          </Button>
          {last && last.state !== 'pending' && (
            <Button little onClick={again}>
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

/** Sends one signed request to an address, to test a receiver. */
function SendTest() {
  const [url, setUrl] = useState('');
  const [state, setState] = useState<{ of: string; tested?: TestDelivery; error?: unknown }>();
  const test = () =>
    post<TestDelivery>(path`/callbacks/test`, { url })
      .then((tested) => setState({ of: url, tested }))
      .catch((error: unknown) => setState({ of: url, error }));
  const { tested, error } = state?.of === url ? state : {};
  return (
    <section class="card padded stack" aria-label="Send a test">
      <div class="beside">
        <TextField
          label="Send a test"
          type="url"
          placeholder="https://hooks.example.com/agent-tasks"
          hint="One signed request, as a finished task sends it, marked as a test."
          value={url}
          onInput={setUrl}
        />
        <Button disabled={!url.trim()} onClick={test}>
          Send
        </Button>
      </div>
      {tested?.delivered && (
        <Notice kind="good">
          Accepted with status {tested.status} after {tested.ms} ms.
        </Notice>
      )}
      {tested && !tested.delivered && (
        <Problem>
          {tested.error ?? `Answered with status ${tested.status}. Expected one from 200 to 299.`} (
          {tested.ms} ms)
        </Problem>
      )}
      <ProblemOf error={error} />
    </section>
  );
}
