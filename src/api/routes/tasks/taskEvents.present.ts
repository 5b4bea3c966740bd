import type { TaskStreamEvent } from '../../../contract/responses.ts';
import type { TaskEvent } from '../../../contract/task.ts';
import type { ServerSentEvent } from '../../eventStream.ts';
import type { TaskSnapshot } from '../../../tasks/taskWatchers.ts';
import type { OpenUrls } from '../../../tasks/previews.ts';
import { presentAddresses, presentView, unchangedSinceFinish } from './tasks.present.ts';

/**
 * The events of a task in the form of the stream, in order. Those of a finished task end with
 * `done`, which contains the status view.
 */
export function presentEvents(
  { view, events }: TaskSnapshot,
  changingFacts = unchangedSinceFinish,
): ServerSentEvent[] {
  const presentedEvents = events.map((event) => ({
    id: event.id,
    ...presentEvent(event, changingFacts.open),
  }));
  if (view.status === 'running') return presentedEvents;
  const doneEvent: TaskStreamEvent = { event: 'done', data: presentView(view, changingFacts) };
  return [...presentedEvents, { id: (presentedEvents.at(-1)?.id ?? 0) + 1, ...doneEvent }];
}

function presentEvent(event: TaskEvent, openAddresses: OpenUrls): TaskStreamEvent {
  const { at } = event;
  switch (event.type) {
    case 'status':
      return { event: event.type, data: { at, status: event.status } };
    case 'progress':
      return { event: event.type, data: { at, ...event.progress } };
    case 'page':
      return {
        event: event.type,
        data: { at, slug: event.page.slug, ...presentAddresses(event.page, openAddresses) },
      };
    case 'question':
      return { event: event.type, data: { at, ...event.question } };
    case 'answer': {
      const { questionId, answer } = event;
      return { event: event.type, data: { at, questionId, answer } };
    }
  }
}
