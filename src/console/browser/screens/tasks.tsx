import { path } from '../../../browser/path.ts';
import { useEffect, useState } from 'preact/hooks';
import { useAccount } from '../client/session.ts';
import type { Site, TaskSummary } from '../../../contract/answers.ts';
import type { Member } from '../../../contract/people.ts';
import { useList, useSites } from '../useData.ts';
import { Batches } from './batches.tsx';
import { useTyped } from '../useTyped.ts';
import { setQuery, usePlace } from '../router.ts';
import { ButtonLink, type Choice, Select } from '../ui/controls.tsx';
import { Page } from '../ui/page.tsx';
import { Dot, Empty } from '../ui/states.tsx';
import { ListedTable, MainCell, TimeCell } from '../ui/table.tsx';
import { calledBy, makerOf, stateWords, typeNames } from '../taskWords.ts';

const LIVE_EVERY_MS = 4_000;
const TYPED_MS = 300;

const states: Choice[] = [
  ['', 'Any state'],
  ['running', 'Running'],
  ['completed', 'Completed'],
  ['failed', 'Failed'],
];
const types: Choice[] = [['', 'Any kind'], ...Object.entries(typeNames)];

const names = ['siteId', 'createdBy', 'status', 'type', 'title'] as const;

/** The organization's tasks. The filters are in the address's query. */
export function Tasks() {
  const { query } = usePlace();
  const fields: FiltersProps['fields'] = Object.fromEntries(
    names.map((name) => [name, query.get(name) ?? undefined]),
  );
  const tasks = useList<TaskSummary>(
    path`/agent/tasks`,
    'tasks',
    { ...fields, limit: 50 },
    LIVE_EVERY_MS,
  );
  const sites = useSites();
  const isFiltered = Object.values(fields).some(Boolean);
  const isOfBatches = names.every((name) => name === 'siteId' || !fields[name]);
  const ready = sites.data?.filter(({ repository }) => repository !== null) ?? [];
  const [first] = ready;
  const chosen = fields.siteId ?? (ready.length === 1 ? first?.siteId : undefined);
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
      {isOfBatches && <Batches siteId={fields.siteId} sites={sites.data ?? []} />}
      <section class="card" aria-label="Tasks" aria-live="off">
        <ListedTable
          of={tasks}
          lines={6}
          empty={isFiltered ? <NoneFits /> : <NoTasks site={first} />}
          isLinked
          columns={['Task', 'State', 'By', 'When']}
          row={(task) => <TaskRow key={task.taskId} task={task} sites={sites.data ?? []} />}
        />
      </section>
    </Page>
  );
}

const NoneFits = () => (
  <Empty
    icon="search"
    title="No task fits"
    actions={<ButtonLink href="/tasks">Show all tasks</ButtonLink>}
  >
    Take a filter away, or look for another word.
  </Empty>
);

const NoTasks = ({ site }: { site: Site | undefined }) => (
  <Empty
    icon="tasks"
    title="No tasks yet"
    actions={
      <ButtonLink href={site ? `/sites/${site.siteId}/new-task` : '/sites'} look="primary">
        {site ? `New task for ${site.name}` : 'Go to the sites'}
      </ButtonLink>
    }
  >
    A task makes pages from a table, or changes pages as you say. Nothing goes live before you
    publish it.
  </Empty>
);

interface FiltersProps {
  fields: Partial<Record<(typeof names)[number], string | undefined>>;
  sites: Site[];
}

function Filters({ fields, sites }: FiltersProps) {
  const { user } = useAccount();
  const members = useList<Member>(path`/members`, 'members', { limit: 100 });
  const others = (members.data ?? []).filter(({ userId }) => userId !== user.userId);
  const people: Choice[] = [
    ['', 'Anyone'],
    [user.userId, 'You'],
    ...others.map(({ userId, name, email }): Choice => [userId, name || email]),
  ];
  const bind = (label: string, name: (typeof names)[number]) => ({
    'aria-label': label,
    value: fields[name] ?? '',
    onChange: (value: string) => setQuery({ [name]: value }),
  });
  return (
    <div class="filters" role="search" aria-label="Tasks">
      <Title value={fields.title ?? ''} />
      <Select
        {...bind('Site', 'siteId')}
        choices={[['', 'All sites'], ...sites.map(({ siteId, name }): Choice => [siteId, name])]}
      />
      <Select {...bind('Person', 'createdBy')} choices={people} />
      <Select {...bind('State', 'status')} choices={states} />
      <Select {...bind('Kind', 'type')} choices={types} />
    </div>
  );
}

/** A search box for titles. It searches a moment after the last key. */
function Title({ value }: { value: string }) {
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  useTyped(text === value ? undefined : text, TYPED_MS, () => setQuery({ title: text }));
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

const TaskRow = ({ task, sites }: { task: TaskSummary; sites: Site[] }) => (
  <tr>
    <MainCell href={`/tasks/${task.taskId}`} title={calledBy(task.title, task.restores)}>
      {typeNames[task.type]} ·{' '}
      {sites.find(({ siteId }) => siteId === task.siteId)?.name ?? 'A removed site'}
    </MainCell>
    <td>
      <TaskState task={task} />
    </td>
    <td class="muted">{makerOf(task.createdBy) || '—'}</td>
    <TimeCell at={task.finishedAt ?? task.createdAt} />
  </tr>
);
