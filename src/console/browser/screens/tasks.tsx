import { path } from '../../../browser/path.ts';
import { useEffect, useState } from 'preact/hooks';
import { useAccount } from '../client/session.ts';
import type { Site, TaskSummary } from '../../../contract/answers.ts';
import type { Member } from '../../../contract/people.ts';
import { useList } from '../useData.ts';
import { setQuery, usePlace } from '../router.ts';
import { ButtonLink, type Choice, Select } from '../ui/controls.tsx';
import { Page } from '../ui/page.tsx';
import { Dot, Empty, Loaded, More } from '../ui/states.tsx';
import { Time } from '../ui/time.tsx';
import { calledBy, stateWords } from '../taskWords.ts';
import { makerOf, typeWords } from '../liveAddress.ts';

const LIVE_EVERY_MS = 4_000;
const TYPED_MS = 300;

const states: Choice[] = [
  ['', 'Any state'],
  ['running', 'Running'],
  ['completed', 'Completed'],
  ['failed', 'Failed'],
];
const types: Choice[] = [
  ['', 'Any kind'],
  ['generate_pages', 'Pages from a table'],
  ['prompt', 'Instructions'],
  ['publish', 'Publish'],
  ['drop', 'Facts taken out'],
  ['restore', 'Put live again'],
];

const names = ['siteId', 'createdBy', 'status', 'type', 'title'] as const;

/** The organization's tasks. The filters are the address's. */
export function Tasks() {
  const { query } = usePlace();
  const fields = Object.fromEntries(names.map((name) => [name, query.get(name) ?? undefined]));
  const tasks = useList<TaskSummary>(
    path`/agent/tasks`,
    'tasks',
    { ...fields, limit: 50 },
    LIVE_EVERY_MS,
  );
  const sites = useList<Site>(path`/sites`, 'sites', { limit: 100 });
  const isFiltered = Object.values(fields).some(Boolean);
  const ready = sites.data?.filter(({ repository }) => repository !== null) ?? [];
  const [first] = ready;
  const chosen = fields['siteId'] ?? (ready.length === 1 ? first?.siteId : undefined);
  return (
    <Page
      title="Tasks"
      actions={
        <ButtonLink
          href={chosen ? `/sites/${chosen}/new-task` : '/sites'}
          look="primary"
          icon="plus"
        >
          New task
        </ButtonLink>
      }
    >
      <Filters fields={fields} sites={sites.data ?? []} />
      <section class="card" aria-label="Tasks" aria-live="off">
        <Loaded of={tasks} lines={6}>
          {(list) =>
            list.length > 0 ? (
              <TaskTable tasks={list} sites={sites.data ?? []} />
            ) : isFiltered ? (
              <Empty
                icon="search"
                title="No task fits"
                actions={<ButtonLink href="/tasks">Show all tasks</ButtonLink>}
              >
                Take a filter away, or look for another word.
              </Empty>
            ) : (
              <Empty
                icon="tasks"
                title="No tasks yet"
                actions={
                  <ButtonLink
                    href={first ? `/sites/${first.siteId}/new-task` : '/sites'}
                    look="primary"
                  >
                    {first ? `New task for ${first.name}` : 'Go to the sites'}
                  </ButtonLink>
                }
              >
                A task makes pages from a table, or changes pages as you say. Nothing goes live
                before you publish it.
              </Empty>
            )
          }
        </Loaded>
        <More more={tasks.more} />
      </section>
    </Page>
  );
}

function Filters({ fields, sites }: { fields: Record<string, string | undefined>; sites: Site[] }) {
  const { user } = useAccount();
  const members = useList<Member>(path`/members`, 'members', { limit: 100 });
  const others = (members.data ?? []).filter(({ userId }) => userId !== user.userId);
  const people: Choice[] = [
    ['', 'Anyone'],
    [user.userId, 'You'],
    ...others.map(({ userId, name, email }): Choice => [userId, name || email]),
  ];
  const choose = (name: string) => (value: string) => setQuery({ [name]: value });
  return (
    <div class="filters" role="search" aria-label="Tasks">
      <Title value={fields['title'] ?? ''} />
      <Select
        aria-label="Site"
        value={fields['siteId'] ?? ''}
        choices={[['', 'All sites'], ...sites.map(({ siteId, name }): Choice => [siteId, name])]}
        onChange={choose('siteId')}
      />
      <Select
        aria-label="Person"
        value={fields['createdBy'] ?? ''}
        choices={people}
        onChange={choose('createdBy')}
      />
      <Select
        aria-label="State"
        value={fields['status'] ?? ''}
        choices={states}
        onChange={choose('status')}
      />
      <Select
        aria-label="Kind"
        value={fields['type'] ?? ''}
        choices={types}
        onChange={choose('type')}
      />
    </div>
  );
}

/** A box that looks for its words a moment after the last key. */
function Title({ value }: { value: string }) {
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  useEffect(() => {
    if (text === value) return undefined;
    const timer = setTimeout(() => setQuery({ title: text }), TYPED_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <input
      class="grow"
      type="search"
      aria-label="Title"
      placeholder="Find by title"
      value={text}
      onInput={(event) => setText(event.currentTarget.value)}
    />
  );
}

export function TaskState({ task }: { task: Parameters<typeof stateWords>[0] }) {
  const [kind, words] = stateWords(task);
  return <Dot kind={kind}>{words}</Dot>;
}

export const TaskTable = ({ tasks, sites }: { tasks: TaskSummary[]; sites: Site[] }) => (
  <table class="list linked">
    <thead>
      <tr>
        <th>Task</th>
        <th>State</th>
        <th>By</th>
        <th>When</th>
      </tr>
    </thead>
    <tbody>
      {tasks.map((task) => (
        <tr key={task.taskId}>
          <td class="main">
            <a href={`/tasks/${task.taskId}`}>{calledBy(task.title, task.restores)}</a>
            <span class="under">
              {typeWords(task.type)} ·{' '}
              {sites.find(({ siteId }) => siteId === task.siteId)?.name ?? 'A removed site'}
            </span>
          </td>
          <td>
            <TaskState task={task} />
          </td>
          <td class="muted">{makerOf(task.createdBy) || '—'}</td>
          <td class="muted">
            <Time at={task.finishedAt ?? task.createdAt} />
          </td>
        </tr>
      ))}
    </tbody>
  </table>
);
