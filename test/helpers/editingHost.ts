import { randomUUID } from 'node:crypto';
import type { TaskState } from '../../src/editor/task.ts';
import { createEditor } from '../../src/editor/editor.ts';
import { createGrants } from '../../src/editor/grants.ts';
import { DomainError } from '../../src/errors.ts';
import { serveSites } from '../../src/hosting/embedded/serveSites.ts';
import { createPagesPool } from '../../src/sites/pages/pagesPool.ts';
import { commitTask, startHost } from '../unit/hosting/embedded/host.ts';
import { bearer, keys, startApi } from './api.ts';

/** The API with the editor on a real site with a real remote and previews; a map stands in Temporal's place. */
export async function startEditing() {
  let port = 0;
  const publicUrl = () => new URL(`http://localhost:${port}`);
  const host = await startHost({ get publicUrl() { return publicUrl().href; } }); // prettier-ignore
  await host.team.push({ 'index.html': '<title>Home</title><h1>Home</h1>' });
  const { organizationId } = host;
  const pages = createPagesPool();
  const tasks = new Map<string, TaskState>();
  const disk = { hasRoom: true };
  const clock = { now: () => Date.now() };
  const grants = createGrants(Buffer.alloc(32, 7), () => clock.now());
  const domains = { sitesDomain: 'sites.localhost', previewDomain: 'preview.localhost' };
  const api = await startApi({
    hasRoom: () => Promise.resolve(disk.hasRoom),
    keys: {
      authenticate(token) {
        const identity = { keyId: token, organizationId, role: 'member' as const };
        if (token === keys.foreign) return Promise.resolve({ ...identity, organizationId: randomUUID() });
        return Promise.resolve(token === keys.member ? identity : null);
      },
    },
    editing: { editor: createEditor({ ...host, pages }), grants, findTask, publicUrl },
    serveSites: serveSites({ ...host, ...domains, publicUrl, trustProxy: false }),
  });
  port = api.port;

  async function findTask(organization: string, taskId: string): Promise<TaskState> {
    const task = tasks.get(taskId);
    if (task?.organizationId !== organization) throw new DomainError('NOT_FOUND', 'Task not found');
    return Promise.resolve(task);
  }

  /** A completed task that made these pages: their sources by slug. @returns its taskId */
  async function completeTask(sources: Record<string, string>, assets: Record<string, string> = {}): Promise<string> {
    const created = Object.keys(sources).map((slug) => ({ slug, path: `${slug.slice(1)}.html` }));
    const files = created.map(({ slug, path }) => [path, sources[slug] ?? '']);
    const { taskId, base, commit } = await commitTask(host, {
      ...assets,
      ...(Object.fromEntries(files) as Record<string, string>),
    });
    const deployed = await host.hosting.deployPreview({
      site: host.site,
      taskId,
      commit,
      pages: created,
      heldBy: taskId,
    });
    const pagesCreated = deployed.map(({ slug, url }) => ({
      slug,
      previewUrl: url,
      editUrl: null,
      publishedUrl: null,
    }));
    const output = { pagesCreated, pagesModified: [], pagesDeleted: [] };
    const result = { taskId, base, commit };
    const { siteId } = host.site;
    tasks.set(taskId, {
      taskId,
      organizationId,
      siteId,
      status: 'completed',
      finished: { status: 'completed', output, result },
    });
    return taskId;
  }

  return {
    ...{ api, host, tasks, clock, disk, grants, completeTask, origin: () => publicUrl().origin },
    link: (taskId: string, body: object = {}, key = keys.member) =>
      api.request('POST', `/api/v1/agent/tasks/${taskId}/edit-link`, {
        headers: { ...bearer(key), 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      }),
    async close() {
      await api.close();
      await host.close();
      await pages.close();
    },
  };
}

export type EditingHost = Awaited<ReturnType<typeof startEditing>>;
