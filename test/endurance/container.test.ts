// Takes long: it starts the whole service, and runs a task to its end.
import { expect } from 'chai';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { request } from 'undici';
import type { TaskView } from '../../src/contract/task.ts';
import { findCli } from '../../src/temporal/server/cliBinary.ts';
import { parseCompose } from '../helpers/compose.ts';
import { containerOf, imageCommand } from '../helpers/container.ts';
import { temporaryFolder } from '../helpers/database.ts';
import { read } from '../helpers/documents.ts';
import { answerOf } from '../helpers/operator.ts';
import { freePort } from '../helpers/ports.ts';
import { programsBelow } from '../helpers/processes.ts';
import { needProgram } from '../helpers/programs.ts';
import { endServices, launchService, type Service } from '../helpers/service.ts';
import { citiesBody, removeTeamSites, TeamSite } from '../helpers/team/site.ts';
import { until } from '../helpers/until.ts';
import { outputOf } from '../helpers/views.ts';

const READY_WITHIN_MS = 120_000;
const names = {
  PUBLIC_URL: 'https://api.example.com',
  SITES_DOMAIN: 'acme-sites.example',
  PREVIEW_DOMAIN: 'acme-previews.example',
};
const { api } = parseCompose(read('docker-compose.yml'), {
  ...names,
  DATABASE_PASSWORD: 'x',
}).services;

describe('the image in a container as in the compose file, with bubblewrap in place of Docker', function () {
  this.timeout(300_000);
  const folder = temporaryFolder();
  let launched: ReturnType<typeof launchService>;
  let port: number;
  let site: TeamSite;
  let apiKey: string;
  let siteId: string;

  before(async function () {
    needProgram(this, 'bubblewrap');
    port = await freePort();
    site = new TeamSite({ port } as Service, 'acme');
    const cli = await findCli();
    // the embedded parts in place of a cluster; and tests open no port but on loopback
    const embedded = {
      TEMPORAL_CLI_PATH: '/opt/bin/temporal',
      TEMPORAL_PORT: '0',
    };
    const env = { ...names, ...embedded, PORT: String(port), HOST: '127.0.0.1' };
    const mounts = { [site.folder]: site.folder, '/opt/bin': dirname(cli) };
    const sandbox = containerOf(api!, { volume: folder.path, env, mounts });
    launched = launchService({ dataDir: folder.path, command: [...sandbox, ...imageCommand()] });
    await launched.ready(READY_WITHIN_MS);
  });
  after(async function () {
    await endServices(this.currentTest);
    removeTeamSites();
    folder.remove();
  });

  async function ask<Json>(
    path: string,
    host: string,
    method: 'GET' | 'POST' = 'GET',
    body?: object,
  ) {
    const headers = { host, authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' };
    const sent = body && { body: JSON.stringify(body) };
    const reply = await request(`http://127.0.0.1:${port}${path}`, { method, headers, ...sent });
    const text = await reply.body.text();
    return { status: reply.statusCode, text, json: () => JSON.parse(text) as Json };
  }

  it('runs a task from its creation to its preview and its live page', async () => {
    const { organizationId } = await answerOf(
      folder.path,
      'organization',
      'create',
      '--name',
      'Acme',
    );
    const owner = ['--organization', organizationId as string, '--name', 'acme'];
    apiKey = (await answerOf(folder.path, 'key', 'create', ...owner, '--role', 'member'))
      .apiKey as string;
    const made = await answerOf(
      folder.path,
      'site',
      'create',
      ...owner,
      '--repository',
      site.remote,
    );
    siteId = made.siteId as string;
    const body = { siteId, ...citiesBody(['Rome'], { publish: true }) };
    const created = await ask<{ taskId: string }>('/api/v1/agent/tasks', 'localhost', 'POST', body);
    expect(created.status, created.text).to.equal(200);
    const { taskId } = created.json();
    const view = await until('the end of the task', async () => {
      const now = (await ask<TaskView>(`/api/v1/agent/tasks/${taskId}`, 'localhost')).json();
      return now.status === 'running' ? undefined : now;
    });
    const [page] = outputOf(view).pagesCreated;
    const { host, pathname } = new URL(page!.previewUrl!);
    for (const at of [host, `acme.${names.SITES_DOMAIN}`]) {
      const { status, text } = await ask(pathname, at);
      expect([at, status, text.includes('Rome')]).to.deep.equal([at, 200, true]);
    }
    const console = await ask('/sign-in', 'localhost');
    expect([console.status, console.text.slice(0, 15)]).to.deep.equal([200, '<!doctype html>']);
  });

  it('could write every file that it wanted to write', () => {
    expect(launched.log()).to.not.match(/EROFS|EACCES|EPERM|[Rr]ead-only file system/);
  });

  it('has no capability in any process, and can get none', () => {
    const programs = programsBelow(launched.pid);
    expect(programs.map(({ command }) => command).join('\n')).to.match(
      /src\/main\.ts[^]*start-dev/,
    );
    for (const { pid, command } of programs) {
      const status = readFileSync(`/proc/${pid}/status`, 'utf8');
      const rights = [...status.matchAll(/^(?:Cap(?:Prm|Eff|Bnd|Amb)|NoNewPrivs):\t(.*)$/gm)].map(
        ([, value]) => value,
      );
      expect(rights, command).to.deep.equal([...Array<string>(4).fill('0'.repeat(16)), '1']);
    }
  });

  it('can write only to its volume and to memory', () => {
    const paths = [
      '/app',
      '/app/src',
      '/app/node_modules',
      '/home/node',
      '/etc',
      '/usr',
      '/opt',
      '/',
    ];
    const writable = ['/tmp', '/app/.cache', '/var/lib/agent-tasks'];
    const script = `id -u; for path in ${[...paths, ...writable].join(' ')}; do touch $path/x 2>/dev/null && echo $path; done; true`;
    const [program, ...words] = containerOf(api!, { volume: folder.path });
    const { stdout } = spawnSync(program, [...words, 'sh', '-c', script], { encoding: 'utf8' });
    expect(stdout.trim().split('\n')).to.deep.equal(['1000', ...writable]);
  });
});
