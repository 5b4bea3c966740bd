import { randomBytes } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import Koa from 'koa';
import type { ResultCommit } from '../../../../src/contract/site.ts';
import type { ApiState } from '../../../../src/api/context.ts';
import { compression } from '../../../../src/api/middleware/compression.ts';
import { createSiteHosting } from '../../../../src/hosting/hosting.ts';
import { createSiteHosts } from '../../../../src/hosting/hosts.ts';
import { createDiskCopies } from '../../../../src/hosting/embedded/diskCopies.ts';
import { serveSites } from '../../../../src/hosting/embedded/serveSites.ts';
import { createOrganizations } from '../../../../src/organizations/organizations.ts';
import { createSites } from '../../../../src/organizations/sites.ts';
import { createRepositories } from '../../../../src/sites/git/repositories.ts';
import { createDeployments } from '../../../../src/storage/deployments.ts';
import { testDatabase } from '../../../helpers/database.ts';
import { task, Workplace } from '../../../helpers/team/workplace.ts';
import { request } from './rawHttp.ts';
import { testPages } from '../../../helpers/threads.ts';
import { testLauncher } from '../../../helpers/launcher.ts';

const DAY = 86_400_000;
const newTaskId = () => `bg-${randomBytes(11).toString('hex')}`;

/**
 * A site with a real remote and database, and the embedded host on a free port. `own` answers for
 * our own hosts.
 */
export async function startHost(options: { publicUrl?: string } = {}) {
  const team = new Workplace();
  const db = await testDatabase();
  const repositories = createRepositories({
    dataDir: join(team.folder, 'service'),
    launcher: testLauncher,
  });
  const organization = await createOrganizations(db).create({ name: 'Acme' });
  const sites = createSites(db);
  const { organizationId } = organization;
  const repository = { url: team.url, branch: 'main', root: '' };
  const site = await sites.create({ organizationId, name: 'Acme', repository });

  const app = new Koa<ApiState>();
  const deployments = createDeployments(db, { previewRetention: 30 });
  const domains = { sitesDomain: 'sites.localhost', previewDomain: 'preview.localhost' };
  let port = 0;
  const publicUrl = () => new URL(options.publicUrl ?? `http://localhost:${port}`);
  const copies = await createDiskCopies({
    folder: join(team.folder, 'served'),
    hasRoom: () => Promise.resolve(true),
  });
  const deps = {
    ...domains,
    pages: testPages,
    copies,
    sites,
    deployments,
    repositories,
    publicUrl,
  };
  const hosts = createSiteHosts(deps);
  app.use(compression());
  app.use(serveSites(deps));
  app.use((ctx) => void (ctx.body = 'own'));
  const server = app.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  ({ port } = server.address() as AddressInfo);

  return {
    team,
    port,
    site,
    sites,
    deployments,
    repositories,
    copies,
    organizationId,
    app,
    repository: repositories.open({ ...site, repository }),
    hosts,
    hosting: createSiteHosting({ hosts, deployments, repositories }),
    /** Another process of the service, with repositories of its own. */
    hostingElsewhere: () => {
      const others = createRepositories({
        dataDir: join(team.folder, 'elsewhere'),
        launcher: testLauncher,
      });
      const hosting = createSiteHosting({ hosts, deployments, repositories: others });
      return { hosting, repositories: others, close: () => others.close() };
    },
    /** Lets a preview be older than it is. */
    agePreview: (taskId: string, days: number) =>
      db
        .updateTable('preview_deployments')
        .set({ changed_at: new Date(Date.now() - days * DAY) })
        .where('task_id', '=', taskId)
        .execute(),
    /** Requests the live site. */
    live: (target: string, headers: Record<string, string> = {}, method = 'GET') =>
      request(
        port,
        target,
        [['Host', `${site.label}.sites.localhost:${port}`], ...Object.entries(headers)],
        method,
      ),
    preview: (
      taskId: string,
      target: string,
      headers: Record<string, string> = {},
      method = 'GET',
    ) =>
      request(
        port,
        target,
        [['Host', `${taskId}--${site.label}.preview.localhost`], ...Object.entries(headers)],
        method,
      ),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await copies.close();
      await repositories.close();
      await team.remove();
    },
  };
}

export type Host = Awaited<ReturnType<typeof startHost>>;

/** Commits files as a task, without publishing. */
export async function commitTask(
  host: Host,
  files: Record<string, string | null>,
  taskId = newTaskId(),
  baseResult?: ResultCommit,
) {
  const base = await host.repository.fetchBase(taskId, baseResult);
  const commit = await host.repository.commitTask(task(taskId, base, files));
  return { taskId, base, commit, retainedBy: taskId };
}

/** The pages of some files, by the names of the files. */
export const pagesOf = (paths: string[]) =>
  paths.map((path) => ({ slug: `/${path.replace(/\.html$/, '')}`, path }));
