import { currentQuestion, droppableKinds } from '../../src/contract/task.ts';
import { BatchEditing } from '../helpers/batchEditing.ts';
import { headlineOf } from '../helpers/markup.ts';
import type { Service } from '../helpers/service.ts';
import { citiesBody } from '../helpers/team/site.ts';
import { outputOf } from '../helpers/views.ts';
import { freePort } from '../helpers/ports.ts';
import { until } from '../helpers/until.ts';
import { MODEL, type ReleasedService } from './releasedService.ts';
import type { ReleaseRecord } from './release.ts';

/** What the story reads of the API's answers. */
interface Answer {
  url: string;
  endpointId: string;
  secret: string;
  pages: { slug: string; version: string }[];
}

const facts = 'Rating: 4.9 of 5\nPhone: +49 30 5550 199\nLead: Websites for bakeries.';
const cities = (start: string, count: number) =>
  Array.from({ length: count }, (_, i) => `${start}${i}`);

/**
 * What an organization does with a service: tasks, batches in each status, versions, notes, marks,
 * links, comments, approvals, people, keys and an endpoint of events. Some of it still runs when
 * this returns.
 */
export async function liveOn(
  service: Service,
  operate: ReleasedService['operate'],
): Promise<Omit<ReleaseRecord, 'owner'>> {
  const hook = `http://127.0.0.1:${await freePort()}/nobody-listens`;
  const batch = new BatchEditing(() => service);
  const { siteId, organizationId } = service.demo;
  const send = async (method: string, path: string, body?: object, headers = {}) => {
    const reply = await batch.send(method, path, body, headers);
    if (reply.status >= 300) throw new Error(`${method} ${path}: ${reply.status} ${reply.text}`);
    return reply.json as Answer;
  };
  const { apiKey } = await operate(
    ...'key create --role admin --name admin --organization'.split(' '),
    organizationId,
  );
  const authorization = `Bearer ${apiKey}`;
  const api = (method: string, path: string, body?: object) =>
    send(method, `/api/v1${path}`, body, { authorization });
  const finish = async (body: object) => {
    const taskId = await service.createTask(body);
    return service.waitForTask(taskId);
  };

  // people, keys and the endpoint
  for (const [email, role] of [
    ['ada@example.com', 'admin'],
    ['ben@example.com', 'member'],
  ])
    await operate(
      'user',
      'link',
      '--email',
      email!,
      '--organization',
      organizationId,
      '--role',
      role!,
    );
  await api('POST', '/keys', { name: 'CRM', role: 'member' });
  const endpoint = await api('POST', '/webhook-endpoints', {
    url: hook,
    description: 'CRM',
    eventTypes: ['task.completed', 'page.published', 'batch.waiting'],
  });

  // tasks that have ended
  const published = await finish(citiesBody(['Lisbon', 'Porto'], { publish: true }));
  const items = [{ targetPageSlug: '/locations/berlin', context: `City: Berlin\n${facts}` }];
  const shown = await finish({ ...citiesBody([]), items, callbackUrl: hook });
  await finish({ prompt: 'Frobnicate everything', ask: 'never' });
  const edited = await finish({ prompt: 'Change the headline on /about to "Who we are"' });
  const { notes } = outputOf(shown) as unknown as { notes: { id: string; kind: string }[] };
  const path = `/agent/tasks/${shown.taskId}`;
  const droppable = notes.slice(1).find(({ kind }) => droppableKinds.some((one) => one === kind))!;
  await api('PATCH', `${path}/notes`, { notes: [notes[0]!.id], state: 'kept' });
  await api('POST', `${path}/notes/drop`, { kind: droppable.kind });
  const { pages } = await api('GET', `${path}/reviews`);
  await api('PATCH', `${path}/reviews`, {
    mark: 'fine',
    pages: pages.map(({ slug, version }) => ({ slug, version })),
  });
  const shares: string[] = [];
  for (const access of ['view', 'comment', 'edit'])
    shares.push((await api('POST', `${path}/shares`, { access, days: 30 })).url);
  await commentAsGuest(send, shares[1]!);

  // batches that have ended, and those that wait for people
  const create = (names: string[], more: object = {}) => batch.create(siteId, names, more);
  const held = await create(['Rome', 'Milan'], { publish: true, onWarnings: 'hold' });
  const failed = await create(['Nantes'], { templatePageSlug: '/locations/nowhere' });
  const waiting = await create(cities('Canary', 6), { canary: 2 });
  await batch.reaches(held, 'completed');
  await batch.reaches(failed, 'failed');
  await batch.reaches(waiting, 'waiting');
  await batch.edit(held, '/locations/rome', 'Rome by hand');
  const cancelled = await create(cities('Cancelled', 30));
  await batch.command(cancelled, 'cancel');
  await batch.reaches(cancelled, 'cancelled');
  const paused = await create(cities('Paused', 30));
  await batch.command(paused, 'pause');
  await batch.reaches(paused, 'paused');

  const ended = [published.taskId, shown.taskId, edited.taskId];
  const asking = await service.createTask({ prompt: 'Rename us', ask: 'allowed', model: MODEL });
  await until('its question', async () => currentQuestion(await service.readTask(asking)));
  const answers = await readAnswers(api, {
    siteId,
    tasks: ended,
    batches: [held, failed, cancelled],
    reviewed: [held],
  });
  const headlines: Record<string, string> = {};
  for (const { publishedUrl } of outputOf(published).pagesCreated)
    headlines[withoutPort(publishedUrl!)] = headlineOf(
      (await service.request('GET', publishedUrl!)).text,
    );

  // what runs at the end
  const running = await create(cities('Running', 50));
  const publishing = await service.createTask(citiesBody(cities('Late', 8), { publish: true }));
  return {
    adminKey: apiKey!,
    answers,
    headlines,
    askingTask: asking,
    publishingTask: publishing,
    batches: { running, paused, waiting },
    shares,
    endpoint: { endpointId: endpoint.endpointId, secret: endpoint.secret },
  };
}

