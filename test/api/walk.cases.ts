import { withoutUndefined } from '../../src/contract/withoutUndefined.ts';
import { timeCursor } from '../../src/api/timeCursors.ts';
import type { Role } from '../../src/contract/roles.ts';

/** A site and a task, by their ids: own ones, another organization's, or ones that nobody has. */
export interface Ids {
  siteId: string;
  taskId: string;
  organizationId: string;
  memberId: string;
  invitationId: string;
  /** A key of the owners that their member's key made. */
  keyId: string;
  /** A connection of one of the owners' people. */
  assistantId: string;
  /** A failed task and a running one, where they differ from `taskId`. */
  failed: string;
  running: string;
  /** A completed batch. */
  batchId: string;
  /** Links to the completed task's pages: for editing, and for looking. */
  shareId: string;
  viewShareId: string;
}

export interface Ask {
  path: string;
  body?: object;
}

/** What the caller has of its own: a site, and the keys of links for editing a task of its own. */
export interface OwnIds {
  siteId: string;
  linkKey: string;
  shareKey: string;
}

/** What is sent to a route with some ids in it. */
export interface Case {
  asks: (ids: Ids, own: OwnIds) => Ask[];
  /** What a member gets for the first of them with ids of its own; it may change a task, once. */
  own: number;
  /**
   * What lets one in: an API key, an editor's session or link, a person's session, or nothing at
   * all.
   */
  needs: 'key' | 'session' | 'person' | 'nothing';
  /**
   * The least role that is let in: of a key, default member; of a person's session, default viewer.
   * An editor's routes that have one take people's sessions too.
   */
  least?: Role;
  /** The least role with which it succeeds, where that is another one. */
  succeeds?: Role;
  /** What the next ones get, where that is neither `own` nor 409. */
  later?: number;
}

const tasks = '/api/v1/agent/tasks';
const work = { prompt: 'Change the headline of / to "Hello"' };
const page = { command: 'generate_pages', templatePageSlug: '/locations/austin' };
const items = [{ targetPageSlug: '/locations/rome', context: 'City: Rome' }];

const batches = '/api/v1/agent/batches';
const rows = [{ targetPageSlug: '/locations/batched', context: 'City: Rome' }];
const batch = { templatePageSlug: page.templatePageSlug, rows };
/** The batch is completed: commands have nothing to do. */
const ofBatch = (ending: string, own: number, body?: object): Case => ({
  asks: ({ batchId }) => [
    { path: `${batches}/${batchId}${ending}` },
    ...(body ? [{ path: `${batches}/${batchId}${ending}`, body }] : []),
  ],
  own,
  needs: 'key',
});

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
const marks = (slug: string) => ({
  mark: 'none',
  pages: [{ slug, version: 'c0'.repeat(20) }],
});
const ofPeople = (least: Role, path: string, own: number, body?: object): Case => ({
  asks: ({ memberId, invitationId }) => [
    {
      path: `/api/v1${path.replace(':memberId', memberId).replace(':invitationId', invitationId)}`,
      ...(body && { body }),
    },
  ],
  own,
  needs: 'key',
  least,
  later: path.includes(':') && !body ? 404 : own,
});
/** An invitation's id opens it, so the walk asks for one that nobody has. */
const nobodys = '5e2b1f64-9c0d-4a55-8a43-3a5c2d1f7b90';
/** An endpoint that nobody has. */
const ofEndpoint = (ending: string, body?: object) =>
  ofPeople('admin', `/webhook-endpoints/${nobodys}${ending}`, 404, body);
/** What needs no API key, and is answered the same with any. */
const without = (path: string, own: number, body?: object): Case => ({
  asks: () => [{ path, ...(body && { body }) }],
  own,
  needs: 'nothing',
});
/** What needs the cookie of a person's session. */
const ofPerson = (
  path: string,
  own: number,
  bodyOf: (ids: Ids) => object | undefined = () => ({}),
): Case => ({
  asks: (ids) => [{ path, ...withoutUndefined({ body: bodyOf(ids) }) }],
  own,
  needs: 'person',
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
  least: 'member',
});

const calls = (name: string, args: object): Ask => ({
  path: '/mcp',
  body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } },
});

