import { type ReplayHistoriesIterable, Worker } from '@temporalio/worker';

/** An event as protobuf's JSON has it: ids are strings, payloads are in base64. */
export interface Event {
  eventId: string;
  eventType: string;
  userMetadata?: { summary?: { data: string } };
  [attributes: `${string}EventAttributes`]: Record<string, unknown> & { activityType?: { name: string } };
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
}

type Bundle = NonNullable<Parameters<typeof Worker.runReplayHistories>[0]['workflowBundle']>;

/** Replays histories with a bundle of workflows, and tells of each where the two differ; undefined: nowhere. */
export async function* replayAll(
  workflowBundle: Bundle,
  histories: Iterable<NamedHistory> | AsyncIterable<NamedHistory>,
): AsyncGenerator<{ workflowId: string; divergence: Divergence | undefined }> {
  const { replay, close } = createReplay(workflowBundle);
  try {
    for await (const { workflowId, history } of histories) {
      const error = await replay(history);
      yield { workflowId, divergence: error && (await locate(replay, history, error)) };
    }
  } finally {
    await close();
  }
}

type Replay = (history: History) => Promise<Error | undefined>;

/** One worker replays all: it takes longer to start than a history takes. */
function createReplay(workflowBundle: Bundle) {
  const asked: History[] = [];
  async function* next() {
    for (let history = asked.shift(); history; history = asked.shift()) yield { workflowId: 'replayed', history };
  }
  const results = Worker.runReplayHistories({ workflowBundle }, next() as ReplayHistoriesIterable);
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
 * A replay of the first events agrees up to the one at which the two differ: the SDK itself does not always name it.
 */
async function locate(replay: Replay, history: History, error: Error): Promise<Divergence> {
  const { events } = history;
  let [agrees, differs] = [FIRST_COMMANDS, events.length];
  while (differs - agrees > 1) {
    const middle = Math.floor((agrees + differs) / 2);
    if (await replay({ events: events.slice(0, middle) })) differs = middle;
    else agrees = middle;
  }
  const event = events[differs - 1]!;
  return { eventId: event.eventId, step: nameOf(stepOf(history, event)), reason: reasonIn(error.message) };
}

function reasonIn(message: string): string {
  const [, words = message] = /message: "((?:[^"\\]|\\.)*)"/.exec(message) ?? [];
  return words.replace(/^\[\w+\] (?:Nondeterminism error: )?/, '').split('\n')[0]!;
}

function attributesOf(event: Event) {
  const name = Object.keys(event).find((key) => key.endsWith('EventAttributes'));
  return name === undefined ? undefined : event[name as `${string}EventAttributes`];
}

/** What an event is part of: the activity that was scheduled, the timer that was started, or itself. */
function stepOf({ events }: History, event: Event): Event {
  const { scheduledEventId, startedEventId } = attributesOf(event) ?? {};
  return events.find(({ eventId }) => eventId === (scheduledEventId ?? startedEventId)) ?? event;
}

function nameOf(event: Event): string {
  const attributes = attributesOf(event);
  const kind = event.eventType.replace('EVENT_TYPE_', '').toLowerCase().replaceAll('_', ' ');
  const name = attributes?.activityType?.name ?? (kind === 'timer started' ? 'timer' : kind);
  const summary = event.userMetadata?.summary;
  return summary ? `${name} "${JSON.parse(Buffer.from(summary.data, 'base64').toString()) as string}"` : name;
}
