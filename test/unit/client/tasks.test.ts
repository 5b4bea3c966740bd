import { expect } from 'chai';
import type { ServerResponse } from 'node:http';
import { AgentTasksError, WaitTimeoutError } from '../../../client/src/index.ts';
import { json, type Script, type ScriptedServer, startScripted } from './scriptedServer.ts';

const taskId = 'bg-9l00ic0rmn9rfdhuo4s2eo';
const running = { taskId, status: 'running', title: 'A' };
const failed = { taskId, status: 'failed', title: 'A', errorMessage: 'No such page' };
const waited = { 'Preference-Applied': 'wait=30' };

describe('tasks of the client', () => {
  let server: ScriptedServer;
  const start = async (script: Script) => (server = await startScripted(script));
  afterEach(() => server.close());

  it('wait for the end of a task with long polls', async () => {
    const asked: number[] = [];
    const answered: number[] = [];
    await start((response, n) => {
      asked.push(performance.now());
      setTimeout(() => {
        json(response, 200, n < 2 ? running : failed, waited);
        answered.push(performance.now());
      }, 600);
    });
    expect(await server.client().tasks.waitFor(taskId)).to.deep.equal(failed);
    // A pause of 2 s would be in both gaps. A busy machine is unlikely to make two.
    const gaps = asked.slice(1).map((at, i) => at - answered[i]!);
    expect(Math.min(...gaps)).to.be.below(1_900);
    expect(server.asked.map(({ path, headers }) => [path, headers['prefer']])).to.deep.equal(
      [1, 30, 30].map((seconds) => [`/api/v1/agent/tasks/${taskId}`, `wait=${seconds}`]),
    );
  });

  const away = (response: ServerResponse) => json(response, 503, {}, { 'Retry-After': '0' });

  it('keep waiting for a known task while the service restarts', async () => {
    await start((response, n) => {
      if (n === 0 || n > 8) json(response, 200, n === 0 ? running : failed, waited);
      else away(response);
    });
    expect(await server.client().tasks.waitFor(taskId)).to.deep.equal(failed);
    await server.close();
    await start(away);
    const error: unknown = await server
      .client()
      .tasks.waitFor(taskId)
      .catch((error: unknown) => error);
    expect(error).to.include({ status: 503 });
    expect(server.asked).to.have.length(4);
  });

  it('end with the reason of a signal, whatever they wait for', async () => {
    for (const script of [
      () => undefined,
      away,
      (response: ServerResponse) => json(response, 200, running, waited),
      (response: ServerResponse) => void response.writeHead(200).write('{"taskId"'),
    ]) {
      await start(script);
      const reason = new Error('No longer needed');
      const end = new AbortController();
      const waiting = server
        .client({ maxRetries: 1e6 })
        .tasks.waitFor(taskId, { signal: end.signal })
        .catch((error: unknown) => error);
      while (server.asked.length === 0) await new Promise(setImmediate);
      setTimeout(() => end.abort(reason), 20);
      expect(await waiting).to.equal(reason);
      await server.close();
    }
    await start(() => undefined);
  });

  it('have a request for each read of a task, and for each command', async () => {
    await start((response, _, { method }) =>
      method === 'DELETE' ? response.writeHead(204).end() : json(response, 200, {}),
    );
    const { tasks } = server.client();
    await tasks.diff(taskId);
    await tasks.checkPublish(taskId);
    await tasks.editLink(taskId, { slug: '/a' });
    await tasks.share(taskId, { access: 'view', days: 7 });
    await tasks.settleNotes(taskId, { state: 'kept', page: '/a' });
    await tasks.dropNotes(taskId, { kind: 'price' });
    await tasks.versions(taskId);
    await tasks.undoVersion(taskId, { version: 2 });
    await tasks.update(taskId, { conflicts: 'own' });
    await tasks.deletePreview(taskId);
    const path = `/api/v1/agent/tasks/${taskId}`;
    expect(server.asked.map((one) => [one.method, one.path, one.body])).to.deep.equal([
      ['GET', `${path}/diff`, ''],
      ['GET', `${path}/publish`, ''],
      ['POST', `${path}/edit-link`, '{"slug":"/a"}'],
      ['POST', `${path}/shares`, '{"access":"view","days":7}'],
      ['PATCH', `${path}/notes`, '{"state":"kept","page":"/a"}'],
      ['POST', `${path}/notes/drop`, '{"kind":"price"}'],
      ['GET', `${path}/versions`, ''],
      ['POST', `${path}/versions/undo`, '{"version":2}'],
      ['POST', `${path}/versions/update`, '{"conflicts":"own"}'],
      ['DELETE', `${path}/preview`, ''],
    ]);
  });

  describe('that ask questions', () => {
    const question = { questionId: 'q1', question: 'Which?', options: ['a'], since: 'x' };
    const asks = { ...running, progress: { phase: 'working', waitingFor: question } };
    const posts = () => server.asked.filter(({ method }) => method === 'POST');

    it('pass each question once to the waiting program, and send its answer', async () => {
      const asked: unknown[] = [];
      await start((response) => {
        const isAnswered = posts().length > 0;
        json(response, 200, isAnswered ? failed : asks, waited);
      });
      const onQuestion = (given: object) => {
        asked.push(given);
        return 'Both';
      };
      expect(await server.client().tasks.waitFor(taskId, { onQuestion })).to.deep.equal(failed);
      expect(asked).to.deep.equal([question]);
      const [sent] = posts();
      expect(sent).to.include({ path: `/api/v1/agent/tasks/${taskId}/answer` });
      expect(JSON.parse(sent!.body)).to.deep.equal({ answer: 'Both', questionId: 'q1' });
      expect(sent!.headers['idempotency-key']).to.match(/^[0-9a-f-]{36}$/);
    });
  });

  it('give up after a time, and stop asking then', async () => {
    await start((response) => json(response, 200, running, waited));
    const error: unknown = await server
      .client()
      .tasks.waitFor(taskId, { timeoutMs: 50 })
      .catch((error: unknown) => error);
    expect(error).to.be.instanceOf(WaitTimeoutError).and.include({ taskId });
    for (const { headers } of server.asked) expect(headers['prefer']).to.equal('wait=1');
  });

  it('list all pages of a list, and no more pages than are read', async () => {
    await start((response, n) =>
      json(response, 200, { tasks: [{ taskId: `t${n}` }], nextCursor: n < 2 ? `c${n}` : null }),
    );
    const { tasks } = server.client();
    const ids: string[] = [];
    for await (const { taskId } of tasks.list({ status: 'failed', limit: 1 })) ids.push(taskId);
    expect(ids).to.deep.equal(['t0', 't1', 't2']);
    expect(server.asked.map(({ path }) => path.split('?')[1])).to.deep.equal([
      'status=failed&limit=1',
      'status=failed&limit=1&cursor=c0',
      'status=failed&limit=1&cursor=c1',
    ]);
  });

  it('end between items and events, too, with the reason of a signal', async () => {
    const event = (id: number) => `id: ${id}\nevent: status\ndata: {}\n\n`;
    await start((response, _, { path }) => {
      if (path.endsWith('tasks'))
        return json(response, 200, {
          tasks: [{ taskId: 't0' }, { taskId: 't1' }],
          nextCursor: null,
        });
      response.writeHead(200, { 'Content-Type': 'text/event-stream' });
      return response.write(event(1) + event(2));
    });
    const { tasks } = server.client();
    for (const follow of [
      (signal: AbortSignal) => tasks.list({}, { signal }),
      (signal: AbortSignal) => tasks.events(taskId, { signal }),
    ]) {
      const reason = new Error('No longer needed');
      const end = new AbortController();
      const told: unknown[] = [];
      try {
        for await (const one of follow(end.signal)) {
          told.push(one);
          end.abort(reason);
        }
        expect.fail('It was not ended');
      } catch (error) {
        expect(error).to.equal(reason);
      }
      expect(told).to.have.length(1);
    }
  });

  it('return events over cut connections, each once, until the last', async () => {
    const event = (id: number, name: string) =>
      `id: ${id}\nevent: ${name}\ndata: {"status":"running","n":${id}}\n\n`;
    await start((response, n) => {
      if (n > 0 && n < 8) return json(response, 503, {}, { 'Retry-After': '0' });
      response.writeHead(200, { 'Content-Type': 'text/event-stream' });
      if (n === 0) response.write(`retry: 1\n\n${event(1, 'status')}: still here\n\n`);
      if (n === 0) setImmediate(() => response.destroy());
      else response.end(event(2, 'progress') + event(3, 'done'));
    });
    const told: string[] = [];
    for await (const { id, event } of server.client().tasks.events(taskId))
      told.push(`${id} ${event}`);
    expect(told).to.deep.equal(['1 status', '2 progress', '3 done']);
    expect(server.asked.map(({ headers }) => headers['last-event-id'])).to.deep.equal([
      undefined,
      ...Array(8).fill('1'),
    ]);
  });

  it('request the events again if nothing arrives any more, but not while the service is there', async () => {
    const event = (id: number, name: string) => `id: ${id}\nevent: ${name}\ndata: {}\n\n`;
    const beats: NodeJS.Timeout[] = [];
    await start((response, n) => {
      response.writeHead(200, { 'Content-Type': 'text/event-stream; charset=utf-8' });
      if (n === 0) response.write(event(1, 'status')); // and nothing more
      if (n !== 1) return;
      beats.push(setInterval(() => response.write(': still here\n\n'), 50));
      setTimeout(() => response.end(event(2, 'done')), 5_500);
    });
    const told: string[] = [];
    for await (const { id } of server.client({ idleMs: 4_000 }).tasks.events(taskId)) told.push(id);
    clearInterval(beats[0]);
    expect(told).to.deep.equal(['1', '2']);
    expect(server.asked.map(({ headers }) => headers['last-event-id'])).to.deep.equal([
      undefined,
      '1',
    ]);
  });

  it('reject an answer that is not an event stream, and end with the reason of a signal', async () => {
    await start((response, n) => {
      if (n === 0) json(response, 200, running);
      else response.writeHead(200, { 'Content-Type': 'text/event-stream' }).write(': here\n\n');
    });
    const { tasks } = server.client();
    const end = new AbortController();
    const first = (options = {}) =>
      tasks
        .events(taskId, options)
        .next()
        .catch((error: unknown) => error);
    expect(await first())
      .to.be.instanceOf(AgentTasksError)
      .with.property('message')
      .that.match(/\bapplication\/json$/);
    expect(server.asked).to.have.length(1);
    const reason = new Error('No longer needed');
    const waiting = first({ signal: end.signal });
    while (server.asked.length < 2) await new Promise(setImmediate);
    end.abort(reason);
    expect(await waiting).to.equal(reason);
  });
});
