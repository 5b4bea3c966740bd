import { path } from '../../../browser/path.ts';
import { useState } from 'preact/hooks';
import { useIsAtLeast } from '../client/session.ts';
import type { OneSite, Site, SitePage } from '../../../contract/answers.ts';
import { useAnswer, useList } from '../useData.ts';
import { ButtonLink, Out } from '../ui/controls.tsx';
import { type Link, Page, Tabs } from '../ui/page.tsx';
import { Empty, EmptyCard, Loaded, Problem } from '../ui/states.tsx';
import { Time } from '../ui/time.tsx';
import { repositoryName } from '../repositoryName.ts';
import { queryOf } from '../../../browser/http.ts';
import { hostOf, liveAddress } from '../liveAddress.ts';
import { Deployments } from './deployments.tsx';
import { SiteSettings } from './siteSettings.tsx';
import { SiteState } from './sites.tsx';
import { Listed, ListTable, MainCell } from '../ui/table.tsx';

export const useSite = (siteId: string) => useAnswer<OneSite>(path`/sites/${siteId}`);

export function SiteScreen({ siteId, tab }: { siteId: string; tab: string }) {
  const site = useSite(siteId);
  return (
    <Loaded of={site}>{(read) => <OpenedSite site={read} tab={tab} reload={site.reload} />}</Loaded>
  );
}

interface OpenedSiteProps {
  site: OneSite;
  tab: string;
  reload: () => void;
}

function OpenedSite({ site, tab, reload }: OpenedSiteProps) {
  const isAdmin = useIsAtLeast('admin');
  const { siteId } = site;
  const here = path`/sites/${siteId}`.toString();
  const tabs: Link[] = [
    [here, 'Pages'],
    [`${here}/deployments`, 'Deployments'],
  ];
  if (isAdmin) tabs.push([`${here}/settings`, 'Settings']);
  return (
    <Page
      title={site.name}
      crumbs={[['/sites', 'Sites']]}
      facts={
        <>
          <SiteState site={site} />
          {site.liveUrl && <Out href={site.liveUrl}>{hostOf(site.liveUrl)}</Out>}
          {site.repository && (
            <span title={site.repository.url}>
              {repositoryName(site.repository.url)} · {site.repository.branch}
            </span>
          )}
        </>
      }
      actions={
        <>
          <ButtonLink href={`/tasks${queryOf({ siteId })}`}>Tasks</ButtonLink>
          {site.repository !== null && (
            <ButtonLink href={`${here}/new-task`} look="primary" icon="plus">
              New task
            </ButtonLink>
          )}
        </>
      }
    >
      {site.problem && (
        <Problem
          actions={
            isAdmin && (
              <ButtonLink href={`${here}/settings`} little>
                Settings
              </ButtonLink>
            )
          }
        >
          The repository does not work: {site.problem}
        </Problem>
      )}
      <Tabs label="Of this site" current={tab === 'pages' ? here : `${here}/${tab}`} tabs={tabs} />
      {tab === 'settings' && isAdmin ? (
        <SiteSettings site={site} reload={reload} />
      ) : (
        <Content site={site} tab={tab} />
      )}
    </Page>
  );
}

function Content({ site, tab }: { site: Site; tab: string }) {
  if (site.repository === null) return <NoRepository site={site} />;
  return tab === 'deployments' ? <Deployments site={site} /> : <Pages site={site} />;
}

/** Shown in place of a site's pages if the site has no repository. */
export function NoRepository({ site }: { site: Site }) {
  const isAdmin = useIsAtLeast('admin');
  return (
    <EmptyCard
      icon="branch"
      title="No repository yet"
      actions={
        isAdmin && (
          <ButtonLink href={`/sites/${site.siteId}/settings`} look="primary">
            Connect the repository
          </ButtonLink>
        )
      }
    >
      {isAdmin
        ? 'The site’s pages come from a git repository. Connect it, and they stand here.'
        : 'The site’s pages come from a git repository. Ask an admin of your organization to connect it.'}
    </EmptyCard>
  );
}

function Pages({ site }: { site: Site }) {
  const pages = useList<SitePage>(path`/sites/${site.siteId}/pages`, 'pages', { limit: 100 });
  const [search, setSearch] = useState('');
  const words = search.trim().toLowerCase();
  const isShown = ({ title, slug }: SitePage) =>
    title.toLowerCase().includes(words) || slug.toLowerCase().includes(words);
  return (
    <section class="card" aria-label="Pages">
      <Listed
        of={pages}
        lines={6}
        empty={
          <Empty icon="words" title="No pages">
            The repository’s branch has no HTML page that the service can read.
          </Empty>
        }
      >
        {(list) => (
          <>
            <div class="card-head">
              <input
                type="search"
                aria-label="Find a page"
                placeholder="Find a page"
                value={search}
                onInput={(event) => setSearch(event.currentTarget.value)}
              />
            </div>
            <PageTable site={site} pages={list.filter(isShown)} />
            {!list.some(isShown) && (
              <Empty icon="search" title={`No page with “${search}”`}>
                {pages.more
                  ? 'Not all pages are loaded yet.'
                  : 'Try another word of its title or address.'}
              </Empty>
            )}
          </>
        )}
      </Listed>
    </section>
  );
}

const PageTable = ({ site, pages }: { site: Site; pages: SitePage[] }) => (
  <ListTable columns={['Page', 'Last changed']} hasActions hidden={pages.length === 0}>
    {pages.map(({ slug, title, template, changedAt, changedBy, taskId }) => (
      <tr key={slug}>
        <MainCell title={title}>
          {site.liveUrl ? <Out href={liveAddress(site.liveUrl, slug)}>{slug}</Out> : slug}
        </MainCell>
        <td class="muted">
          {changedAt ? <Time at={changedAt} /> : '—'}
          {changedBy && <> by {changedBy}</>}
          {taskId && (
            <>
              {' '}
              · <a href={`/tasks/${taskId}`}>task</a>
            </>
          )}
        </td>
        <td class="end">
          {template ? (
            <ButtonLink
              little
              href={`/sites/${site.siteId}/new-task${queryOf({ template: slug })}`}
              label={`Use as template: ${title}`}
            >
              Use as template
            </ButtonLink>
          ) : (
            <span
              class="muted small"
              title="The page can’t be read well enough to make others from it"
            >
              Can’t be a template
            </span>
          )}
        </td>
      </tr>
    ))}
  </ListTable>
);
