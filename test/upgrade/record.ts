import { Connection } from '@temporalio/client';
import { cpSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setupNamespace } from '../../src/temporal/searchAttributes.ts';
import { temporaryFolder } from '../helpers/database.ts';
import { Service } from '../helpers/service.ts';
import { TeamRepository } from '../helpers/team/repository.ts';
import { demoPages } from '../helpers/team/site.ts';
import type { DemoFile } from '../../src/demo/demoFile.ts';
import { type DatabaseKind, databaseKinds, keepRelease, releaseFiles } from './release.ts';
import { type ReleasedService, startOnRelease } from './releasedService.ts';
import { liveOn } from './story.ts';

/*
 * Records what this version leaves behind, once before it is released: `npm run upgrade:record`. A
 * service on embedded defaults and one on PostgreSQL are killed in the middle of their work.
 */

/** Temporal keeps finished tasks for so long, so that later versions can still read them. */
const RETENTION_DAYS = 36_500;

const packagePath = new URL('../../package.json', import.meta.url);
const { version } = JSON.parse(readFileSync(packagePath, 'utf8')) as { version: string };

async function recordRelease(kind: DatabaseKind): Promise<void> {
  await using resources = new AsyncDisposableStack();
  const folder = resources.adopt(temporaryFolder(), (made) => made.remove()).path;
  const released = await startOnRelease(kind, folder, { hasDump: false, resources });
  const { data } = releaseFiles(folder);
  await extendRetention(data);
  const owner = kind === 'embedded' ? readDemo(data) : await createOwner(folder, released);
  const { process, baseUrl, postgres, operate } = released;
  const service = new Service(data, { ...owner, baseUrl }, process);
  const record = { owner, ...(await liveOn(service, operate)) };
  await process.killAll();
  const dump = 'pg_dump -h localhost -U postgres --no-owner >database.sql';
  await postgres?.execute(dump, folder);
  await keepRelease(version, kind, { folder, record });
}

const readDemo = (data: string) =>
  JSON.parse(readFileSync(join(data, 'demo.json'), 'utf8')) as DemoFile;

/** Creates an organization with a key and a site, as an operator does where there is no demo. */
async function createOwner(
  folder: string,
  { operate }: ReleasedService,
): Promise<Omit<DemoFile, 'baseUrl'>> {
  const { repository } = releaseFiles(folder);
  const team = new TeamRepository(demoPages);
  cpSync(team.remote, repository, { recursive: true });
  rmSync(team.folder, { recursive: true });
  const { organizationId } = await operate('organization', 'create', '--name', 'Acme');
  const owner = ['--organization', organizationId!];
  const { apiKey } = await operate('key', 'create', ...owner, '--role', 'member', '--name', 'CRM');
  const site = ['--name', 'acme', '--repository', repository];
  const { siteId } = await operate('site', 'create', ...owner, ...site);
  return { organizationId: organizationId!, apiKey: apiKey!, siteId: siteId! };
}

async function extendRetention(dataDir: string): Promise<void> {
  const pidFile = readFileSync(join(dataDir, 'temporal.pid.json'), 'utf8');
  const { port } = JSON.parse(pidFile) as { port: number };
  const connection = await Connection.connect({ address: `127.0.0.1:${port}` });
  const namespace = 'agent-tasks';
  await setupNamespace(connection, { namespace, retentionDays: RETENTION_DAYS });
  await connection.close();
}

for (const kind of databaseKinds) {
  await recordRelease(kind);
  console.log(`Recorded ${version}, ${kind}`);
}
