import type { DataConverter, Payload } from '@temporalio/common';
import { type ReplayHistoriesIterable, Worker } from '@temporalio/worker';

interface JsonPayload {
  metadata?: Record<string, string>;
  data: string;
}

/** An event as protobuf's JSON has it: ids are strings, payloads are in base64. */
export interface Event {
  eventId: string;
  eventType: string;
  userMetadata?: { summary?: JsonPayload };
  [attributes: `${string}EventAttributes`]: Record<string, unknown> & {
    activityType?: { name: string };
  };
}
export interface History {
  events: Event[];
}
export interface NamedHistory {
  workflowId: string;
  history: History;
}

/** Where current code does not do what a history has. */
export interface Divergence {
  eventId: string;
  /** The step that the history has there: `commitChanges "Commit 3 page(s) to Acme website"`. */
  step: string;
  /** The SDK's words. */
  reason: string;
  /** The version of the worker that wrote the event; undefined where workers have none. */
  writtenBy: string | undefined;
}

type Bundle = NonNullable<Parameters<typeof Worker.runReplayHistories>[0]['workflowBundle']>;

/**
 * Replays histories with a bundle of workflows, and tells of each where the two differ; undefined:
 * nowhere.
 * @param dataConverter of the processes that wrote them; default: the SDK's
 */
export async function* replayAll(
  workflowBundle: Bundle,
  histories: Iterable<NamedHistory> | AsyncIterable<NamedHistory>,
  dataConverter: DataConverter = {},
): AsyncGenerator<{ workflowId: string; divergence: Divergence | undefined }> {
  const { replay, close } = createReplay(workflowBundle, dataConverter);
  try {
    for await (const named of histories) {
      const error = await replay(named);
      yield {
        workflowId: named.workflowId,
        divergence: error && (await locate(replay, named, error, dataConverter)),
      };
    }
  } finally {
    await close();
  }
}

type Replay = (history: NamedHistory) => Promise<Error | undefined>;

/** One worker replays all: it takes longer to start than a history takes. */
function createReplay(workflowBundle: Bundle, dataConverter: DataConverter) {
  const asked: NamedHistory[] = [];
  async function* next() {
    for (let one = asked.shift(); one; one = asked.shift()) yield one;
  }
  const results = Worker.runReplayHistories(
    { workflowBundle, dataConverter },
    next() as ReplayHistoriesIterable,
  );
  const replay: Replay = async (history) => {
    asked.push(history);
    const { value, done } = await results.next();
    if (done) throw new Error('The SDK replayed nothing');
    return (value as { error?: Error }).error;
  };
  return { replay, close: () => results.return?.(undefined) };
}

/** The start, and the first workflow task: no command comes before. */
const FIRST_COMMANDS = 4;

/**
 * A replay of the first events agrees up to the one at which the two differ: the SDK itself does
 * not always name it.
 */
async function locate(
  replay: Replay,
  named: NamedHistory,
  error: Error,
  dataConverter: DataConverter,
): Promise<Divergence> {
  const { history, workflowId } = named;
  const { events } = history;
  let [agrees, differs] = [FIRST_COMMANDS, events.length];
  while (differs - agrees > 1) {
    const middle = Math.floor((agrees + differs) / 2);
    if (await replay({ workflowId, history: { events: events.slice(0, middle) } }))
      differs = middle;
    else agrees = middle;
  }
  const event = events[differs - 1]!;
  return {
    eventId: event.eventId,
    step: await nameOf(stepOf(history, event), dataConverter),
    reason: reasonIn(error.message),
    writtenBy: writerOf(history, differs - 1),
  };
}

/**
 * The version whose workflow task has the event's command: the last one that was completed before.
 */
function writerOf({ events }: History, index: number): string | undefined {
  const completed = events.findLast(
    (event, at) => at <= index && event.workflowTaskCompletedEventAttributes,
  );
  const { deploymentVersion, workerVersion } = (completed?.workflowTaskCompletedEventAttributes ??
    {}) as {
    deploymentVersion?: { buildId?: string };
    workerVersion?: { buildId?: string };
  };
  return deploymentVersion?.buildId ?? workerVersion?.buildId;
}

function reasonIn(message: string): string {
  const [, words = message] = /message: "((?:[^"\\]|\\.)*)"/.exec(message) ?? [];
  return words.replace(/^\[\w+\] (?:Nondeterminism error: )?/, '').split('\n')[0]!;
}

function attributesOf(event: Event) {
  const name = Object.keys(event).find((key) => key.endsWith('EventAttributes'));
  return name === undefined ? undefined : event[name as `${string}EventAttributes`];
}

/**
 * What an event is part of: the activity that was scheduled, the timer that was started, or itself.
 */
function stepOf({ events }: History, event: Event): Event {
  const { scheduledEventId, startedEventId } = attributesOf(event) ?? {};
  return events.find(({ eventId }) => eventId === (scheduledEventId ?? startedEventId)) ?? event;
}

async function nameOf(event: Event, { payloadCodecs = [] }: DataConverter): Promise<string> {
  const attributes = attributesOf(event);
  const kind = event.eventType.replace('EVENT_TYPE_', '').toLowerCase().replaceAll('_', ' ');
  const name = attributes?.activityType?.name ?? (kind === 'timer started' ? 'timer' : kind);
  const summary = event.userMetadata?.summary;
  if (!summary) return name;
  let payload = payloadOf(summary);
  for (const codec of payloadCodecs.toReversed()) payload = (await codec.decode([payload]))[0]!;
  return `${name} "${JSON.parse(Buffer.from(payload.data!).toString()) as string}"`;
}

const payloadOf = ({ metadata = {}, data }: JsonPayload): Payload => ({
  metadata: Object.fromEntries(
    Object.entries(metadata).map(([key, value]) => [key, Buffer.from(value, 'base64')]),
  ),
  data: Buffer.from(data, 'base64'),
});
