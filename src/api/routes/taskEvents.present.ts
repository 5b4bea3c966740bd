import type { TaskEventAnswer } from '../../contract/answers.ts';
import type { TaskEvent } from '../../contract/task.ts';
import type { ServerSentEvent } from '../eventStream.ts';
import type { Told } from '../../tasks/watch.ts';
import type { OpenAddresses } from '../../tasks/previews.ts';
import { presentAddresses, presentView, unchanged } from './tasks.present.ts';

/**
 * A task's events in order. Those of a finished task end with `done`, which contains the status
 * view.
 */
export function presentEvents({ view, events }: Told, changing = unchanged): ServerSentEvent[] {
  const told = events.map((event) => ({ id: event.id, ...present(event, changing.open) }));
  if (view.status === 'running') return told;
  const done: TaskEventAnswer = { event: 'done', data: presentView(view, changing) };
  return [...told, { id: (told.at(-1)?.id ?? 0) + 1, ...done }];
}

function present(event: TaskEvent, open: OpenAddresses): TaskEventAnswer {
  const { at } = event;
  switch (event.type) {
    case 'status':
      return { event: event.type, data: { at, status: event.status } };
    case 'progress':
      return { event: event.type, data: { at, ...event.progress } };
    case 'page':
      return {
        event: event.type,
        data: { at, slug: event.page.slug, ...presentAddresses(event.page, open) },
      };
    case 'question':
      return { event: event.type, data: { at, ...event.question } };
    case 'answer': {
      const { questionId, answer } = event;
      return { event: event.type, data: { at, questionId, answer } };
    }
  }
}