/** Calls of assistants' tools. */
const assistants: Case = {
  asks: ({ siteId, taskId, batchId, running, shareId, viewShareId }, own) => [
    calls('list_tasks', { siteId }),
    calls('list_pages', { siteId }),
    calls('get_page', { siteId, slug: '/' }),
    calls('check_items', { siteId, templatePageSlug: page.templatePageSlug, items }),
    calls('get_task', { taskId }),
    calls('generate_pages', { siteId, templatePageSlug: page.templatePageSlug, items }),
    calls('change_site', { siteId, ...work, publish: true, confirm: true }),
    calls('change_site', { siteId: own.siteId, ...work, baseTaskId: taskId }),
    calls('publish_task', { taskId, confirm: true }),
    calls('retry_task', { taskId, confirm: true }),
    calls('cancel_task', { taskId: running }),
    calls('answer_task', { taskId: running, answer: 'Yes' }),
    calls('try_prompt', { siteId, ...work }),
    calls('get_page', { siteId: own.siteId, slug: '/', taskId }),
    calls('get_diff', { taskId }),
    calls('settle_notes', { taskId, state: 'done' }),
    calls('drop_notes', { taskId, kind: 'price' }),
    calls('undo_version', { taskId }),
    calls('create_edit_link', { taskId }),
    calls('share_task', { taskId, access: 'view' }),
    calls('get_share', { shareId: viewShareId }),
    calls('end_share', { shareId }),
    calls('list_shares', { taskId }),
    calls('share_task', { batchId, access: 'view' }),
    calls('list_deployments', { siteId }),
    calls('restore_deployment', { siteId, deploymentId: 'c0'.repeat(20), confirm: true }),
  ],
  own: 200,
  needs: 'key',
  least: 'viewer',
  later: 200,
};

