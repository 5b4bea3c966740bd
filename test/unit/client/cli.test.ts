import { expect } from 'chai';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { json, type Script, type ScriptedServer, startScripted } from './scriptedServer.ts';

describe('the command of the client', () => {
  let server: ScriptedServer;
  const start = async (script: Script) => (server = await startScripted(script));
  afterEach(() => server.close());

  function run(args: string[], own: Record<string, string> = {}) {
    const settings = { AGENT_TASKS_URL: server.baseUrl, AGENT_TASKS_API_KEY: 'ats_key', ...own };
    const env = { ...process.env, ...settings };
    return spawn(process.execPath, ['client/src/cli.ts', ...args], { env, stdio: 'pipe' });
  }
  async function endOf(program: ReturnType<typeof run>) {
    const err = program.stderr.toArray();
    const [code] = (await once(program, 'close')) as [number];
    return { code, err: (await err).join('') };
  }
  async function outOf(args: string[], input = '') {
    const program = run(args);
    const out = program.stdout.toArray();
    program.stdin.end(input);
    const ended = await endOf(program);
    return { ...ended, out: (await out).join('') };
  }

  it('rejects missing, superfluous and nonsensical arguments without a request', async () => {
    await start((response) => json(response, 200, {}));
    for (const [args, says] of [
      [['list', 'failed'], 'list takes only options, but it also got "failed"'],
      [
        ['create', 'Polish it', '--site', 's'],
        'create takes only options, but it also got "Polish it"',
      ],
      [['cancel', 'bg-1', 'bg-2'], 'cancel takes the id of a task, but it also got "bg-2"'],
      [['answer', 'bg-1'], 'answer needs a text'],
      [
        ['answer', 'bg-1', 'a', 'b'],
        'answer takes the id of a task and a text, but it also got "b"',
      ],
      [['get', 'bg-1', '--publish'], 'get does not have the option --publish'],
      [['list', '--limit', 'x'], '--limit must be a number, not "x"'],
      [['batch'], 'Unknown command "batch". Run agent-tasks --help to list the commands.'],
      [['batch', 'get'], 'batch get needs the id of a batch'],
      [['batch', 'create'], 'batch create needs a CSV file, or - for standard input'],
      [['batch', 'create', 'rows.csv'], '--site is required'],
      [
        ['batch', 'create', 'none.csv', '--site', 's'],
        "ENOENT: no such file or directory, open 'none.csv'",
      ],
      [
        ['batch', 'check', '-', '--site', 's', '--canary', 'x'],
        '--canary must be a number, not "x"',
      ],
      [['batch', 'skip', 'bg-1'], 'batch skip needs --rows'],
      [
        ['batch', 'retry', 'bg-1', '--rows', '3;7'],
        '--rows must be row numbers separated by commas, such as 3,7',
      ],
    ] as const)
      expect(await endOf(run([...args]))).to.deep.equal({ code: 2, err: `${says}\n` });
    expect(server.asked).to.have.length(0);
  });

  it('creates a task from JSON on standard input, and reports problems with it', async () => {
    await start((response) => json(response, 200, { taskId: 'bg-1' }));
    const request = { siteId: 's', prompt: 'für' };
    const created = await outOf(['create'], `\ufeff${JSON.stringify(request)}`);
    expect(created).to.deep.equal({ code: 0, err: '', out: 'bg-1\n' });
    expect(JSON.parse(server.asked[0]!.body)).to.deep.equal(request);
    const wrong = await outOf(['create'], '{"siteId": }');
    expect(wrong.code).to.equal(2);
    expect(wrong.err).to.match(
      /^The request on standard input is not valid JSON: Unexpected token/,
    );
    const none = 'create needs --prompt, or a request in JSON on standard input\n';
    expect(await outOf(['create'], '\n')).to.deep.equal({ code: 2, err: none, out: '' });
  });

  it("answers a task's question, and prints the question while it waits", async () => {
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

  describe('batches', () => {
    const csv = 'targetPageSlug,City\n/a,A\n';
    const counts = { waiting: 0, written: 0, committed: 1, published: 0, held: 0, skipped: 0 };
    const batch = (failed: number, status = 'completed') => ({
      batchId: 'bg-2',
      status,
      title: 'T',
      rows: { ...counts, failed },
    });

    it('are created from a CSV on standard input, and fail if a row fails', async () => {
      let failed = 0;
      await start((response, _, { method }) =>
        json(response, 200, method === 'POST' ? { batchId: 'bg-2' } : batch(failed)),
      );
      const options = ['--site', 's', '--template', '/t', '--publish', '--hold', '--canary', '20'];
      const args = ['batch', 'create', '-', ...options, '--link-from', '/l'];
      expect(await outOf(args, csv)).to.deep.equal({ code: 0, err: '', out: 'bg-2\n' });
      const [sent] = server.asked;
      const query =
        'siteId=s&templatePageSlug=%2Ft&publish=true&onWarnings=hold&canary=20&linkFrom=%2Fl';
      expect([sent!.path, sent!.body]).to.deep.equal([`/api/v1/agent/batches?${query}`, csv]);
      expect(await outOf([...args, '--wait'], csv)).to.deep.equal({
        code: 0,
        err: 'bg-2  running\n',
        out: 'bg-2  completed  T  1 committed\n',
      });
      failed = 2;
      const waited = await outOf(['batch', 'wait', 'bg-2', '--json']);
      expect([waited.code, JSON.parse(waited.out)]).to.deep.equal([1, batch(2)]);
    });
  });

  it('prints the ID of a task before it waits, so that an interrupted task continues', async () => {
    await start((response, n) => {
      if (n === 0) json(response, 200, { taskId: 'bg-1' });
    });
    const program = run(['create', '--site', 's', '--prompt', 'p', '--wait']);
    program.stderr.once('data', () => program.kill('SIGINT'));
    const [code, signal] = (await once(program, 'exit')) as [number | null, string];
    expect([code, signal, server.asked[0]!.method]).to.deep.equal([null, 'SIGINT', 'POST']);
  });
});
