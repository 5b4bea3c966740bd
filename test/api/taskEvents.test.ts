import { expect } from 'chai';
import { EventSource } from 'eventsource';
import { connect } from 'node:net';
import { once } from 'node:events';
import { createTaskWatchers, type TaskWatchers } from '../../src/tasks/taskWatchers.ts';
import {
  bearer,
  failingTasks,
  keys,
  organizationId,
  startApi,
  taskId,
  type TestApi,
} from '../helpers/api.ts';
import { breakableLine } from '../helpers/breakableLine.ts';
import { Story } from '../helpers/story.ts';
import { until } from '../helpers/until.ts';

const path = `/api/v1/agent/tasks/${taskId}/events`;

interface ServerEvent {
  id: string;
  event: string;
  data: unknown;
}

/** The events in a stream's text. */
function eventsIn(text: string): ServerEvent[] {
  return text.split('\n\n').flatMap((block) => {
    const [, id, event, data] = /^id: (.*)\nevent: (.*)\ndata: (.*)$/.exec(block) ?? [];
    return data === undefined
      ? []
      : [{ id: id!, event: event!, data: JSON.parse(data) as unknown }];
  });
}

describe('GET /agent/tasks/{taskId}/events', () => {
  let story: Story;
  let watchers: TaskWatchers;
  let api: TestApi;
  const clients = new AbortController();
  beforeEach(async () => {
    story = new Story(organizationId, taskId);
    watchers = createTaskWatchers(story, { every: 20 });
    const tasks = { ...failingTasks(new Error('not asked for')), follow: story.follow };
    api = await startApi({ tasks, watchers, heartbeatMs: 50 });
  });
  afterEach(async () => {
    watchers.close();
    await api.close();
  });
  after(() => clients.abort());

  const read = (headers: Record<string, string> = {}, key = keys.member) =>
    api.request('GET', path, { headers: { ...bearer(key), ...headers } });
  /** A stream that stays open until the returned function is called. */
  async function open(key = keys.member) {
    const gone = new AbortController();
    const signal = AbortSignal.any([gone.signal, clients.signal]);
    // kept: the stream of a response that nobody holds ends with the next garbage collection
    const response = await fetch(`http://127.0.0.1:${api.port}${path}`, {
      headers: bearer(key),
      signal,
    });
    const { status, headers } = response;
    return { status, headers, response, leave: () => gone.abort() };
  }

  it('continues after Last-Event-ID, and starts from the beginning if that ID is unknown', async () => {
    story.finish();
    const sent = async (id: string) =>
      eventsIn((await read({ 'Last-Event-ID': id })).text).map((event) => event.id);
    expect(await sent('1')).to.deep.equal(['2', '3']);
    expect(await sent('2')).to.deep.equal(['3']);
    for (const id of ['', '0', '-1', '1.5', 'x', '1'.repeat(30)])
      expect(await sent(id), id).to.deep.equal(['1', '2', '3']);
  });

  it('answers 204 to a Last-Event-ID at the end or beyond it, so that no EventSource comes back', async () => {
    story.finish();
    for (const id of ['3', '4', '999999999']) {
      const { status, text } = await read({ 'Last-Event-ID': id });
      expect([status, text], id).to.deep.equal([204, '']);
    }
  });

  it('allows twenty streams per key at a time, without counting other keys', async () => {
    const streams = [];
    for (let i = 0; i < 20; i++) streams.push(await open());
    const refused = await read();
    expect([refused.status, refused.text]).to.deep.equal([429, '{"error":"Too Many Requests"}']);
    expect(refused.headers.get('retry-after')).to.match(/^\d+$/);
    const other = await open(keys.admin);
    expect(other.status).to.equal(200);
    streams.pop()!.leave();
    const again = await until('a free place', async () => {
      const stream = await open();
      return stream.status === 200 && stream;
    });
    for (const { leave } of [...streams, other, again]) leave();
  });

  it('allows 60 streams per creator except for sessions, and 200 per organization, whatever number of keys', async () => {
    watchers.close();
    await api.close();
    const tasks = { ...failingTasks(new Error('not asked for')), follow: story.follow };
    watchers = createTaskWatchers(story, { every: 20 });
    const identityIn = (token: string) => {
      const [maker = '', keyId = ''] = token.slice('ak_'.length).split('/');
      const own = keyId.startsWith('s') ? { userId: maker } : { countsFor: maker };
      return Promise.resolve({
        organizationId,
        keyId: `${maker} ${keyId}`,
        role: 'member' as const,
        ...own,
      });
    };
    api = await startApi({
      tasks,
      watchers,
      heartbeatMs: 1_000,
      keys: { authenticate: identityIn, identify: identityIn },
    });
    const streams: Awaited<ReturnType<typeof open>>[] = [];
    const opened = async (maker: string, kind: 'k' | 's') => {
      const tokens = Array.from({ length: 72 }, (_, n) => `ak_${maker}/${kind}${n % 9}`);
      const all = await Promise.all(tokens.map((token) => open(token)));
      streams.push(...all);
      return all.filter(({ status }) => status === 200).length;
    };
    const counts = [];
    for (const [maker, kind] of [
      ['ada', 'k'],
      ['ada', 's'],
      ['bob', 'k'],
      ['bob', 's'],
      ['eve', 'k'],
    ] as const)
      counts.push(await opened(maker, kind));
    expect(counts).to.deep.equal([60, 60, 60, 20, 0]);
    for (const { leave } of streams) leave();
    await until('all places to be free', () => watchers.size() === 0);
    const again = await until('a free place', async () => {
      const stream = await open('ak_eve/k1');
      return stream.status === 200 && stream;
    });
    again.leave();
  });

  it('releases everything of clients that disconnect, in whatever state they are', async () => {
    story.tell({ type: 'page', slug: `/${'x'.repeat(300_000)}` });
    const head = `GET ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${keys.member}\r\n\r\n`;
    for (let round = 0; round < 3; round++) {
      const sockets = Array.from({ length: 20 }, () =>
        connect(api.port, '127.0.0.1').on('error', () => undefined),
      );
      for (const [i, socket] of sockets.entries()) {
        socket.write(i % 4 === 3 ? head.slice(0, 60) : head);
        if (i % 4 === 1) socket.once('data', () => socket.destroy());
        if (i % 4 === 2) socket.pause();
      }
      await until('their streams', () => watchers.size() === 1);
      for (const socket of sockets) socket.destroy();
      await until('the end of the watching', () => watchers.size() === 0);
    }
    const streams = await until('all places to be free', async () => {
      const opened = await Promise.all(Array.from({ length: 20 }, () => open()));
      if (opened.every(({ status }) => status === 200)) return opened;
      for (const { leave } of opened) leave();
      return null;
    });
    for (const { leave } of streams) leave();
    await until('the end of the watching', () => watchers.size() === 0);
  });

  it('buffers nothing for a client that reads slowly, but the client misses nothing', async () => {
    const socket = connect(api.port, '127.0.0.1');
    socket.write(
      `GET ${path} HTTP/1.0\r\nHost: localhost\r\nAuthorization: Bearer ${keys.member}\r\n\r\n`,
    );
    await once(socket, 'readable');
    const { asked } = story;
    for (let i = 0; i < 60; i++) story.tell({ type: 'page', slug: `/${i}${'x'.repeat(200_000)}` });
    await until('more questions', () => story.asked > asked + 5);
    story.finish();
    await until('the end of the watching', () => watchers.size() === 0);
    let text = '';
    for await (const chunk of socket) text += String(chunk);
    expect(eventsIn(text).map(({ id }) => Number(id))).to.deep.equal(
      Array.from({ length: 63 }, (_, i) => i + 1),
    );
  });

  it('ends its streams at once when the service stops, also those that nobody reads (wall time)', async () => {
    story.tell({ type: 'page', slug: `/${'x'.repeat(20_000_000)}` });
    const stuck = connect(api.port, '127.0.0.1').on('error', () => undefined);
    stuck.write(
      `GET ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${keys.member}\r\n\r\n`,
    );
    await once(stuck, 'readable');
    story.events.splice(1);
    const reply = fetch(`http://127.0.0.1:${api.port}${path}`, {
      headers: { ...bearer(keys.admin), 'Last-Event-ID': '2' },
    });
    const text = (await reply).text();
    const start = performance.now();
    watchers.close();
    await api.close(30_000);
    expect(performance.now() - start).to.be.lessThan(10_000);
    expect(eventsIn(await text)).to.deep.equal([]);
    stuck.destroy();
  });

  it('lets an EventSource follow a task over cut connections, with each event once, until it ends', async () => {
    const line = await breakableLine(api.port);
    const source = new EventSource(`http://127.0.0.1:${line.port}${path}`, {
      fetch: (url, init) =>
        fetch(url, { ...init, headers: { ...init.headers, ...bearer(keys.member) } }),
    });
    const seen: string[] = [];
    let done: unknown;
    for (const type of ['status', 'progress', 'page', 'done'])
      source.addEventListener(type, (event) => {
        seen.push(`${event.lastEventId} ${type}`);
        if (type === 'done') done = JSON.parse(event.data as string);
      });
    try {
      await until('the first event', () => seen.length === 1);
      line.cut();
      story.tell({ type: 'progress', steps: 1 });
      story.tell({ type: 'page', slug: '/a' });
      await until('the events after the cut', () => seen.length === 3);
      story.finish();
      await until('the end', () => done !== undefined);
      await until('it to stay away', () => source.readyState === EventSource.CLOSED);
    } finally {
      source.close();
      line.close();
    }
    expect(seen).to.deep.equal(['1 status', '2 progress', '3 page', '4 status', '5 done']);
    expect(done).to.deep.include({ taskId, status: 'failed' });
  });
});
