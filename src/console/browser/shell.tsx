import type { VNode } from 'preact';
import { useEffect } from 'preact/hooks';
import { isAtLeast, useAccount } from './client/session.ts';
import { lazy } from './lazy.tsx';
import { OrganizationMenu, PersonMenu } from './menus.tsx';
import { matched, navigate } from './router.ts';
import { FirstOrganization } from './screens/firstOrganization.tsx';
import { Sites } from './screens/sites.tsx';
import { Icon, type IconName } from './ui/icons.tsx';
import { Failure } from './ui/states.tsx';
import { Refused } from '../../browser/http.ts';

const AddSite = lazy(() => import('./screens/addSite.tsx'), 'AddSite');
const SiteScreen = lazy(() => import('./screens/site.tsx'), 'SiteScreen');
const NewTask = lazy(() => import('./screens/newTask.tsx'), 'NewTask');
const Tasks = lazy(() => import('./screens/tasks.tsx'), 'Tasks');
const TaskScreen = lazy(() => import('./screens/task.tsx'), 'TaskScreen');
const BatchScreen = lazy(() => import('./screens/batch.tsx'), 'BatchScreen');
const Callbacks = lazy(() => import('./screens/callbacks.tsx'), 'Callbacks');
const Settings = lazy(() => import('./screens/settings.tsx'), 'Settings');
const Shared = lazy(() => import('./screens/sharedWithYou.tsx'), 'Shared');

type Show = (values: Record<string, string>) => VNode;

const screens: [pattern: string, show: Show][] = [
  ['/', () => <Sites />],
  ['/sites', () => <Sites />],
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

const places: [href: string, text: string, icon: IconName][] = [
  ['/sites', 'Sites', 'sites'],
  ['/tasks', 'Tasks', 'tasks'],
  ['/callbacks', 'Callbacks', 'callbacks'],
  ['/settings', 'Settings', 'settings'],
];
const placesOfViewers: typeof places = [['/', 'Shared', 'shared']];

/** The frame around every screen for people who are signed in. */
export function Shell({ path }: { path: string }) {
  const { membership } = useAccount();
  useEffect(() => {
    if (path === '/') navigate('/' + location.search, { replace: true });
  }, []);
  if (!membership) return <FirstOrganization />;
  const isViewer = !isAtLeast(membership.role, 'member');
  const current = path === '/' ? (isViewer ? '/' : '/sites') : path;
  return (
    <div class="shell">
      <a class="skip" href="#content" onClick={skip}>
        Skip to the content
      </a>
      <header class="side">
        <OrganizationMenu />
        <nav aria-label="Console">
          <ul>
            {(isViewer ? placesOfViewers : places).map(([href, text, icon]) => (
              <li key={href}>
                <a href={href} aria-current={isIn(href, current) ? 'page' : undefined}>
                  <Icon name={icon} />
                  {text}
                </a>
              </li>
            ))}
          </ul>
        </nav>
        <PersonMenu />
      </header>
      <main id="content" tabIndex={-1} key={membership.organizationId}>
        {isViewer ? <ForViewers path={path} /> : screenOf(path)}
      </main>
    </div>
  );
}

const ForViewers = ({ path }: { path: string }) =>
  matched('/settings/:tab', path) ? <Settings tab="you" /> : <Shared />;

/** Batches are listed with the tasks. */
const isIn = (href: string, path: string) =>
  path === href ||
  path.startsWith(`${href}/`) ||
  (href === '/tasks' && path.startsWith('/batches/'));

function skip(event: MouseEvent): void {
  event.preventDefault();
  document.getElementById('content')?.focus();
}

function screenOf(path: string): VNode {
  for (const [pattern, show] of screens) {
    const values = matched(pattern, path);
    if (values)
      return (
        <div key={pattern + (values['siteId'] ?? values['taskId'] ?? values['batchId'] ?? '')}>
          {show(values)}
        </div>
      );
  }
  return <Failure error={new Refused(404, 'Not found')} retry={() => undefined} />;
}
