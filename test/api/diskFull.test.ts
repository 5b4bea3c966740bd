import { expect } from 'chai';
import { bearer, failingTasks, keys, startApi, taskId, type TestApi } from '../helpers/api.ts';

/** Routes that change something, and need no room for it. */
const needNone = [
  'POST /api/v1/agent/batches/:batchId/cancel',
  'POST /api/v1/agent/batches/:batchId/edit-link',
  'POST /api/v1/agent/batches/:batchId/pause',
  'POST /api/v1/agent/batches/:batchId/skip',
  'POST /api/v1/agent/tasks/:taskId/cancel',
  'POST /api/v1/agent/tasks/:taskId/edit-link',
  'DELETE /api/v1/agent/tasks/:taskId/preview',
  'POST /api/v1/sites/:siteId/edit-link',
  'POST /edit/:taskId/.notes',
  'POST /edit/:taskId/.session',
];
/** What changes rows only. */
const settings =
  /^\w+ \/(auth|account|shared)\b|\/api\/v1\/(keys|callback-secret|callbacks\/test|organization|members|invitations|deploy-keys|shares|webhooks|webhook-endpoints)\b|\/webhook-secret$|^DELETE |^PATCH .*\/notes\b|\/(shares|reviews|approvals)$|\/(tasks|batches)\/check$/;
/** Held to the same in editor.test.ts, as they need a session, and in mcp.test.ts. */
const elsewhere = ['PUT /edit/:taskId/.page', 'POST /edit/:taskId/.publish', 'POST /mcp'];

describe('while the disk is nearly full', () => {
  let api: TestApi;
  let hasRoom: boolean;
  const reached: string[] = [];
  const json = { ...bearer(keys.admin), 'Content-Type': 'application/json' };

  before(async () => {
    const tasks = new Proxy(failingTasks(new Error('not to be reached')), {
      get(target, name) {
        reached.push(String(name));
        return Reflect.get(target, name) as unknown;
      },
    });
    api = await startApi({ hasRoom: () => Promise.resolve(hasRoom), tasks });
  });
  after(() => api.close());
  beforeEach(() => {
    hasRoom = false;
    reached.splice(0);
  });

  it('every route that starts work answers 503 before any work begins', async () => {
    const routes = api.routes.flatMap(({ path, methods }) =>
      methods.map((method) => `${method} ${String(path)}`),
    );
    const changing = routes.filter((route) => !/^(GET|HEAD|OPTIONS) /.test(route));
    const refusing = changing.filter(
      (route) => ![...needNone, ...elsewhere].includes(route) && !settings.test(route),
    );
    expect(refusing).to.have.length(18);
    for (const route of refusing) {
      const ids = {
        siteId: api.site.siteId,
        deploymentId: 'c0'.repeat(20),
        taskId,
        batchId: taskId,
      };
      const [method = '', path = ''] = route
        .replace(/:(\w+)/g, (_, id: keyof typeof ids) => ids[id])
        .split(' ');
      const bodies = /(redeliver|resume)$/.test(path)
        ? [undefined]
        : [
            undefined,
            '{}',
            '{',
            JSON.stringify({ siteId: api.site.siteId, command: 'prompt', prompt: 'Hi' }),
          ];
      for (const body of bodies) {
        const reply = await api.request(method, path, {
          headers: json,
          ...(body !== undefined && { body }),
        });
        const answer = [reply.status, reply.headers.get('retry-after'), reply.code];
        expect(answer, route).to.deep.equal([503, '60', 'DISK_FULL']);
      }
    }
    expect(reached).to.deep.equal([]);
  });

  it('reading and cancelling still work', async () => {
    const paths = [
      ['GET', ''],
      ['GET', '/callback'],
      ['POST', '/cancel'],
    ] as const;
    for (const [method, path] of paths)
      await api.request(method, `/api/v1/agent/tasks/${taskId}${path}`, {
        headers: bearer(keys.member),
      });
    expect(reached).to.deep.equal(['read', 'deliveries', 'cancel']);
  });
});
