import { path } from '../../../browser/path.ts';
import type { Site, SitePage } from '../../../contract/answers.ts';
import type { TaskType } from '../../../contract/task.ts';
import { typeNames } from '../taskWords.ts';
import { all } from '../client/api.ts';
import { type Data, useData } from '../useData.ts';
import { setQuery, usePlace } from '../router.ts';
import { Icon, type IconName } from '../ui/icons.tsx';
import { type Link, Page } from '../ui/page.tsx';
import { Loaded } from '../ui/states.tsx';
import { FromTable } from './fromTable.tsx';
import { SaidBefore } from './instructions.tsx';
import { NoRepository, useSite } from './site.tsx';

const kinds: { kind: string; icon: IconName; type: TaskType; text: string }[] = [
  {
    kind: 'table',
    icon: 'table',
    type: 'generate_pages',
    text: 'A new page for each row, made like one of yours.',
  },
  {
    kind: 'instructions',
    icon: 'words',
    type: 'prompt',
    text: 'Say in words what shall change on the site.',
  },
];

export function NewTask({ siteId }: { siteId: string }) {
  const site = useSite(siteId);
  const pages = useData<SitePage[]>(`all pages ${siteId}`, () =>
    all(path`/sites/${siteId}/pages`, 'pages', { limit: '500' }),
  );
  return <Loaded of={site}>{(read) => <OfSite site={read} pages={pages} />}</Loaded>;
}

function OfSite({ site, pages }: { site: Site; pages: Data<SitePage[]> }) {
  const { query } = usePlace();
  const kind = query.get('kind') === 'instructions' ? 'instructions' : 'table';
  const crumbs: Link[] = [
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
        {kinds.map(({ kind: each, icon, type, text }) => (
          <button
            key={each}
            type="button"
            class="kind"
            aria-current={each === kind ? 'true' : undefined}
            onClick={() => setQuery({ kind: each })}
          >
            <Icon name={icon} size={20} />
            <span class="strong">{typeNames[type]}</span>
            <span class="muted small">{text}</span>
          </button>
        ))}
      </div>
      <Loaded of={pages}>
        {(list) =>
          kind === 'table' ? (
            <FromTable site={site} pages={list} />
          ) : (
            <SaidBefore site={site} taskId={query.get('from')} />
          )
        }
      </Loaded>
    </Page>
  );
}
