import { path } from '../../../browser/path.ts';
import type { SitePage } from '../../../contract/answers.ts';
import { all } from '../client/api.ts';
import { useData } from '../useData.ts';
import { setQuery, usePlace } from '../router.ts';
import { Icon, type IconName } from '../ui/icons.tsx';
import { Page } from '../ui/page.tsx';
import { Bones, Failure, Loaded } from '../ui/states.tsx';
import { FromTable } from './fromTable.tsx';
import { SaidBefore } from './instructions.tsx';
import { NoRepository, useSite } from './site.tsx';

const kinds: { kind: string; icon: IconName; title: string; text: string }[] = [
  {
    kind: 'table',
    icon: 'table',
    title: 'Pages from a table',
    text: 'A new page for each row, made like one of yours.',
  },
  {
    kind: 'instructions',
    icon: 'words',
    title: 'Instructions',
    text: 'Say in words what shall change on the site.',
  },
];

export function NewTask({ siteId }: { siteId: string }) {
  const { query } = usePlace();
  const { data: site, error, reload } = useSite(siteId);
  const pages = useData<SitePage[]>(`all pages ${siteId}`, () =>
    all(path`/sites/${siteId}/pages`, 'pages', { limit: '500' }),
  );
  const kind = query.get('kind') === 'instructions' ? 'instructions' : 'table';
  if (!site) return error === undefined ? <Bones /> : <Failure error={error} retry={reload} />;
  const crumbs: [string, string][] = [
    ['/sites', 'Sites'],
    [`/sites/${siteId}`, site.name],
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
        {kinds.map(({ kind: each, icon, title, text }) => (
          <button
            key={each}
            type="button"
            class="kind"
            {...(each === kind && { 'aria-current': 'true' })}
            onClick={() => setQuery({ kind: each })}
          >
            <Icon name={icon} size={20} />
            <span class="strong">{title}</span>
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