export const withoutPort = (url: string) => url.replace(/:\d+/, '');

async function commentAsGuest(
  send: (
    method: string,
    path: string,
    body?: object,
    headers?: object,
  ) => Promise<{ pages: { slug: string; version: string }[] }>,
  url: string,
): Promise<void> {
  const { origin, hash, pathname } = new URL(url);
  const shareId = pathname.split('/').at(-1)!;
  const key = hash.slice('#key='.length);
  const guest = (what: string, body: object) =>
    send('POST', `/shared/${shareId}/${what}`, { key, ...body }, { origin });
  const { pages } = await guest('reviews', {});
  await guest('comments', { name: 'Chris', slug: pages[0]!.slug, text: 'Our number is wrong.' });
  await guest('marks', {
    name: 'Chris',
    mark: 'fine',
    pages: pages.map(({ slug, version }) => ({ slug, version })),
  });
}

/** The answers about what has ended, by path. */
async function readAnswers(
  api: (method: string, path: string) => Promise<unknown>,
  {
    siteId,
    tasks,
    batches,
    reviewed,
  }: Record<'tasks' | 'batches' | 'reviewed', string[]> & { siteId: string },
): Promise<Record<string, unknown>> {
  const paths = [
    '/organization',
    '/members',
    '/keys',
    '/webhook-endpoints',
    '/shares',
    '/sites',
    `/sites/${siteId}`,
    `/sites/${siteId}/pages`,
    `/sites/${siteId}/deployments`,
    ...tasks.flatMap((taskId) =>
      ['', '/diff', '/run', '/request', '/versions', '/reviews', '/approvals'].map(
        (part) => `/agent/tasks/${taskId}${part}`,
      ),
    ),
    ...batches.flatMap((batchId) => [
      `/agent/batches/${batchId}`,
      `/agent/batches/${batchId}/rows`,
    ]),
    ...reviewed.flatMap((batchId) =>
      ['/notes', '/versions', '/reviews', '/approvals'].map(
        (part) => `/agent/batches/${batchId}${part}`,
      ),
    ),
  ];
  const answers: Record<string, unknown> = {};
  for (const path of paths) answers[path] = await api('GET', path);
  return answers;
}
