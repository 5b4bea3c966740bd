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
      [['answer', 'bg-1'], 'answer needs a text'],
      [['answer', 'bg-1', 'a', 'b'], 'answer takes the id of one task and one text, not also "b"'],
    ] as const)
      expect(await endOf(run([...args]))).to.deep.equal({ code: 2, err: `${says}\n` });
    expect(server.asked).to.have.length(0);
  });

  it('answers what a task asks, and tells the question to who waits', async () => {
    const waitingFor = { questionId: 'q1', question: 'Which?', options: ['a', 'b'], since: 'x' };
    const head = { taskId: 'bg-1', title: 'A' };
    await start((response, n) =>
      json(
        response,
        200,
        n === 1
          ? { ...head, status: 'running', progress: { phase: 'working', waitingFor } }
          : { ...head, status: 'failed', errorMessage: 'No' },
        { 'Preference-Applied': 'wait=30' },
      ),
    );
    const args = ['answer', 'bg-1', 'Both of them', '--question', 'q1'];
    expect(await endOf(run(args))).to.deep.equal({ code: 0, err: '' });
    const [sent] = server.asked;
    expect(sent).to.include({ method: 'POST', path: '/api/v1/agent/tasks/bg-1/answer' });
    expect(JSON.parse(sent!.body)).to.deep.equal({ answer: 'Both of them', questionId: 'q1' });
    const { code, err } = await endOf(run(['wait', 'bg-1']));
    expect(code).to.equal(1);
    expect(err).to.contain('? q1: Which?').and.contain('agent-tasks answer bg-1 TEXT');
  });

  it('ends quietly where nobody reads on', async () => {
    const tasks = [{ taskId: 'bg-1', status: 'running', title: 'A'.repeat(10_000) }];
    await start((response) => json(response, 200, { tasks, nextCursor: 'more' }));
    const program = run(['list', '--limit', '1000000']);
    program.stdout.once('data', () => program.stdout.destroy());
    expect(await endOf(program)).to.deep.equal({ code: 0, err: '' });
  });
});
