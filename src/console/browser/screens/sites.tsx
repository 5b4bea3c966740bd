import { path } from '../../../browser/path.ts';
import { isAtLeast, useAccount } from '../client/session.ts';
import type { Site } from '../../../contract/answers.ts';
import { useList } from '../useData.ts';
import { ButtonLink, Out } from '../ui/controls.tsx';
import { Page } from '../ui/page.tsx';
import { Dot, Empty, Loaded, More } from '../ui/states.tsx';
import { Time } from '../ui/time.tsx';
import { repositoryName } from '../repositoryName.ts';
import { hostOf } from '../liveAddress.ts';

const EVERY_MS = 30_000;

export function Sites() {
  const { membership } = useAccount();
  const mayAdd = isAtLeast(membership?.role, 'admin');
  const sites = useList<Site>(path`/sites`, 'sites', {}, EVERY_MS);
  return (
    <Page
      title="Sites"
      actions={
        mayAdd &&
        sites.data?.length !== 0 && (
          <ButtonLink href="/sites/new" look="primary" icon="plus">
            Add site
          </ButtonLink>
        )
      }
    >
      <section class="card" aria-label="Sites">
        <Loaded of={sites}>
          {(list) => (list.length === 0 ? <NoSites mayAdd={mayAdd} /> : <SiteTable sites={list} />)}
        </Loaded>
        <More more={sites.more} />
      </section>
    </Page>
  );
}

const NoSites = ({ mayAdd }: { mayAdd: boolean }) => (
  <Empty
    icon="sites"
    title="No sites yet"
    actions={
      mayAdd && (
        <ButtonLink href="/sites/new" look="primary" icon="plus">
          Add site
        </ButtonLink>
      )
    }
  >
    {mayAdd
      ? 'A site is a git repository of static pages. Add yours, and new pages are a table away.'
      : 'Ask an admin of your organization to add the team’s repository.'}
  </Empty>
);

const SiteTable = ({ sites }: { sites: Site[] }) => (
  <table class="list linked">
    <thead>
      <tr>
        <th>Name</th>
        <th>State</th>
        <th>Repository</th>
        <th>Last publish</th>
      </tr>
    </thead>
    <tbody>
      {sites.map((site) => (
        <tr key={site.siteId}>
          <td class="main">
            <a href={`/sites/${site.siteId}`}>{site.name}</a>
            <span class="under">
              {site.liveUrl ? (
                <Out href={site.liveUrl}>{hostOf(site.liveUrl)}</Out>
              ) : (
                'Nothing is live yet'
              )}
            </span>
          </td>
          <td>
            <SiteState site={site} />
          </td>
          <td class="muted repository">{site.repository && repositoryName(site.repository.url)}</td>
          <td class="muted">{site.deployment && <Time at={site.deployment.at} />}</td>
        </tr>
      ))}
    </tbody>
  </table>
);

/** How a site is, in one word; what is wrong stands in its title. */
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
