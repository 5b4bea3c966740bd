import { path } from '../../../browser/path.ts';
import { useIsAtLeast } from '../client/session.ts';
import type { Site } from '../../../contract/answers.ts';
import { useList } from '../useData.ts';
import { ButtonLink, Out } from '../ui/controls.tsx';
import { Page } from '../ui/page.tsx';
import { Dot, Empty } from '../ui/states.tsx';
import { ListedTable, MainCell } from '../ui/table.tsx';
import { Time } from '../ui/time.tsx';
import { repositoryName } from '../repositoryName.ts';
import { hostOf } from '../liveAddress.ts';

const EVERY_MS = 30_000;

export function Sites() {
  const mayAdd = useIsAtLeast('admin');
  const sites = useList<Site>(path`/sites`, 'sites', {}, EVERY_MS);
  return (
    <Page title="Sites" actions={mayAdd && sites.data?.length !== 0 && addSite}>
      <section class="card" aria-label="Sites">
        <ListedTable
          of={sites}
          empty={<NoSites mayAdd={mayAdd} />}
          isLinked
          columns={['Name', 'State', 'Repository', 'Last publish']}
          row={(site) => <SiteRow key={site.siteId} site={site} />}
        />
      </section>
    </Page>
  );
}

const addSite = (
  <ButtonLink href="/sites/new" look="primary" icon="plus">
    Add site
  </ButtonLink>
);

const NoSites = ({ mayAdd }: { mayAdd: boolean }) => (
  <Empty icon="sites" title="No sites yet" actions={mayAdd && addSite}>
    {mayAdd
      ? 'A site is a git repository of static pages. Add yours, and new pages are a table away.'
      : 'Ask an admin of your organization to add the team’s repository.'}
  </Empty>
);

const SiteRow = ({ site }: { site: Site }) => (
  <tr>
    <MainCell href={`/sites/${site.siteId}`} title={site.name}>
      {site.liveUrl ? <Out href={site.liveUrl}>{hostOf(site.liveUrl)}</Out> : 'Nothing is live yet'}
    </MainCell>
    <td>
      <SiteState site={site} />
    </td>
    <td class="muted repository">{site.repository && repositoryName(site.repository.url)}</td>
    <td class="muted">{site.deployment && <Time at={site.deployment.at} />}</td>
  </tr>
);

/** A site's state in a few words. The tooltip says what is wrong. */
export function SiteState({ site: { problem, repository, deployment } }: { site: Site }) {
  if (problem)
    return (
      <span title={problem} class="over">
        <Dot kind="bad">Repository fails</Dot>
      </span>
    );
  if (repository === null) return <Dot kind="warn">No repository</Dot>;
  if (deployment?.state === 'failed') return <Dot kind="bad">Last publish failed</Dot>;
  return deployment ? <Dot kind="good">Live</Dot> : <Dot kind="">Not published</Dot>;
}
