import { hostPath } from '../../../../browser/hostPath.ts';
import { useIsAtLeast } from '../../client/session.ts';
import type { SiteSummary } from '../../../../contract/responses.ts';
import { useList } from '../../useData.ts';
import { ButtonLink, OutsideLink } from '../../ui/controls.tsx';
import { Page } from '../../ui/page.tsx';
import { StateDot, Empty } from '../../ui/states.tsx';
import { ListedTable, MainCell } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { repositoryName } from '../../words/repositoryName.ts';
import { hostOfUrl } from '../../livePageUrl.ts';

const EVERY_MS = 30_000;

/** The screen with the organization's sites. */
export function SitesScreen() {
  const mayAdd = useIsAtLeast('admin');
  const sites = useList<SiteSummary>(hostPath`/sites`, 'sites', {}, EVERY_MS);
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
      ? 'A site is a git repository of static pages. Add yours, then create new pages from a table.'
      : 'Ask an admin of your organization to add the team’s repository.'}
  </Empty>
);

const SiteRow = ({ site }: { site: SiteSummary }) => (
  <tr>
    <MainCell href={`/sites/${site.siteId}`} title={site.name}>
      {site.liveUrl ? (
        <OutsideLink href={site.liveUrl}>{hostOfUrl(site.liveUrl)}</OutsideLink>
      ) : (
        'Nothing is live yet'
      )}
    </MainCell>
    <td>
      <SiteState site={site} />
    </td>
    <td class="muted repository">{site.repository && repositoryName(site.repository.url)}</td>
    <td class="muted">{site.deployment && <Time at={site.deployment.at} />}</td>
  </tr>
);

/** A site's state in a few words. The tooltip says what is wrong. */
export function SiteState({ site: { problem, repository, deployment } }: { site: SiteSummary }) {
  if (problem)
    return (
      <span title={problem} class="over">
        <StateDot kind="bad">Repository problem</StateDot>
      </span>
    );
  if (repository === null) return <StateDot kind="warn">No repository</StateDot>;
  if (deployment?.state === 'failed') return <StateDot kind="bad">Last publish failed</StateDot>;
  return deployment ? (
    <StateDot kind="good">Live</StateDot>
  ) : (
    <StateDot kind="">Not published</StateDot>
  );
}