/** Every route of the service, as the router names it. */
export const cases: Record<string, Case> = {
  'POST /api/v1/agent/tasks': {
    asks: ({ siteId, taskId }, own) => [
      { path: tasks, body: { siteId, ...work } },
      { path: tasks, body: { siteId, ...page, items } },
      {
        path: tasks,
        body: { siteId, ...work, callbackUrl: 'http://127.0.0.1:9/hook', publish: true },
      },
      { path: tasks, body: { siteId, ...work, baseTaskId: taskId } },
      { path: tasks, body: { siteId: own.siteId, ...work, baseTaskId: taskId } },
    ],
    own: 200,
    needs: 'key',
  },
  'POST /api/v1/agent/tasks/check': {
    asks: ({ siteId, taskId }, own) => [
      { path: `${tasks}/check`, body: { siteId, ...work } },
      { path: `${tasks}/check`, body: { siteId, ...page, items } },
      { path: `${tasks}/check`, body: { siteId: own.siteId, ...work, baseTaskId: taskId } },
    ],
    own: 200,
    needs: 'key',
  },
  'GET /api/v1/agent/tasks': {
    asks: ({ siteId }) => [
      { path: `${tasks}?siteId=${siteId}` },
      { path: `${tasks}?siteId=${siteId}&status=running` },
    ],
    own: 200,
    needs: 'key',
  },
  'POST /mcp': assistants,
  'GET /.well-known/oauth-protected-resource/mcp': open(
    '/.well-known/oauth-protected-resource/mcp',
  ),
  'GET /.well-known/oauth-authorization-server/auth': open(
    '/.well-known/oauth-authorization-server/auth',
  ),
  'GET /.well-known/oauth-authorization-server': open('/.well-known/oauth-authorization-server'),
  'GET /auth/oauth2/authorize': without('/auth/oauth2/authorize?client_id=x', 302),
  'POST /auth/oauth2/register': without('/auth/oauth2/register', 400, {}),
  // JSON in place of a form: each code counts once
  'POST /auth/oauth2/token': without('/auth/oauth2/token', 415, {}),
  'POST /auth/oauth2/revoke': without('/auth/oauth2/revoke', 415, {}),
  'GET /account/assistants': ofPerson('/account/assistants', 200, () => undefined),
  'POST /account/assistants': ofPerson('/account/assistants', 400),
  'POST /account/assistants/check': ofPerson('/account/assistants/check', 400),
  'POST /account/assistants/:assistantId/disconnect': ofPerson(
    `/account/assistants/${nobodys}/disconnect`,
    404,
  ),
  'GET /api/v1/agent/tasks/:taskId': ofTask('', 200),
  'GET /api/v1/agent/tasks/:taskId/diff': ofTask('/diff', 200),
  'GET /api/v1/agent/tasks/:taskId/request': ofTask('/request', 200),
  'GET /api/v1/agent/tasks/:taskId/run': { ...ofTask('/run', 200), least: 'admin' },
  'GET /api/v1/agent/tasks/:taskId/events': ofTask('/events', 200),
  'GET /api/v1/agent/tasks/:taskId/callback': ofTask('/callback', 200),
  'POST /api/v1/agent/tasks/:taskId/callback/redeliver': ofTask('/callback/redeliver', 202),
  'GET /api/v1/agent/tasks/:taskId/publish': ofTask('/publish', 200),
  'POST /api/v1/agent/tasks/:taskId/publish': withBody('/publish', 200),
  'POST /api/v1/agent/tasks/:taskId/retry': withBody('/retry', 200, 'failed'),
  'POST /api/v1/agent/tasks/:taskId/cancel': ofTask('/cancel', 202, 'running'),
  'POST /api/v1/agent/tasks/:taskId/answer': {
    // the task asks nothing
    asks: ({ taskId }) => [{ path: `${tasks}/${taskId}/answer`, body: { answer: 'Yes' } }],
    own: 409,
    needs: 'key',
  },
  'POST /api/v1/agent/tasks/:taskId/notes/drop': {
    // the task has no note of the kind
    asks: ({ taskId }) => [
      { path: `${tasks}/${taskId}/notes/drop`, body: { kind: 'contact', page: '/nowhere' } },
    ],
    own: 409,
    needs: 'key',
  },
  'GET /api/v1/agent/tasks/:taskId/versions': ofTask('/versions', 200),
  'POST /api/v1/agent/tasks/:taskId/versions/undo': withBody('/versions/undo', 409),
  'POST /api/v1/agent/tasks/:taskId/versions/update': withBody('/versions/update', 200),
  'PATCH /api/v1/agent/tasks/:taskId/notes': {
    asks: ({ taskId }) => [{ path: `${tasks}/${taskId}/notes`, body: { state: 'kept' } }],
    own: 200,
    needs: 'key',
  },
  'POST /api/v1/agent/batches': {
    asks: ({ siteId }) => [
      { path: batches, body: { siteId, ...batch } },
      { path: batches, body: { siteId, ...batch, callbackUrl: 'http://127.0.0.1:9/hook' } },
    ],
    own: 200,
    needs: 'key',
    later: 200,
  },
  'POST /api/v1/agent/batches/check': {
    asks: ({ siteId }) => [{ path: `${batches}/check`, body: { siteId, ...batch } }],
    own: 200,
    needs: 'key',
    later: 200,
  },
  'GET /api/v1/agent/batches': {
    asks: ({ siteId }) => [{ path: `${batches}?siteId=${siteId}` }, { path: batches }],
    own: 200,
    needs: 'key',
  },
  'GET /api/v1/agent/batches/:batchId': ofBatch('', 200),
  'GET /api/v1/agent/batches/:batchId/rows': ofBatch('/rows', 200),
  'POST /api/v1/agent/batches/:batchId/pause': ofBatch('/pause', 409),
  'POST /api/v1/agent/batches/:batchId/resume': ofBatch('/resume', 409),
  'POST /api/v1/agent/batches/:batchId/cancel': ofBatch('/cancel', 409),
  'POST /api/v1/agent/batches/:batchId/retry': ofBatch('/retry', 409, { rows: [1] }),
  'POST /api/v1/agent/batches/:batchId/approve': ofBatch('/approve', 409, { rows: [1] }),
  'GET /api/v1/agent/batches/:batchId/notes': ofBatch('/notes', 200),
  'GET /api/v1/agent/batches/:batchId/versions': ofBatch('/versions', 200),
  'POST /api/v1/agent/batches/:batchId/versions/undo': ofBatch('/versions/undo', 409, {}),
  'PATCH /api/v1/agent/batches/:batchId/notes': {
    asks: ({ batchId }) => [{ path: `${batches}/${batchId}/notes`, body: { state: 'kept' } }],
    own: 200,
    needs: 'key',
  },
  'GET /api/v1/agent/batches/:batchId/reviews': ofBatch('/reviews', 200),
  'PATCH /api/v1/agent/batches/:batchId/reviews': {
    asks: ({ batchId }) => [{ path: `${batches}/${batchId}/reviews`, body: marks('/batched') }],
    own: 200,
    needs: 'key',
    later: 200,
  },
  'GET /api/v1/agent/tasks/:taskId/reviews': ofTask('/reviews', 200),
  'PATCH /api/v1/agent/tasks/:taskId/reviews': {
    asks: ({ taskId }) => [{ path: `${tasks}/${taskId}/reviews`, body: marks('/locations/rome') }],
    own: 200,
    needs: 'key',
    later: 200,
  },
  'POST /api/v1/agent/batches/:batchId/skip': {
    asks: ({ batchId }) => [{ path: `${batches}/${batchId}/skip`, body: { rows: [1] } }],
    own: 409,
    needs: 'key',
  },
  'POST /api/v1/agent/batches/:batchId/edit-link': {
    asks: ({ batchId }) => [
      { path: `${batches}/${batchId}/edit-link`, body: { slug: '/batched' } },
      { path: `${batches}/${batchId}/edit-link`, body: { slug: '/' } },
    ],
    own: 200,
    needs: 'key',
  },
  // Last: the batch runs again.
  'POST /api/v1/agent/batches/:batchId/publish': ofBatch('/publish', 200),
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
    asks: ({ siteId }) => [
      { path: `/api/v1/sites/${siteId}` },
      { path: `/api/v1/sites/${siteId.toUpperCase()}` },
    ],
    own: 200,
    needs: 'key',
  },
  'GET /api/v1/sites/:siteId/deployments': {
    asks: ({ siteId }) => [{ path: `/api/v1/sites/${siteId}/deployments` }],
    own: 200,
    needs: 'key',
  },
  'GET /api/v1/sites/:siteId/deployments/:deploymentId/restore': {
    asks: ({ siteId }) => [
      { path: `/api/v1/sites/${siteId}/deployments/${'0'.repeat(40)}/restore` },
      { path: `/api/v1/sites/${siteId}/deployments/x/restore` },
    ],
    own: 404,
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
      {
        path: '/api/v1/sites',
        body: {
          name: 'w',
          repository: { url: 'git@git.example:w', credential: { type: 'deploy-key', deployKeyId } },
        },
      },
    ],
    own: 404,
    needs: 'key',
    least: 'admin',
  },
  // the embedded host has no forge that could send any
  'POST /api/v1/sites/:siteId/webhook-secret': {
    asks: ({ siteId }) => [{ path: `/api/v1/sites/${siteId}/webhook-secret` }],
    own: 409,
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
  'POST /api/v1/sites/:siteId/edit-link': {
    asks: ({ siteId }) => [
      { path: `/api/v1/sites/${siteId}/edit-link`, body: { slug: '/locations/austin' } },
      { path: `/api/v1/sites/${siteId}/edit-link`, body: { slug: '/' } },
    ],
    own: 200,
    needs: 'key',
  },
  'POST /api/v1/agent/tasks/:taskId/shares': {
    asks: ({ taskId }) => [
      { path: `${tasks}/${taskId}/shares`, body: { access: 'view', days: 1 } },
      { path: `${tasks}/${taskId}/shares`, body: { access: 'edit' } },
    ],
    own: 201,
    needs: 'key',
  },
  'POST /api/v1/agent/batches/:batchId/shares': {
    asks: ({ batchId }) => [
      { path: `${batches}/${batchId}/shares`, body: { access: 'view', days: 1 } },
      { path: `${batches}/${batchId}/shares`, body: { access: 'edit' } },
    ],
    own: 201,
    needs: 'key',
  },
  'GET /api/v1/agent/tasks/:taskId/approvals': {
    asks: ({ taskId }) => [{ path: `${tasks}/${taskId}/approvals` }],
    own: 200,
    needs: 'key',
  },
  'GET /api/v1/agent/batches/:batchId/approvals': {
    asks: ({ batchId }) => [{ path: `${batches}/${batchId}/approvals` }],
    own: 200,
    needs: 'key',
  },
  'POST /api/v1/agent/tasks/:taskId/approvals': {
    asks: ({ taskId }) => [
      { path: `${tasks}/${taskId}/approvals`, body: { version: 'c0'.repeat(20) } },
    ],
    own: 403,
    needs: 'key',
  },
  'POST /api/v1/agent/batches/:batchId/approvals': {
    asks: ({ batchId }) => [
      { path: `${batches}/${batchId}/approvals`, body: { version: 'c0'.repeat(20) } },
    ],
    own: 403,
    needs: 'key',
  },
  'POST /shared/:shareId': {
    asks: ({ shareId }, { shareKey }) => [
      { path: `/shared/${shareId}`, body: { key: shareKey, limit: 1 } },
      { path: `/shared/${shareId}`, body: { key: 'made-up' } },
    ],
    own: 200,
    needs: 'session',
  },
  'POST /shared/:shareId/reviews': {
    asks: ({ shareId }, { shareKey }) => [
      { path: `/shared/${shareId}/reviews`, body: { key: shareKey } },
      { path: `/shared/${shareId}/reviews`, body: { key: 'made-up' } },
    ],
    own: 200,
    needs: 'session',
  },
  'POST /shared/:shareId/marks': {
    asks: ({ shareId }, { shareKey }) => [
      {
        path: `/shared/${shareId}/marks`,
        body: {
          key: shareKey,
          name: 'Ann',
          mark: 'none',
          pages: [{ slug: '/', version: 'c0'.repeat(20) }],
        },
      },
    ],
    own: 404,
    needs: 'session',
  },
  'POST /shared/:shareId/comments': {
    asks: ({ shareId }, { shareKey }) => [
      {
        path: `/shared/${shareId}/comments`,
        body: { key: shareKey, name: 'Ann', slug: '/', text: 'x' },
      },
    ],
    own: 404,
    needs: 'session',
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
  'GET /edit/:taskId/.crop': ofPage('.crop', 200),
  'PUT /edit/:taskId/.page': ofPage('.page', 412, { digest: '0'.repeat(64), texts: { t: ['x'] } }),
  'POST /edit/:taskId/.notes': ofPage('.notes', 200, { state: 'done', notes: ['unknown'] }),
  'GET /api/v1/shares': {
    asks: ({ batchId }) => [
      { path: '/api/v1/shares' },
      { path: '/api/v1/shares?access=view' },
      { path: `/api/v1/shares?batchId=${batchId}` },
    ],
    own: 200,
    needs: 'key',
  },
  'DELETE /api/v1/shares/:shareId': {
    asks: ({ shareId }) => [{ path: `/api/v1/shares/${shareId}` }],
    own: 204,
    later: 404,
    needs: 'key',
  },
  'GET /account/shared/:shareId': {
    asks: ({ viewShareId }) => [{ path: `/account/shared/${viewShareId}` }],
    own: 200,
    needs: 'person',
  },
  // a link edits, and does not publish
  'POST /edit/:taskId/.publish': {
    asks: ({ taskId }) => [{ path: `/edit/${taskId}/.publish`, body: {} }],
    own: 403,
    needs: 'session',
  },
  'GET /edit/:taskId/.publish': {
    asks: ({ taskId }) => [{ path: `/edit/${taskId}/.publish` }],
    own: 403,
    needs: 'session',
  },
  'GET /edit/:taskId/.publish/:publishId': {
    asks: ({ taskId }) => [{ path: `/edit/${taskId}/.publish/${taskId}` }],
    own: 403,
    needs: 'session',
  },
  // the last that works on the owners' task: nobody can edit it after that
  'DELETE /api/v1/agent/tasks/:taskId/preview': ofTask('/preview', 204),
  // the signature lets a forge in, no key does: the owners' site is answered like one of nobody
  'POST /api/v1/webhooks/forges/:siteId': {
    asks: ({ siteId }) => [{ path: `/api/v1/webhooks/forges/${siteId}`, body: {} }],
    own: 401,
    needs: 'nothing',
  },
  'GET /edit/:taskId{/{*path}}': {
    asks: ({ taskId }) => [{ path: `/edit/${taskId}` }, { path: `/edit/${taskId}/locations/rome` }],
    own: 200,
    needs: 'nothing',
  },
  // before all keys, since a key's last use differs from request to request
  'GET /api/v1/keys': {
    asks: () => [
      {
        path: `/api/v1/keys?cursor=${timeCursor.at({ at: '2000-01-01T00:00:00.000Z', id: nobodys })}`,
      },
    ],
    own: 200,
    needs: 'key',
  },
  // wrong bodies, since each key and each secret is another one
  'POST /api/v1/keys': {
    asks: ({ keyId }) => [{ path: '/api/v1/keys', body: { name: 'w', role: 'member', keyId } }],
    own: 400,
    needs: 'key',
  },
  'POST /api/v1/callback-secret/rotate': {
    asks: ({ organizationId }) => [
      { path: '/api/v1/callback-secret/rotate', body: { organizationId } },
    ],
    own: 400,
    needs: 'key',
    least: 'admin',
  },
  'POST /api/v1/callbacks/test': {
    asks: () => [{ path: '/api/v1/callbacks/test', body: { url: 'ftp://127.0.0.1/hook' } }],
    own: 400,
    needs: 'key',
  },
  'POST /api/v1/keys/:keyId/rotate': {
    asks: ({ keyId }) => [
      { path: `/api/v1/keys/${keyId}/rotate`, body: { overlapHours: 1 } },
      { path: `/api/v1/keys/${keyId}/rotate` },
    ],
    own: 201,
    needs: 'key',
  },
  'DELETE /api/v1/keys/:keyId': {
    asks: ({ keyId }) => [
      { path: `/api/v1/keys/${keyId}` },
      { path: `/api/v1/keys/${keyId.toUpperCase()}` },
    ],
    own: 204,
    needs: 'key',
  },
  'GET /api/v1/assistants': ofPeople('member', '/assistants', 200),
  'DELETE /api/v1/assistants/:assistantId': {
    asks: ({ assistantId }) => [
      { path: `/api/v1/assistants/${assistantId}` },
      { path: `/api/v1/assistants/${assistantId.toUpperCase()}` },
    ],
    own: 204,
    needs: 'key',
    succeeds: 'admin',
    later: 404,
  },
  'GET /api/v1/webhook-endpoints': ofPeople('admin', '/webhook-endpoints', 200),
  'POST /api/v1/webhook-endpoints': ofPeople('admin', '/webhook-endpoints', 400, {
    url: 'ftp://127.0.0.1/hook',
    description: 'Walked',
    eventTypes: ['task.failed'],
  }),
  'GET /api/v1/webhook-endpoints/:endpointId': ofEndpoint(''),
  'PATCH /api/v1/webhook-endpoints/:endpointId': ofEndpoint('', { enabled: false }),
  'DELETE /api/v1/webhook-endpoints/:endpointId': ofEndpoint(''),
  'POST /api/v1/webhook-endpoints/:endpointId/rotate': ofEndpoint('/rotate'),
  'POST /api/v1/webhook-endpoints/:endpointId/test': ofEndpoint('/test'),
  'GET /api/v1/webhook-endpoints/:endpointId/deliveries': ofEndpoint('/deliveries'),
  'POST /api/v1/webhook-endpoints/:endpointId/deliveries/:deliveryId/redeliver': ofEndpoint(
    `/deliveries/${nobodys}/redeliver`,
  ),
  'GET /api/v1/callback-secret': ofPeople('admin', '/callback-secret', 200),
  'GET /api/v1/audit': ofPeople('admin', '/audit', 200),
  'GET /api/v1/usage': ofPeople('admin', '/usage', 200),
  ...Object.fromEntries(
    ['/', '/sign-in', '/sign-up', '/welcome', '/connect', '/callbacks'].map((path) => [
      `GET ${path}`,
      open(path),
    ]),
  ),
  'GET /sites{/*path}': open('/sites'),
  'GET /tasks{/*path}': open('/tasks/bg-1'),
  'GET /batches{/*path}': open('/batches/bg-1'),
  'GET /settings{/*path}': open('/settings/keys'),
  'GET /invitations/:id': open('/invitations/x'),
  'GET /shared/:id': open('/shared/x'),
  'GET /console/:file': without('/console/none.js', 404),
  'GET /edit/assets/:file': without('/edit/assets/none.js', 404),
  'GET /api/v1/organization': ofPeople('member', '/organization', 200),
  'PATCH /api/v1/organization': ofPeople('owner', '/organization', 200, { name: 'Walked' }),
  'GET /api/v1/members': ofPeople('member', '/members', 200),
  'PATCH /api/v1/members/:memberId': ofPeople('admin', '/members/:memberId', 200, {
    role: 'member',
  }),
  'DELETE /api/v1/members/:memberId': {
    ...ofPeople('member', '/members/:memberId', 204),
    succeeds: 'admin',
  },
  'GET /api/v1/invitations': ofPeople('admin', '/invitations', 200),
  // no address, since each invitation has another id
  'POST /api/v1/invitations': ofPeople('admin', '/invitations', 400, { role: 'viewer' }),
  'GET /account/invitations/:id': without(`/account/invitations/${nobodys}`, 404),
  'POST /account/invitations/:id/accept': ofPerson(`/account/invitations/${nobodys}/accept`, 404),
  'DELETE /api/v1/invitations/:invitationId': ofPeople('admin', '/invitations/:invitationId', 204),
  'GET /account/options': without('/account/options', 200),
  'GET /account': ofPerson('/account', 200, () => undefined),
  'GET /account/shared': {
    asks: ({ organizationId }) => [{ path: `/account/shared?organizationId=${organizationId}` }],
    own: 200,
    needs: 'person',
  },
  'POST /account/key': {
    ...ofPerson('/account/key', 200, ({ organizationId }) => ({ organizationId })),
    least: 'member',
  },
  'GET /account/event-mails': ofPerson('/account/event-mails', 200, () => undefined),
  'POST /account/event-mails': ofPerson('/account/event-mails', 200, () => ({ areWanted: true })),
  'POST /account/organizations': ofPerson('/account/organizations', 400),
  // nobody's id: whoever leaves is gone for the rest of the walk
  'POST /account/organizations/:organizationId/leave': ofPerson(
    `/account/organizations/${nobodys}/leave`,
    404,
  ),
  'POST /account/link': without('/account/link', 404, { token: 'made-up' }),
  'POST /account/link/check': without('/account/link/check', 404, { token: 'made-up' }),
  'POST /account/link/request': without('/account/link/request', 202, {
    email: 'walked@example.com',
  }),
  'POST /auth/sign-up/email': without('/auth/sign-up/email', 403, {
    name: 'Walked',
    email: 'walked@example.com',
    password: 'walked by strangers',
  }),
  'POST /auth/sign-in/email': without('/auth/sign-in/email', 401, {
    email: 'walked@example.com',
    password: 'walked by strangers',
  }),
  'POST /auth/sign-in/social': without('/auth/sign-in/social', 404, { provider: 'oidc' }),
  'GET /auth/callback/oidc': without('/auth/callback/oidc', 404),
  'POST /auth/sign-out': without('/auth/sign-out', 200, {}),
  'POST /auth/change-password': ofPerson('/auth/change-password', 400),
  'POST /auth/revoke-sessions': ofPerson('/auth/revoke-sessions', 200),
  'GET /docs': open('/docs'),
  'GET /docs/page.css': open('/docs/page.css'),
  'GET /docs/page.js': open('/docs/page.js'),
  'GET /docs/swagger-ui.css': open('/docs/swagger-ui.css'),
  'GET /docs/swagger-ui-bundle.js': open('/docs/swagger-ui-bundle.js'),
  'GET /docs/:name': open('/docs/prompts'),
  'GET /docs/images/:name': open('/docs/images/template-and-page.png'),
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
