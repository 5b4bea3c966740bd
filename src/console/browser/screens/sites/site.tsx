import { hostPath, pagePath } from '../../../../browser/hostPath.ts';
import { useState } from 'preact/hooks';
import { useIsAtLeast } from '../../client/session.ts';
import type {
  SiteResponse,
  SiteSummary,
  SitePageResponse,
} from '../../../../contract/responses.ts';
import { useAnswer, useList } from '../../useData.ts';
import { ButtonLink, OutsideLink } from '../../ui/controls.tsx';
import { type ScreenLink, Page, Tabs } from '../../ui/page.tsx';
import { Empty, EmptyCard, Loaded, Problem } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { repositoryName } from '../../words/repositoryName.ts';
import { queryString } from '../../../../browser/sendRequest.ts';
import { hostOfUrl, livePageUrl } from '../../livePageUrl.ts';
import { DeploymentHistory } from './deployments.tsx';
import { SiteSettingsCards } from './siteSettings.tsx';
import { SiteState } from './sites.tsx';
import { ListedItems, ListTable, MainCell } from '../../ui/table.tsx';

export const useSite = (siteId: string) => useAnswer<SiteResponse>(hostPath`/sites/${siteId}`);

/** The screen of a site, with its pages, its deployments and, for admins, its settings. */
export function SiteScreen({ siteId, tab }: { siteId: string; tab: string }) {
  const site = useSite(siteId);
  return (
    <Loaded of={site} isScreen>
      {(loadedSite) => <OpenedSite site={loadedSite} tab={tab} reload={site.reload} />}
    </Loaded>
  );
}

interface OpenedSiteProps {
  site: SiteResponse;
  tab: string;
  reload: () => void;
}

function OpenedSite({ site, tab, reload }: OpenedSiteProps) {
  const isAdmin = useIsAtLeast('admin');
  const { siteId } = site;
  const sitePath = hostPath`/sites/${siteId}`.toString();
  const tabs: ScreenLink[] = [
    [sitePath, 'Pages'],
    [`${sitePath}/deployments`, 'Deployments'],
  ];
  if (isAdmin) tabs.push([`${sitePath}/settings`, 'Settings']);
  return (
    <Page
      title={site.name}
      crumbs={[['/sites', 'Sites']]}
      facts={
        <>
          <SiteState site={site} />
          {site.liveUrl && <OutsideLink href={site.liveUrl}>{hostOfUrl(site.liveUrl)}</OutsideLink>}
          {site.repository && (
            <span title={site.repository.url}>
              {repositoryName(site.repository.url)} · {site.repository.branch}
            </span>
          )}
        </>
      }
      actions={
        <>
          <ButtonLink href={`/tasks${queryString({ siteId })}`}>Tasks</ButtonLink>
          {site.repository !== null && (
            <ButtonLink href={`${sitePath}/new-task`} look="primary" icon="plus">
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
              <ButtonLink href={`${sitePath}/settings`} little>
                Settings
              </ButtonLink>
            )
          }
        >
          The service can’t use the repository: {site.problem}
        </Problem>
      )}
      <Tabs
        label="Of this site"
        current={tab === 'pages' ? sitePath : `${sitePath}/${tab}`}
        tabs={tabs}
      />
      {tab === 'settings' && isAdmin ? (
        <SiteSettingsCards site={site} reload={reload} />
      ) : (
        <SiteContent site={site} tab={tab} />
      )}
    </Page>
  );
}

function SiteContent({ site, tab }: { site: SiteSummary; tab: string }) {
  if (site.repository === null) return <NoRepository site={site} />;
  return tab === 'deployments' ? <DeploymentHistory site={site} /> : <SitePageList site={site} />;
}

/** Shown in place of a site's pages if the site has no repository. */
export function NoRepository({ site }: { site: SiteSummary }) {
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
        ? 'The site’s pages come from a git repository. Connect it to see its pages here.'
        : 'The site’s pages come from a git repository. Ask an admin of your organization to connect it.'}
    </EmptyCard>
  );
}

function SitePageList({ site }: { site: SiteSummary }) {
  const pages = useList<SitePageResponse>(hostPath`/sites/${site.siteId}/pages`, 'pages', {
    limit: 100,
  });
  const canEdit = useIsAtLeast('member');
  const [search, setSearch] = useState('');
  const searchWords = search.trim().toLowerCase();
  const isShown = ({ title, slug }: SitePageResponse) =>
    title.toLowerCase().includes(searchWords) || slug.toLowerCase().includes(searchWords);
  return (
    <section class="card" aria-label="Pages">
      <ListedItems
        of={pages}
        lines={6}
        empty={
          <Empty icon="words" title="No pages">
            The repository’s branch has no HTML page that the service can read.
          </Empty>
        }
      >
        {(loadedPages) => (
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
            <PageTable site={site} pages={loadedPages.filter(isShown)} canEdit={canEdit} />
            {!loadedPages.some(isShown) && (
              <Empty icon="search" title={`No page with “${search}”`}>
                {pages.more
                  ? 'Not all pages are loaded yet.'
                  : 'Try another word from its title or address.'}
              </Empty>
            )}
          </>
        )}
      </ListedItems>
    </section>
  );
}

interface EditPageLinkProps extends Pick<SitePageResponse, 'slug' | 'title'> {
  siteId: string;
}

/** Opens a page of the site in the editor. The first save there starts a task. */
const EditPageLink = ({ siteId, slug, title }: EditPageLinkProps) => (
  <ButtonLink
    little
    icon="pencil"
    href={hostPath`/edit/${siteId}${pagePath(slug)}`.toString()}
    label={`Edit: ${title}`}
  >
    Edit
  </ButtonLink>
);

interface PageTableProps {
  site: SiteSummary;
  pages: SitePageResponse[];
  canEdit: boolean;
}

const PageTable = ({ site, pages, canEdit }: PageTableProps) => (
  <ListTable columns={['Page', 'Last changed']} hasActions hidden={pages.length === 0}>
    {pages.map(({ slug, title, template, changedAt, changedBy, taskId }) => (
      <tr key={slug}>
        <MainCell title={title}>
          {site.liveUrl ? (
            <OutsideLink href={livePageUrl(site.liveUrl, slug)}>{slug}</OutsideLink>
          ) : (
            slug
          )}
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
          <div class="row">
            {canEdit && <EditPageLink siteId={site.siteId} slug={slug} title={title} />}
            {template ? (
              <ButtonLink
                little
                href={`/sites/${site.siteId}/new-task${queryString({ template: slug })}`}
                label={`Use as template: ${title}`}
              >
                Use as template
              </ButtonLink>
            ) : (
              <span
                class="muted small"
                title="The service can’t read this page well enough to create others from it"
              >
                Can’t be a template
              </span>
            )}
          </div>
        </td>
      </tr>
    ))}
  </ListTable>
);
