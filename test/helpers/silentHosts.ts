import { basename, dirname } from 'node:path';
import type { Authority } from './certificates.ts';
import { hangingServer } from './hangingServer.ts';
import { answerOf } from './operator.ts';
import type { Service } from './service.ts';
import { serveHttps } from './team/httpsRemote.ts';
import { TeamRepository } from './team/repository.ts';
import { demoPages } from './team/site.ts';
import { until } from './until.ts';

const root = '/api/v1/repos/team/site';
/** What a Gitea answers where nothing was reported, by path (https://docs.gitea.com/api/). */
const answers: [RegExp, object][] = [
  [/^$/, { archived: false, has_pull_requests: true, permissions: { push: true } }],
  [/^\/branches\//, { protected: false, user_can_push: true, user_can_merge: true }],
  [/^\/(?:commits|pulls)/, []],
];

/** Sites whose hosts never say that a page is online. */
export interface SilentHosts {
  /** The forge reports nothing of the first's commits; of the second, pages never answer. */
  siteIds: [string, string];
  /** Creates tasks of one page, and waits until each waits for its host. @returns their ids */
  wait(count: number): Promise<string[]>;
  /** Cancels tasks, and waits for their end. */
  cancel(taskIds: string[]): Promise<void>;
  close(): Promise<void>;
}

/**
 * Serves a repository and the API of a Gitea that has no statuses, and registers both sites.
 * @param service trusts the authority, and allows private addresses
 */
export async function startSilentHosts(
  service: Service,
  authority: Authority,
): Promise<SilentHosts> {
  const { remote } = new TeamRepository(demoPages);
  const certificate = await authority.issue({ ip: ['127.0.0.1'] });
  const forge = await serveHttps(dirname(remote), certificate, (request, response) => {
    const path = request.url!.split('?', 1)[0]!;
    if (!path.startsWith(root)) return false;
    const answer = answers.find(([asked]) => asked.test(path.slice(root.length)))?.[1] ?? {};
    // a pull request of a branch into itself, which the check asks for
    const status = request.method === 'GET' ? 200 : 422;
    response.writeHead(status, { 'content-type': 'application/json' });
    return !!response.end(JSON.stringify(answer));
  });
  const hanging = await hangingServer();
  const { host } = new URL(hanging.url);
  const owner = ['--organization', service.demo.organizationId, '--name', 'silent'];
  const { apiKey } = await answerOf(service.dataDir, 'key', 'create', ...owner, '--role', 'admin');
  const headers = {
    authorization: `Bearer ${String(apiKey)}`,
    'content-type': 'application/json',
  };

  async function register(name: string, settings: object): Promise<string> {
    const url = `${forge.url}/${encodeURIComponent(basename(remote))}`;
    const credential = { type: 'token', token: 'a-token' };
    const place = { forge: 'gitea', apiUrl: `${forge.url}/api/v1`, project: 'team/site' };
    const own = { type: 'own', ...place, publish: 'push', ...settings };
    const body = { name, repository: { url, credential }, host: own };
    const made = await service.request('POST', '/api/v1/sites', {
      headers,
      body: JSON.stringify(body),
    });
    if (made.status !== 201) throw new Error(made.text);
    return (made.json as { siteId: string }).siteId;
  }

  const close = async () => {
    await forge.close();
    await hanging.close();
  };
  const siteIds: SilentHosts['siteIds'] = ['', ''];
  try {
    siteIds[0] = await register('Silent', { hosts: ['*.pages.example'] });
    const previewUrl = `https://${host}/{branch}`;
    siteIds[1] = await register('Hanging', { hosts: [host], previewUrl });
  } catch (error) {
    await close();
    throw error;
  }
  let towns = 0;
  const create = (siteId: string) => {
    const slug = `/locations/silent-${++towns}`;
    const item = { targetPageSlug: slug, context: `City: Silent ${towns}` };
    const templatePageSlug = '/locations/austin';
    return service.createTask({
      siteId,
      command: 'generate_pages',
      templatePageSlug,
      items: [item],
    });
  };
  async function waits(taskId: string): Promise<boolean> {
    const task = await service.readTask(taskId);
    if (task.status !== 'running') throw new Error(JSON.stringify(task));
    return task.progress?.waitingFor !== undefined;
  }
  return {
    siteIds,
    async wait(count) {
      const taskIds = [];
      for (let n = 0; n < count; n++) taskIds.push(await create(siteIds[n % siteIds.length]!));
      for (const taskId of taskIds)
        await until(`${taskId} to wait for its host`, () => waits(taskId), 300_000, 500);
      return taskIds;
    },
    async cancel(taskIds) {
      for (const taskId of taskIds) await service.client.tasks.cancel(taskId);
      await Promise.all(taskIds.map((taskId) => service.waitForTask(taskId)));
    },
    close,
  };
}
