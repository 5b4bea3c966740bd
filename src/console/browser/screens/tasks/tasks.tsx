import { hostPath } from '../../../../browser/hostPath.ts';
import { useEffect, useState } from 'preact/hooks';
import { useAccount } from '../../client/session.ts';
import type { SiteSummary, TaskSummaryResponse } from '../../../../contract/responses.ts';
import type { Member } from '../../../../contract/membership.ts';
import { useList, useSites } from '../../useData.ts';
import { Batches } from '../batches/batches.tsx';
import { useTyped } from '../../useTyped.ts';
import { setQuery, usePlace } from '../../router.ts';
import { ButtonLink, type SelectChoice, Select } from '../../ui/controls.tsx';
import { Page } from '../../ui/page.tsx';
import { StateDot, Empty } from '../../ui/states.tsx';
import { ListedTable, MainCell, TimeCell } from '../../ui/table.tsx';
import { displayName, creatorName, stateWords, typeNames } from '../../words/taskWords.ts';
import { countNoun } from '../../../../browser/counts.ts';
import { groupWork, type WorkEntry } from './workEntries.ts';

const LIVE_EVERY_MS = 4_000;
const TYPED_MS = 300;

const stateChoices: SelectChoice[] = [
  ['', 'Any state'],
  ['running', 'Running'],
  ['completed', 'Completed'],
  ['failed', 'Failed'],
];
const typeChoices: SelectChoice[] = [['', 'Any kind'], ...Object.entries(typeNames)];

const filterNames = ['siteId', 'createdBy', 'status', 'type', 'title'] as const;

/** The screen with the organization's tasks and batches. The filters are in the URL's query. */
export function Tasks() {
  const { query } = usePlace();
  const fields: FiltersProps['fields'] = Object.fromEntries(
    filterNames.map((name) => [name, query.get(name) ?? undefined]),
  );
  const tasks = useList<TaskSummaryResponse>(
    hostPath`/agent/tasks`,
    'tasks',
    { ...fields, limit: 50 },
    LIVE_EVERY_MS,
  );
  const sites = useSites();
  const isOfBatches = filterNames.every((name) => name === 'siteId' || !fields[name]);
  const isFiltered = Object.values(fields).some(Boolean);
  const usableSites = sites.data?.filter(({ repository }) => repository !== null) ?? [];
  const [firstSite] = usableSites;
  const chosenSiteId = fields.siteId ?? (usableSites.length === 1 ? firstSite?.siteId : undefined);
  const entries = isOfBatches ? tasks.data && groupWork(tasks.data) : tasks.data?.map(singleEntry);
  return (
    <Page
      title="Tasks"
      actions={
        <ButtonLink
          href={chosenSiteId ? `/sites/${chosenSiteId}/new-task` : '/sites'}
          look="primary"
          icon="plus"
        >
          New task
        </ButtonLink>
      }
    >
      <TaskFilters fields={fields} sites={sites.data ?? []} />
      {isOfBatches && <Batches siteId={fields.siteId} sites={sites.data ?? []} />}
      <section class="card" aria-label="Tasks" aria-live="off">
        <ListedTable
          of={{ ...tasks, data: entries }}
          lines={6}
          empty={isFiltered ? <NoneFits /> : <NoTasks site={firstSite} />}
          isLinked
          columns={['Task', 'State', 'By', 'When']}
          row={(entry) => (
            <TaskRow key={entry.task.taskId} entry={entry} sites={sites.data ?? []} />
          )}
        />
      </section>
    </Page>
  );
}

const NoneFits = () => (
  <Empty
    icon="search"
    title="No matching tasks"
    actions={<ButtonLink href="/tasks">Show all tasks</ButtonLink>}
  >
    Remove a filter, or search for another word.
  </Empty>
);

const NoTasks = ({ site }: { site: SiteSummary | undefined }) => (
  <Empty
    icon="tasks"
    title="No tasks yet"
    actions={
      <ButtonLink href={site ? `/sites/${site.siteId}/new-task` : '/sites'} look="primary">
        {site ? `New task for ${site.name}` : 'Go to the sites'}
      </ButtonLink>
    }
  >
    A task creates pages from a table, or changes pages as you describe. Nothing goes live until you
    publish it.
  </Empty>
);

interface FiltersProps {
  fields: Partial<Record<(typeof filterNames)[number], string | undefined>>;
  sites: SiteSummary[];
}

function TaskFilters({ fields, sites }: FiltersProps) {
  const { user } = useAccount();
  const members = useList<Member>(hostPath`/members`, 'members', { limit: 100 });
  const otherMembers = (members.data ?? []).filter(({ userId }) => userId !== user.userId);
  const people: SelectChoice[] = [
    ['', 'Anyone'],
    [user.userId, 'You'],
    ...otherMembers.map(({ userId, name, email }): SelectChoice => [userId, name || email]),
  ];
  const bindFilter = (label: string, name: (typeof filterNames)[number]) => ({
    'aria-label': label,
    value: fields[name] ?? '',
    onChange: (value: string) => setQuery({ [name]: value }),
  });
  return (
    <div class="filters" role="search" aria-label="Tasks">
      <TitleFilter value={fields.title ?? ''} />
      <Select
        {...bindFilter('Site', 'siteId')}
        choices={[
          ['', 'All sites'],
          ...sites.map(({ siteId, name }): SelectChoice => [siteId, name]),
        ]}
      />
      <Select {...bindFilter('Person', 'createdBy')} choices={people} />
      <Select {...bindFilter('State', 'status')} choices={stateChoices} />
      <Select {...bindFilter('Kind', 'type')} choices={typeChoices} />
    </div>
  );
}

/** A search box for titles. It searches 0.3 seconds after the last key press. */
function TitleFilter({ value }: { value: string }) {
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

export function TaskStateBadge({ task }: { task: Parameters<typeof stateWords>[0] }) {
  const [kind, statusWords] = stateWords(task);
  return <StateDot kind={kind}>{statusWords}</StateDot>;
}

/** A person who filters the list gets every task that fits. */
const singleEntry = (task: TaskSummaryResponse): WorkEntry => ({
  task,
  stateTask: task,
  earlierTasks: 0,
});

interface TaskRowProps {
  entry: WorkEntry;
  sites: SiteSummary[];
}

const TaskRow = ({ entry: { task, stateTask, earlierTasks }, sites }: TaskRowProps) => (
  <tr>
    <MainCell href={`/tasks/${task.taskId}`} title={displayName(task.title, task.restores)}>
      {typeNames[task.type]} ·{' '}
      {sites.find(({ siteId }) => siteId === task.siteId)?.name ?? 'A removed site'}
      {earlierTasks > 0 && ` · with ${countNoun(earlierTasks, 'earlier task')}`}
    </MainCell>
    <td>
      <TaskStateBadge task={stateTask} />
    </td>
    <td class="muted">{creatorName(task.createdBy) || '—'}</td>
    <TimeCell at={stateTask.finishedAt ?? stateTask.createdAt} />
  </tr>
);
