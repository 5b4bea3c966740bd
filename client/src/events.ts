import { createParser } from 'eventsource-parser';
import { AgentTasksError, ConnectionError } from './errors.ts';
import { type CallOptions, PATIENT_RETRIES, pause, type Requests } from './requests.ts';
import { segmentOf } from './segmentOf.ts';
import type { Page, Question, TaskOutput, TaskProgress, TaskView } from './types.ts';
import { within } from './within.ts';

type At = { at: string };

/** An event of a task. `docs/api.md` of the service describes the events. */
export type TaskEvent =
  | { id: string; event: 'status'; data: At & Pick<TaskView, 'status'> }
  | { id: string; event: 'progress'; data: At & TaskProgress }
  | { id: string; event: 'page'; data: At & Pick<Page, 'slug' | 'previewUrl' | 'editUrl'> }
  | { id: string; event: 'question'; data: At & Omit<Question, 'since'> }
  | { id: string; event: 'answer'; data: At & { questionId: string; answer: string | null } }
  | { id: string; event: 'done'; data: TaskEnd };

type TaskEnd =
  | { taskId: string; status: 'completed'; output: TaskOutput }
  | { taskId: string; status: 'failed'; errorMessage: string };

const PAUSE_MS = 2_000;

/** Yields the events of a task from its start to its end, and reconnects after a lost connection. */
export async function* eventsOf(
  requests: Requests,
  taskId: string,
  { signal }: CallOptions,
): AsyncGenerator<TaskEvent, void> {
  for (let last: string | undefined; ;) {
    const response = await requests.send({
      path: `/agent/tasks/${segmentOf(taskId)}/events`,
      headers: {
        Accept: 'text/event-stream',
        ...(last !== undefined && { 'Last-Event-ID': last }),
      },
      retries: last === undefined ? 0 : PATIENT_RETRIES,
      signal,
    });
    if (response.status === 204) return;
    await expectStream(response);
    try {
      for await (const event of eventsIn(response, requests.idleMs, signal)) {
        signal?.throwIfAborted();
        last = event.id;
        yield event;
        if (event.event === 'done') return;
      }
    } catch (error) {
      if (!(error instanceof ConnectionError)) throw error;
    }
    await pause(PAUSE_MS, signal);
  }
}

/** Rejects a response that is not an event stream, such as an error page of a proxy. */
async function expectStream({ headers, body }: Response): Promise<void> {
  const type = headers.get('Content-Type') ?? 'no Content-Type';
  if (/^text\/event-stream\b/i.test(type)) return;
  await body?.cancel();
  throw new AgentTasksError(`The response is not an event stream: its Content-Type is ${type}`);
}

/**
 * Yields the events of one response.
 * @throws ConnectionError if the connection is lost, or if nothing comes for `idleMs` milliseconds
 */
async function* eventsIn(
  { body }: Response,
  idleMs: number,
  signal: AbortSignal | undefined,
): AsyncGenerator<TaskEvent> {
  const reader = body!.pipeThrough(new TextDecoderStream()).getReader();
  const told: TaskEvent[] = [];
  const parser = createParser({
    onEvent({ id, event, data }) {
      if (id !== undefined)
        told.push({ id, event, data: JSON.parse(data) as unknown } as TaskEvent);
    },
  });
  const cut = (cause: unknown) =>
    new ConnectionError('The connection was lost during the event stream', { cause });
  const late = () => new ConnectionError(`The event stream sent nothing for ${idleMs} ms`);
  const read = () => reader.read().catch((cause: unknown) => Promise.reject(cut(cause)));
  try {
    for (;;) {
      const { done, value } = await within(idleMs, { signal, late }, read);
      if (done) return;
      parser.feed(value);
      yield* told.splice(0);
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}
