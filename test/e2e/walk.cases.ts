import type { Role } from '../../src/organizations/roles.ts';

/** A site and a task, by their ids: own ones, another organization's, or ones that nobody has. */
export interface Ids {
  siteId: string;
  taskId: string;
  /** A failed task and a running one, where they differ from `taskId`. */
  failed: string;
  running: string;
}

export interface Ask {
  path: string;
  body?: object;
}

/** What the caller has of its own: a site, and a link's key for editing a task of its own. */
export interface Own {
  siteId: string;
  linkKey: string;
}

/** What is sent to a route with some ids in it. */
export interface Case {
  asks: (ids: Ids, own: Own) => Ask[];
  /** What a member gets for the first of them with ids of its own; it may change a task, once. */
  own: number;
  /** What lets one in: an API key, an editor's session or link, or nothing at all. */
  needs: 'key' | 'session' | 'nothing';
  /** The least role of a key that is let in; default member. */
  least?: Role;
  /** What the next ones get, where that is neither `own` nor 409. */
  later?: number;
}

const tasks = '/api/v1/agent/tasks';
const work = { prompt: 'Change the headline of / to "Hello"' };
const page = { command: 'generate_pages', templatePageSlug: '/locations/austin' };
const items = [{ targetPageSlug: '/locations/rome', context: 'City: Rome' }];

const ofTask = (ending: string, own: number, which: keyof Ids = 'taskId'): Case => ({
  asks: (ids) => [{ path: `${tasks}/${ids[which]}${ending}` }],
  own,
  needs: 'key',
});
const withBody = (ending: string, own: number, which: keyof Ids = 'taskId'): Case => ({
  asks: (ids) => [
    { path: `${tasks}/${ids[which]}${ending}` },
    { path: `${tasks}/${ids[which]}${ending}`, body: {} },
    { path: `${tasks}/${ids[which]}${ending}`, body: { callbackUrl: 'http://127.0.0.1:9/hook' } },
    { path: `${tasks}/${ids[which]}${ending}`, body: { callbackUrl: 'ftp://127.0.0.1/hook' } },
  ],
  own,
  needs: 'key',
});
const open = (path: string): Case => ({ asks: () => [{ path }], own: 200, needs: 'nothing' });

const ofPage = (action: string, own: number, body?: object): Case => ({
  asks: ({ taskId }) =>
    ['/locations/rome', '/'].map((slug) => ({
      path: `/edit/${taskId}/${action}?slug=${encodeURIComponent(slug)}`,
      ...(body && { body }),
    })),
  own,
  needs: 'session',
});

