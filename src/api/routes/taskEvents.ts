import { Readable } from 'node:stream';
import { type ApiContext, type ApiRouter, identityOf, taskIdOf } from '../context.ts';
import type { RouteNeeds } from '../parts.ts';
import { createRouter } from '../router.ts';
import { encodeEvent, encodeRetry, heartbeat } from '../eventStream.ts';
import { createLongAnswers, endOf } from '../longAnswers.ts';
import { enter } from '../middleware/enter.ts';
import { type Changing, changingOf } from '../../tasks/read.ts';
import type { Told, WatchedTask } from '../../tasks/watch.ts';
import { presentEvents } from './taskEvents.present.ts';

type Deps = RouteNeeds<
  'builds' | 'deployments' | 'noteStates' | 'makers' | 'costOf' | 'watchers' | 'heartbeatMs'
>;

const HEARTBEAT_MS = 15_000;
const RETRY_MS = 2_000;
/** Maximum milliseconds of a stream. The client then reconnects, and its key is checked again. */
const STREAM_MS = 30 * 60_000;
/** Milliseconds that the end of a stream waits for a client that does not read. */
const LINGER_MS = 1_000;

export function taskEventRoutes(deps: Deps): ApiRouter {
  const router = createRouter();
  const answers = createLongAnswers('open event streams');
  router.get('/agent/tasks/:taskId/events', ...enter(deps, 'read'), async (ctx) => {
    const { organizationId } = identityOf(ctx);
    await stream(ctx, deps, { organizationId, taskId: taskIdOf(ctx), gone: answers.begin(ctx) });
  });
  return router;
}

/** GET /agent/tasks/{taskId}/events */
async function stream(
  ctx: ApiContext,
  { watchers, heartbeatMs = HEARTBEAT_MS, ...deps }: Deps,
  { organizationId, taskId, gone }: { organizationId: string; taskId: string; gone: AbortSignal },
): Promise<void> {
  const watched = await watchers.join(organizationId, taskId, gone);
  const after = lastEventId(ctx);
  if (hasAll(watched, after)) {
    ctx.status = 204;
    return;
  }
  const changing = ({ view }: Told) => changingOf(deps, view);
  const ending = endOf(STREAM_MS, gone, watchers.closing).signal;
  ending.addEventListener('abort', () => setTimeout(() => ctx.res.destroy(), LINGER_MS).unref());
  ctx.set('X-Accel-Buffering', 'no');
  ctx.type = 'text/event-stream';
  ctx.body = Readable.from(messages(watched, { after, heartbeatMs, ending, changing }));
}

/** The id after which the client continues. 0, i.e. the start, if it is not one of our ids. */
function lastEventId(ctx: ApiContext): number {
  const text = ctx.get('Last-Event-ID');
  return /^\d{1,9}$/.test(text) ? Number(text) : 0;
}

/**
 * Whether the client already has the last event, or says that it has more. It gets 204 then,
 * because an EventSource reconnects after any other end (HTML standard, Server-sent events).
 */
function hasAll(watched: WatchedTask, after: number): boolean {
  const last = presentEvents(watched.latest()).at(-1);
  return last?.event === 'done' && after >= last.id;
}

interface Streaming {
  /** Id of the last event that the client has. */
  after: number;
  heartbeatMs: number;
  ending: AbortSignal;
  /**
   * Reads addresses and notes again for each state, because a preview may be deleted as soon as its
   * task is finished.
   */
  changing: (told: Told) => Promise<Changing>;
}

async function* messages(
  watched: WatchedTask,
  { after, heartbeatMs, ending, changing }: Streaming,
): AsyncGenerator<string> {
  yield encodeRetry(RETRY_MS);
  let sent = after;
  let sentAt = Date.now();
  do {
    const told = watched.latest();
    for (const event of presentEvents(told, await changing(told))) {
      if (event.id <= sent && event.event !== 'done') continue;
      yield encodeEvent(event);
      if (event.event === 'done') return;
      [sent, sentAt] = [event.id, Date.now()];
    }
    if (Date.now() - sentAt >= heartbeatMs) {
      yield heartbeat;
      sentAt = Date.now();
    }
  } while (await watched.next(ending));
}
