import { expect } from 'chai';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { json, type Script, type Scripted, startScripted } from './scriptedServer.ts';

describe('the command of the client', () => {
  let server: Scripted;
  const start = async (script: Script) => (server = await startScripted(script));
  afterEach(() => server.close());

  function run(args: string[]) {
    const env = { ...process.env, AGENT_TASKS_URL: server.baseUrl, AGENT_TASKS_API_KEY: 'ats_key' };
    return spawn(process.execPath, ['client/src/cli.ts', ...args], { env, stdio: 'pipe' });
  }
  async function endOf(program: ReturnType<typeof run>) {
    const err = program.stderr.toArray();
    const [code] = (await once(program, 'close')) as [number];
    return { code, err: (await err).join('') };
  }

  it('refuses what is too much', async () => {
    await start((response) => json(response, 200, {}));
    for (const [args, says] of [
      [['list', 'failed'], 'list takes only options, not also "failed"'],
      [['create', 'Polish it', '--site', 's'], 'create takes only options, not also "Polish it"'],
      [['cancel', 'bg-1', 'bg-2'], 'cancel takes the id of one task, not also "bg-2"'],
    ] as const)
      expect(await endOf(run([...args]))).to.deep.equal({ code: 2, err: `${says}\n` });
    expect(server.asked).to.have.length(0);
  });

  it('ends quietly where nobody reads on', async () => {
    const tasks = [{ taskId: 'bg-1', status: 'running', title: 'A'.repeat(10_000) }];
    await start((response) => json(response, 200, { tasks, nextCursor: 'more' }));
    const program = run(['list', '--limit', '1000000']);
    program.stdout.once('data', () => program.stdout.destroy());
    expect(await endOf(program)).to.deep.equal({ code: 0, err: '' });
  });
});
