import { hostPath } from '../../../../browser/hostPath.ts';
import type { SiteSummary, SitePageResponse } from '../../../../contract/responses.ts';
import type { TaskType } from '../../../../contract/task.ts';
import { typeNames } from '../../words/taskWords.ts';
import { readAllItems } from '../../client/api.ts';
import { type LoadedData, useData } from '../../useData.ts';
import { setQuery, usePlace } from '../../router.ts';
import { Icon, type IconName } from '../../ui/icons.tsx';
import { type ScreenLink, Page } from '../../ui/page.tsx';
import { Loaded } from '../../ui/states.tsx';
import { FromTable } from './fromTable.tsx';
import { PrefilledInstructions } from './instructions.tsx';
import { NoRepository, useSite } from '../sites/site.tsx';

const taskKinds: { kind: string; icon: IconName; type: TaskType; text: string }[] = [
  {
    kind: 'table',
    icon: 'table',
    type: 'generate_pages',
    text: 'Create a page for each row, in the design of an existing page.',
  },
  {
    kind: 'instructions',
    icon: 'words',
    type: 'prompt',
    text: 'Describe in words what should change on the site.',
  },
];

/**
 * The screen that starts a task on a site. A person describes the task in one of two ways:
 *
 * - As a table (fromTable.tsx). tableInput.tsx takes pasted cells or a file. grid.tsx shows what
 *   would become of each row: its columns (rows.tsx), the new page's address (addressCell.tsx), and
 *   what to check (rowRemarks.tsx). useTableChecks.ts asks the service, which tries the pages.
 *   startRows.tsx starts a task, or a batch for more than ten rows.
 * - As instructions in plain words (instructions.tsx), such as "Change the phone number to 123".
 *   promptField.tsx shows what they would change.
 *
 * A table `City, Headline` with the row `Lisbon, Web design in Lisbon` → `POST /agent/tasks` with
 * the item `{ targetPageSlug: '/locations/lisbon', context: 'City: Lisbon\nHeadline: Web …' }`
 */
export function NewTask({ siteId }: { siteId: string }) {
  const site = useSite(siteId);
  const pages = useData<SitePageResponse[]>(`all pages ${siteId}`, () =>
    readAllItems(hostPath`/sites/${siteId}/pages`, 'pages', { limit: '500' }),
  );
  return (
    <Loaded of={site} isScreen>
      {(loadedSite) => <NewTaskOfSite site={loadedSite} pages={pages} />}
    </Loaded>
  );
}

function NewTaskOfSite({
  site,
  pages,
}: {
  site: SiteSummary;
  pages: LoadedData<SitePageResponse[]>;
}) {
  const { query } = usePlace();
  const kind = query.get('kind') === 'instructions' ? 'instructions' : 'table';
  const crumbs: ScreenLink[] = [
    ['/sites', 'Sites'],
    [`/sites/${site.siteId}`, site.name],
  ];
  if (site.repository === null)
    return (
      <Page title="New task" crumbs={crumbs}>
        <NoRepository site={site} />
      </Page>
    );
  return (
    <Page full title="New task" crumbs={crumbs}>
      <div class="kinds" role="group" aria-label="Kind of task">
        {taskKinds.map(({ kind: choice, icon, type, text }) => (
          <button
            key={choice}
            type="button"
            class="kind"
            aria-current={choice === kind ? 'true' : undefined}
            onClick={() => setQuery({ kind: choice })}
          >
            <Icon name={icon} size={20} />
            <span class="strong">{typeNames[type]}</span>
            <span class="muted small">{text}</span>
          </button>
        ))}
      </div>
      <Loaded of={pages}>
        {(loadedPages) =>
          kind === 'table' ? (
            <FromTable site={site} pages={loadedPages} />
          ) : (
            <PrefilledInstructions site={site} taskId={query.get('from')} />
          )
        }
      </Loaded>
    </Page>
  );
}
