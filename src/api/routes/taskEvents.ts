import { Readable } from 'node:stream';
import { DomainError } from '../../errors.ts';
import { type ApiContext, type ApiRouter, identityOf, taskIdOf } from '../context.ts';
import type { RouteNeeds } from '../parts.ts';
import { createRouter } from '../router.ts';
import { encodeEvent, encodeRetry, heartbeat } from '../eventStream.ts';
import { createPlaces, type Places } from '../placesPerKey.ts';
import { enter } from '../middleware/enter.ts';
import { scopesOf, shareOf } from '../middleware/rateLimit.ts';
import { type Changing, changingOf } from '../../tasks/read.ts';
import type { Told, WatchedTask } from '../../tasks/watch.ts';
import { presentEvents } from './taskEvents.present.ts';

type Deps = RouteNeeds<'deployments' | 'noteStates' | 'makers' | 'watchers' | 'heartbeatMs'>;

const HEARTBEAT_MS = 15_000;
const RETRY_MS = 2_000;
/** Maximum milliseconds of a stream. The client then reconnects, and its key is checked again. */
const STREAM_MS = 30 * 60_000;
const STREAMS_PER_KEY = 20;
/** Milliseconds that the end of a stream waits for a client that does not read. */
const LINGER_MS = 1_000;

export function taskEventRoutes(deps: Deps): ApiRouter {
  const router = createRouter();
  const places = {
    key: createPlaces(STREAMS_PER_KEY),
    person: createPlaces(STREAMS_PER_KEY * shareOf.person),
    organization: createPlaces(STREAMS_PER_KEY * shareOf.organization),
  };
  router.get('/agent/tasks/:taskId/events', ...enter(deps, 'read'), async (ctx) => {
    const identity = identityOf(ctx);
    const { organizationId, keyId } = identity;
    const { person } = scopesOf(identity);
    const gone = countStream(ctx, [
      [places.key, keyId],
      [places.person, person],
      [places.organization, organizationId],
    ]);
    await stream(ctx, deps, { organizationId, taskId: taskIdOf(ctx), gone });
  });
  return router;
}

/**
 * Reserves a place for a stream with each of the given counters.
 * @returns a signal that aborts when the client has disconnected or the answer has ended
 * @throws DomainError TOO_MANY_REQUESTS if a counter is full
 */
function countStream(ctx: ApiContext, places: [Places, key: string][]): AbortSignal {
  if (ctx.res.closed) return AbortSignal.abort();
  const full = places.find(([place, key]) => place.isFull(key));
  if (full) {
    ctx.set('Retry-After', String(RETRY_MS / 1_000));
    throw new DomainError('TOO_MANY_REQUESTS', `Over ${full[0].most} open event streams`);
  }
  for (const [place, key] of places) place.take(key);
  const gone = new AbortController();
  ctx.res.once('close', () => {
    for (const [place, key] of places) place.leave(key);
    gone.abort();
  });
  return gone.signal;
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
  const ending = endOf(gone, watchers.closing);
  ending.addEventListener('abort', () => setTimeout(() => ctx.res.destroy(), LINGER_MS).unref());
  ctx.set('X-Accel-Buffering', 'no');
  ctx.type = 'text/event-stream';
  ctx.body = Readable.from(messages(watched, { after, heartbeatMs, ending, changing }));
}

/**
 * A signal that aborts when the client disconnects, the service stops, or the stream reaches its
 * maximum duration. AbortSignal.any and .timeout would keep their listeners until the time is over,
 * even after a short stream.
 */
function endOf(gone: AbortSignal, closing: AbortSignal): AbortSignal {
  const ending = new AbortController();
  const end = () => ending.abort();
  const timer = setTimeout(end, STREAM_MS).unref();
  closing.addEventListener('abort', end);
  gone.addEventListener('abort', () => {
    clearTimeout(timer);
    closing.removeEventListener('abort', end);
    end();
  });
  return ending.signal;
}

/** The id after which the client continues. 0, i.e. the start, if it is not one of our ids. */
function lastEventId(ctx: ApiContext): number {
  const text = ctx.get('Last-Event-ID');
  return /^\d{1,9}$/.test(text) ? Number(text) : 0;
}

/**
 * Whether the client already has the last event. It gets 204 then, because an EventSource
 * reconnects after any other end (HTML standard, Server-sent events).
 */
function hasAll(watched: WatchedTask, after: number): boolean {
  const last = presentEvents(watched.latest()).at(-1);
  return last?.event === 'done' && last.id === after;
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
    const { open, states } = await changing(told);
    for (const event of presentEvents(told, open, states)) {
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
