import { path } from '../../../browser/path.ts';
import type { TaskEventAnswer } from '../../../contract/answers.ts';
import { apiResponse } from './api.ts';
import { read } from '../../../browser/http.ts';

const RETRY_MS = 2_000;

/**
 * Follows a task's events until the task is done. Reconnects with the last event's id when a
 * connection ends. Uses no EventSource, because that can't send the key.
 * @throws Refused if the task can't be followed
 */
export async function follow(
  taskId: string,
  tell: (told: TaskEventAnswer) => void,
  signal: AbortSignal,
): Promise<void> {
  let lastId = '';
  while (!signal.aborted) {
    const response = await apiResponse(path`/agent/tasks/${taskId}/events`, {
      headers: lastId ? { 'Last-Event-ID': lastId } : {},
      signal,
    });
    if (response.status === 204) return;
    if (!response.ok || !response.body) await read(response);
    try {
      for await (const { id, ...told } of eventsIn(response.body!)) {
        lastId = id;
        tell(told as TaskEventAnswer);
        if (told.event === 'done') return;
      }
    } catch (error) {
      if (signal.aborted) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  }
}

async function* eventsIn(body: ReadableStream<Uint8Array<ArrayBuffer>>) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const blocks = (text + value).split('\n\n');
    text = blocks.pop() ?? '';
    for (const block of blocks) {
      const { id = '', event, data } = fieldsOf(block);
      if (data !== undefined) yield { id, event, data: JSON.parse(data) as unknown };
    }
  }
}

function fieldsOf(block: string): Partial<Record<string, string>> {
  const fields = block.split('\n').map((line): [string, string] => {
    const [name = '', value = ''] = line.split(/: (.*)/);
    return [name, value];
  });
  return Object.fromEntries(fields);
}
