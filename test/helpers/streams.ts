import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { exampleStreams as ofDocument } from '../../src/api/openapi/exampleStreams.ts';
import type { TaskStatus } from '../../src/contract/task.ts';
import type { Service } from './service.ts';

export interface StreamEvent {
  id: number;
  event: string;
  data: Record<string, unknown>;
}

const guide = join(import.meta.dirname, '../../docs/api.md');

/** The event streams that docs/api.md and the OpenAPI document show, by the status at their end. */
export function shownStreams(): Record<Exclude<TaskStatus, 'running'>, string> {
  const blocks = [...readFileSync(guide, 'utf8').matchAll(/^```text\n([\s\S]*?)^```$/gm)].map(
    ([, text]) => text!,
  );
  const endingWith = (status: string, texts: string[]) =>
    texts.filter(
      (text) => eventsIn(text).at(-1)?.data['status'] === status && text.includes('event: done'),
    );
  const completed = endingWith('completed', Object.values(ofDocument));
  const failed = endingWith('failed', blocks);
  if (completed.length !== 1 || failed.length !== 1) throw new Error('two streams are not shown');
  return { completed: completed[0]!, failed: failed[0]! };
}

/** The events in a stream's text. */
export function eventsIn(text: string): StreamEvent[] {
  const events = text.matchAll(/^id: (.*)\nevent: (.*)\ndata: (.*)$/gm);
  return [...events].map(([, id, event, data]) => ({
    id: Number(id),
    event: event!,
    data: JSON.parse(data!) as Record<string, unknown>,
  }));
}

/** The names of the events in a stream's text, even of one that is cut off in an event. */
export const namesIn = (text: string) =>
  [...text.matchAll(/^event: (.*)$/gm)].map(([, name]) => name!);

/** A task's event stream as it comes in, with the demo's key. */
export function followEvents({ demo, port }: Service, taskId: string) {
  const headers = { authorization: `Bearer ${demo.apiKey}` };
  const path = `/api/v1/agent/tasks/${taskId}/events`;
  const seen = { text: '', hasEnded: false };
  request({ host: '127.0.0.1', port, path, headers }, (response) => {
    response.setEncoding('utf8').on('data', (chunk: string) => (seen.text += chunk));
    response.on('close', () => (seen.hasEnded = true));
  }).end();
  return seen;
}

/**
 * A stream's text without what differs between any two tasks: times, ids, the site's label and the
 * port, and comments of a stream that had no event for a while.
 */
export function withoutNames(text: string): string {
  return text
    .replace(/^:\n\n/gm, '')
    .replace(/"at":"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z"/g, '"at":"…"')
    .replace(/bg-[a-z0-9]{22}/g, 'bg-…')
    .replace(/--[a-z0-9-]+\.preview\.localhost/g, '--….preview.localhost')
    .replace(/localhost:\d+/g, 'localhost:…');
}