/** Every route of the service, as the router names it. */
export const cases: Record<string, Case> = {
  'POST /api/v1/agent/tasks': {
    asks: ({ siteId, taskId }, own) => [
      { path: tasks, body: { siteId, ...work } },
      { path: tasks, body: { siteId, ...page, items } },
      { path: tasks, body: { siteId, ...work, callbackUrl: 'http://127.0.0.1:9/hook', publish: true } },
      { path: tasks, body: { siteId, ...work, baseTaskId: taskId } },
      { path: tasks, body: { siteId: own.siteId, ...work, baseTaskId: taskId } },
    ],
    own: 200,
    needs: 'key',
  },
  'GET /api/v1/agent/tasks': {
    asks: ({ siteId }) => [{ path: `${tasks}?siteId=${siteId}` }, { path: `${tasks}?siteId=${siteId}&status=running` }],
    own: 200,
    needs: 'key',
  },
  'GET /api/v1/agent/tasks/:taskId': ofTask('', 200),
  'GET /api/v1/agent/tasks/:taskId/diff': ofTask('/diff', 200),
  'GET /api/v1/agent/tasks/:taskId/events': ofTask('/events', 200),
  'GET /api/v1/agent/tasks/:taskId/callback': ofTask('/callback', 200),
  'POST /api/v1/agent/tasks/:taskId/callback/redeliver': ofTask('/callback/redeliver', 202),
  'POST /api/v1/agent/tasks/:taskId/publish': withBody('/publish', 200),
  'POST /api/v1/agent/tasks/:taskId/retry': withBody('/retry', 200, 'failed'),
  'POST /api/v1/agent/tasks/:taskId/cancel': ofTask('/cancel', 202, 'running'),
  'GET /api/v1/sites': { asks: () => [{ path: '/api/v1/sites' }], own: 200, needs: 'key' },
  'GET /api/v1/sites/:siteId/pages': {
    asks: ({ siteId }) => [
      { path: `/api/v1/sites/${siteId}/pages` },
      { path: `/api/v1/sites/${siteId}/pages?limit=1` },
      { path: `/api/v1/sites/${siteId.toUpperCase()}/pages` },
    ],
    own: 200,
    needs: 'key',
  },
  'GET /api/v1/sites/:siteId': {
    asks: ({ siteId }) => [{ path: `/api/v1/sites/${siteId}` }, { path: `/api/v1/sites/${siteId.toUpperCase()}` }],
    own: 200,
    needs: 'key',
  },
  'GET /api/v1/sites/:siteId/deployments': {
    asks: ({ siteId }) => [{ path: `/api/v1/sites/${siteId}/deployments` }],
    own: 200,
    needs: 'key',
  },
  'POST /api/v1/sites/:siteId/deployments/:deploymentId/restore': {
    asks: ({ siteId }) => [
      { path: `/api/v1/sites/${siteId}/deployments/${'0'.repeat(40)}/restore` },
      { path: `/api/v1/sites/${siteId}/deployments/x/restore`, body: {} },
    ],
    own: 404,
    needs: 'key',
    later: 404,
  },
  'PATCH /api/v1/sites/:siteId': {
    asks: ({ siteId }) => [
      { path: `/api/v1/sites/${siteId}`, body: { name: 'walked' } },
      { path: `/api/v1/sites/${siteId}`, body: { repository: { url: 'file:///etc' } } },
    ],
    own: 200,
    needs: 'key',
    least: 'admin',
  },
  'POST /api/v1/sites/check': {
    asks: () => [{ path: '/api/v1/sites/check', body: { repository: { url: 'ext::sh -c id' } } }],
    own: 200,
    needs: 'key',
    least: 'admin',
  },
  // nobody's deploy key, since each site that is made has another id
  'POST /api/v1/sites': {
    asks: ({ siteId: deployKeyId }) => [
      { path: '/api/v1/sites', body: { name: 'w', repository: { url: 'git@git.example:w', credential: { type: 'deploy-key', deployKeyId } } } }, // prettier-ignore
    ],
    own: 404,
    needs: 'key',
    least: 'admin',
  },
  'POST /api/v1/deploy-keys': {
    asks: ({ siteId }) => [{ path: '/api/v1/deploy-keys', body: { siteId } }],
    own: 400,
    needs: 'key',
    least: 'admin',
  },
  'POST /api/v1/agent/tasks/:taskId/edit-link': {
    asks: ({ taskId }) => [
      { path: `${tasks}/${taskId}/edit-link` },
      { path: `${tasks}/${taskId}/edit-link`, body: { slug: '/locations/rome' } },
      { path: `${tasks}/${taskId}/edit-link`, body: { slug: '/' } },
    ],
    own: 200,
    needs: 'key',
  },
  'POST /edit/:taskId/.session': {
    asks: ({ taskId }, { linkKey }) => [
      { path: `/edit/${taskId}/.session`, body: { key: linkKey } },
      { path: `/edit/${taskId}/.session`, body: { key: 'made.up' } },
    ],
    own: 200,
    needs: 'session',
  },
  'GET /edit/:taskId/.page': ofPage('.page', 200),
  'GET /edit/:taskId/.frame': ofPage('.frame', 200),
  'PUT /edit/:taskId/.page': ofPage('.page', 412, { digest: '0'.repeat(64), texts: { t: ['x'] } }),
  // the last that works on the owners' task: nobody can edit it after that
  'DELETE /api/v1/agent/tasks/:taskId/preview': ofTask('/preview', 204),
  'GET /edit/:taskId{/*path}': {
    asks: ({ taskId }) => [{ path: `/edit/${taskId}` }, { path: `/edit/${taskId}/locations/rome` }],
    own: 200,
    needs: 'nothing',
  },
  'GET /edit/assets/:file': open('/edit/assets/api.js'),
  'GET /docs': open('/docs'),
  'GET /docs/page.css': open('/docs/page.css'),
  'GET /docs/page.js': open('/docs/page.js'),
  'GET /docs/swagger-ui.css': open('/docs/swagger-ui.css'),
  'GET /docs/swagger-ui-bundle.js': open('/docs/swagger-ui-bundle.js'),
  'GET /docs/README.md': open('/docs/README.md'),
  'GET /docs/agents.md': open('/docs/agents.md'),
  'GET /api/v1/openapi.json': open('/api/v1/openapi.json'),
  'GET /healthz': open('/healthz'),
  'GET /readyz': open('/readyz'),
  // the last of all: the owners' site is gone after that
  'DELETE /api/v1/sites/:siteId': {
    asks: ({ siteId }) => [{ path: `/api/v1/sites/${siteId}` }],
    own: 204,
    needs: 'key',
    least: 'admin',
    later: 404,
  },
};
