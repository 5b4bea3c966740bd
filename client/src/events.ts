import { EventSourceParserStream } from 'eventsource-parser/stream';
import { ConnectionError } from './errors.ts';
import { type CallOptions, pause, type Requests } from './requests.ts';
import type { Page, TaskProgress, TaskView } from './types.ts';

type At = { at: string };

/** What the service tells of a task while it works (its documentation: Events). */
export type TaskEvent =
  | { id: string; event: 'status'; data: At & Pick<TaskView, 'status'> }
  | { id: string; event: 'progress'; data: At & TaskProgress }
  | { id: string; event: 'page'; data: At & Pick<Page, 'slug' | 'previewUrl' | 'editUrl'> }
  | { id: string; event: 'done'; data: Pick<TaskView, 'taskId' | 'status'> };

const PAUSE_MS = 2_000;

/** Tells what happens to a task, from its beginning to its end, over lost connections too. */
export async function* eventsOf(
  requests: Requests,
  taskId: string,
  { signal }: CallOptions,
): AsyncGenerator<TaskEvent, void> {
  for (let last: string | undefined; ;) {
    const response = await requests.send({
      path: `/agent/tasks/${encodeURIComponent(taskId)}/events`,
      headers: {
        Accept: 'text/event-stream',
        ...(last !== undefined && { 'Last-Event-ID': last }),
      },
      signal,
    });
    if (response.status === 204) return;
    try {
      for await (const event of eventsIn(response)) {
        last = event.id;
        yield event;
        if (event.event === 'done') return;
      }
    } catch (error) {
      signal?.throwIfAborted();
      if (!(error instanceof ConnectionError)) throw error;
    }
    await pause(PAUSE_MS, signal);
  }
}

/** The events of one answer. Throws ConnectionError where it is cut. */
async function* eventsIn({ body }: Response): AsyncGenerator<TaskEvent> {
  const reader = body!
    .pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array<ArrayBuffer>>)
    .pipeThrough(new EventSourceParserStream())
    .getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read().catch((cause: unknown) => {
        throw new ConnectionError('The stream of events was cut', { cause });
      });
      if (done) return;
      const { id, event, data } = value;
      if (id !== undefined) yield { id, event, data: JSON.parse(data) as unknown } as TaskEvent;
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}
