import { Readable } from 'node:stream';
import { type ApiContext, type ApiRouter, callerIdentity, taskIdOf } from '../../context.ts';
import type { RouteDeps } from '../../apiDeps.ts';
import { createRouter } from '../../router.ts';
import { encodeEvent, encodeRetry, heartbeat } from '../../eventStream.ts';
import { createLongLivedResponses, abortAfter } from '../../longLivedResponses.ts';
import { enter } from '../../middleware/enter.ts';
import { type ChangingFacts, readChangingFacts } from '../../../tasks/readTask.ts';
import type { TaskSnapshot, WatchedTask } from '../../../tasks/taskWatchers.ts';
import { presentEvents } from './taskEvents.present.ts';

type TaskEventRouteDeps = RouteDeps<
  'builds' | 'deployments' | 'noteStates' | 'creators' | 'costOf' | 'watchers' | 'heartbeatMs'
>;

const HEARTBEAT_MS = 15_000;
const RETRY_MS = 2_000;
/** Maximum milliseconds of a stream. The client then reconnects, and its key is checked again. */
const STREAM_MS = 30 * 60_000;
/** Milliseconds that the end of a stream waits for a client that does not read. */
const LINGER_MS = 1_000;

/**
 * GET /agent/tasks/{taskId}/events: a stream of server-sent events from the start of a task to its
 * end, such as `event: progress` with `data: {"at":"…","phase":"working"}`. A client that was
 * disconnected continues after its `Last-Event-ID`.
 */
export function taskEventRoutes(deps: TaskEventRouteDeps): ApiRouter {
  const router = createRouter();
  const openStreams = createLongLivedResponses('open event streams');
  router.get('/agent/tasks/:taskId/events', ...enter(deps, 'read'), async (ctx) => {
    const { organizationId } = callerIdentity(ctx);
    await streamEvents(ctx, deps, {
      organizationId,
      taskId: taskIdOf(ctx),
      gone: openStreams.begin(ctx),
    });
  });
  return router;
}

/** Sends the stream, or 204 if the client already has the last event. */
async function streamEvents(
  ctx: ApiContext,
  { watchers, heartbeatMs = HEARTBEAT_MS, ...deps }: TaskEventRouteDeps,
  {
    organizationId,
    taskId,
    gone: disconnection,
  }: { organizationId: string; taskId: string; gone: AbortSignal },
): Promise<void> {
  const watched = await watchers.join(organizationId, taskId, disconnection);
  const lastSeenId = lastEventId(ctx);
  if (hasLastEvent(watched, lastSeenId)) {
    ctx.status = 204;
    return;
  }
  const readFacts = ({ view }: TaskSnapshot) => readChangingFacts(deps, view);
  const ending = abortAfter(STREAM_MS, disconnection, watchers.closing).signal;
  ending.addEventListener('abort', () => setTimeout(() => ctx.res.destroy(), LINGER_MS).unref());
  ctx.set('X-Accel-Buffering', 'no');
  ctx.type = 'text/event-stream';
  ctx.body = Readable.from(
    streamMessages(watched, { after: lastSeenId, heartbeatMs, ending, changing: readFacts }),
  );
}

/** The id after which the client continues. 0, i.e. the start, if it is not one of our ids. */
function lastEventId(ctx: ApiContext): number {
  const headerText = ctx.get('Last-Event-ID');
  return /^\d{1,9}$/.test(headerText) ? Number(headerText) : 0;
}

/**
 * Whether the client already has the last event of a finished task. It then gets 204, because an
 * EventSource reconnects after any other response (HTML standard, Server-sent events).
 */
function hasLastEvent(watched: WatchedTask, lastSeenId: number): boolean {
  const lastEvent = presentEvents(watched.latest()).at(-1);
  return lastEvent?.event === 'done' && lastSeenId >= lastEvent.id;
}

interface StreamOptions {
  /** Id of the last event that the client has. */
  after: number;
  heartbeatMs: number;
  ending: AbortSignal;
  /**
   * Reads for each snapshot what may change after the task has finished, such as its notes and
   * whether its preview still exists.
   */
  changing: (told: TaskSnapshot) => Promise<ChangingFacts>;
}

async function* streamMessages(
  watched: WatchedTask,
  { after: lastSeenId, heartbeatMs, ending, changing: readFacts }: StreamOptions,
): AsyncGenerator<string> {
  yield encodeRetry(RETRY_MS);
  let lastSentId = lastSeenId;
  let lastSentAt = Date.now();
  do {
    const snapshot = watched.latest();
    for (const event of presentEvents(snapshot, await readFacts(snapshot))) {
      if (event.id <= lastSentId && event.event !== 'done') continue;
      yield encodeEvent(event);
      if (event.event === 'done') return;
      [lastSentId, lastSentAt] = [event.id, Date.now()];
    }
    if (Date.now() - lastSentAt >= heartbeatMs) {
      yield heartbeat;
      lastSentAt = Date.now();
    }
  } while (await watched.next(ending));
}
