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

/** What is sent to a route with some ids in it. `ownSiteId` is a site of the caller's own. */
export interface Case {
  asks: (ids: Ids, ownSiteId: string) => Ask[];
  /** What a member gets for the first of them with ids of its own; it may change a task, once. */
  own: number;
  /** Whether it needs no key. */
  isPublic?: true;
}

const tasks = '/api/v1/agent/tasks';
const work = { prompt: 'Change the headline of / to "Hello"' };
const page = { command: 'generate_pages', templatePageSlug: '/locations/austin' };
const items = [{ targetPageSlug: '/locations/rome', context: 'City: Rome' }];

const ofTask = (ending: string, own: number, which: keyof Ids = 'taskId'): Case => ({
  asks: (ids) => [{ path: `${tasks}/${ids[which]}${ending}` }],
  own,
});
const withBody = (ending: string, own: number, which: keyof Ids = 'taskId'): Case => ({
  asks: (ids) => [
    { path: `${tasks}/${ids[which]}${ending}` },
    { path: `${tasks}/${ids[which]}${ending}`, body: {} },
    { path: `${tasks}/${ids[which]}${ending}`, body: { callbackUrl: 'http://127.0.0.1:9/hook' } },
    { path: `${tasks}/${ids[which]}${ending}`, body: { callbackUrl: 'ftp://127.0.0.1/hook' } },
  ],
  own,
});
const open = (path: string): Case => ({ asks: () => [{ path }], own: 200, isPublic: true });

/** Every route of the service, as the router names it. */
export const cases: Record<string, Case> = {
  'POST /api/v1/agent/tasks': {
    asks: ({ siteId, taskId }, ownSiteId) => [
      { path: tasks, body: { siteId, ...work } },
      { path: tasks, body: { siteId, ...page, items } },
      { path: tasks, body: { siteId, ...work, callbackUrl: 'http://127.0.0.1:9/hook', publish: true } },
      { path: tasks, body: { siteId, ...work, baseTaskId: taskId } },
      { path: tasks, body: { siteId: ownSiteId, ...work, baseTaskId: taskId } },
    ],
    own: 200,
  },
  'GET /api/v1/agent/tasks': {
    asks: ({ siteId }) => [{ path: `${tasks}?siteId=${siteId}` }, { path: `${tasks}?siteId=${siteId}&status=running` }],
    own: 200,
  },
  'GET /api/v1/agent/tasks/:taskId': ofTask('', 200),
  'GET /api/v1/agent/tasks/:taskId/diff': ofTask('/diff', 200),
  'GET /api/v1/agent/tasks/:taskId/events': ofTask('/events', 200),
  'GET /api/v1/agent/tasks/:taskId/callback': ofTask('/callback', 200),
  'POST /api/v1/agent/tasks/:taskId/callback/redeliver': ofTask('/callback/redeliver', 202),
  'POST /api/v1/agent/tasks/:taskId/publish': withBody('/publish', 200),
  'POST /api/v1/agent/tasks/:taskId/retry': withBody('/retry', 200, 'failed'),
  'POST /api/v1/agent/tasks/:taskId/cancel': ofTask('/cancel', 202, 'running'),
  'GET /api/v1/sites/:siteId/pages': {
    asks: ({ siteId }) => [
      { path: `/api/v1/sites/${siteId}/pages` },
      { path: `/api/v1/sites/${siteId}/pages?limit=1` },
      { path: `/api/v1/sites/${siteId.toUpperCase()}/pages` },
    ],
    own: 200,
  },
  'GET /api/v1/openapi.json': open('/api/v1/openapi.json'),
  'GET /healthz': open('/healthz'),
  'GET /readyz': open('/readyz'),
};
