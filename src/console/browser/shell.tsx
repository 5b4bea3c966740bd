import type { VNode } from 'preact';
import { useEffect } from 'preact/hooks';
import { isAtLeast, useAccount } from './client/session.ts';
import { lazy } from './lazy.tsx';
import { OrganizationMenu, PersonMenu } from './menus.tsx';
import { matchPath, navigate } from './router.ts';
import { FirstOrganization } from './screens/entry/firstOrganization.tsx';
import { SitesScreen } from './screens/sites/sites.tsx';
import { Icon, type IconName } from './ui/icons.tsx';
import { SkipLink } from './ui/skipLink.tsx';
import { Failure } from './ui/states.tsx';
import { RefusedRequestError } from '../../browser/sendRequest.ts';

const AddSite = lazy(() => import('./screens/sites/addSite.tsx'), 'AddSite');
const SiteScreen = lazy(() => import('./screens/sites/site.tsx'), 'SiteScreen');
const NewTask = lazy(() => import('./screens/newTask/newTask.tsx'), 'NewTask');
const Tasks = lazy(() => import('./screens/tasks/tasks.tsx'), 'Tasks');
const TaskScreen = lazy(() => import('./screens/tasks/task.tsx'), 'TaskScreen');
const BatchScreen = lazy(() => import('./screens/batches/batch.tsx'), 'BatchScreen');
const Callbacks = lazy(() => import('./screens/tasks/callbacks.tsx'), 'Callbacks');
const Settings = lazy(() => import('./screens/settings/settings.tsx'), 'Settings');
const Shared = lazy(() => import('./screens/sharing/sharedWithYou.tsx'), 'Shared');

type ScreenRenderer = (values: Record<string, string>) => VNode;

const screens: [pattern: string, show: ScreenRenderer][] = [
  ['/', () => <SitesScreen />],
  ['/sites', () => <SitesScreen />],
  ['/sites/new', () => <AddSite />],
  ['/sites/:siteId', ({ siteId = '' }) => <SiteScreen siteId={siteId} tab="pages" />],
  ['/sites/:siteId/new-task', ({ siteId = '' }) => <NewTask siteId={siteId} />],
  ['/sites/:siteId/:tab', ({ siteId = '', tab = '' }) => <SiteScreen siteId={siteId} tab={tab} />],
  ['/tasks', () => <Tasks />],
  ['/tasks/:taskId', ({ taskId = '' }) => <TaskScreen taskId={taskId} />],
  ['/batches/:batchId', ({ batchId = '' }) => <BatchScreen batchId={batchId} />],
  ['/callbacks', () => <Callbacks />],
  ['/settings', () => <Settings tab="organization" />],
  ['/settings/:tab', ({ tab = '' }) => <Settings tab={tab} />],
];

const navigationPlaces: [href: string, text: string, icon: IconName][] = [
  ['/sites', 'Sites', 'sites'],
  ['/tasks', 'Tasks', 'tasks'],
  ['/callbacks', 'Callbacks', 'callbacks'],
  ['/settings', 'Settings', 'settings'],
];
const viewerPlaces: typeof navigationPlaces = [['/', 'Shared', 'shared']];

/** The frame around every screen for people who are signed in: the menus, and the screen itself. */
export function Shell({ path }: { path: string }) {
  const { membership } = useAccount();
  useEffect(() => {
    if (path === '/') navigate('/' + location.search, { replace: true });
  }, []);
  if (!membership) return <FirstOrganization />;
  const isViewer = !isAtLeast(membership.role, 'member');
  const currentPath = path === '/' ? (isViewer ? '/' : '/sites') : path;
  return (
    <div class="shell">
      <SkipLink to="content">Skip to the content</SkipLink>
      <header class="side">
        <OrganizationMenu />
        <nav aria-label="Console">
          <ul>
            {(isViewer ? viewerPlaces : navigationPlaces).map(([href, placeText, placeIcon]) => (
              <li key={href}>
                <a
                  href={href}
                  aria-current={isCurrentPlace(href, currentPath) ? 'page' : undefined}
                >
                  <Icon name={placeIcon} />
                  {placeText}
                </a>
              </li>
            ))}
          </ul>
        </nav>
        <PersonMenu />
      </header>
      <main id="content" tabIndex={-1} key={membership.organizationId}>
        {isViewer ? <ForViewers path={path} /> : findScreen(path)}
      </main>
    </div>
  );
}

const ForViewers = ({ path }: { path: string }) =>
  matchPath('/settings/:tab', path) ? <Settings tab="you" /> : <Shared />;

/** Batches are listed with the tasks. */
const isCurrentPlace = (href: string, path: string) =>
  path === href ||
  path.startsWith(`${href}/`) ||
  (href === '/tasks' && path.startsWith('/batches/'));

function findScreen(path: string): VNode {
  for (const [pattern, renderScreen] of screens) {
    const pathValues = matchPath(pattern, path);
    if (pathValues)
      return (
        <div
          key={
            pattern + (pathValues['siteId'] ?? pathValues['taskId'] ?? pathValues['batchId'] ?? '')
          }
        >
          {renderScreen(pathValues)}
        </div>
      );
  }
  return (
    <Failure error={new RefusedRequestError(404, 'Not found')} retry={() => undefined} isScreen />
  );
}
