import type { TaskEvent } from '../../contract/task.ts';
import type { ServerSentEvent } from '../eventStream.ts';
import type { Told } from '../../tasks/watch.ts';
import type { ToldState } from '../../tasks/openNotes.ts';
import { allOpen, type OpenAddresses } from '../../tasks/previews.ts';
import { presentAddresses, presentView } from './tasks.present.ts';

/** A task's events in order; a finished one's end with `done`, which has the status view. */
export function presentEvents(
  { view, events }: Told,
  open = allOpen,
  states: readonly ToldState[] = [],
): ServerSentEvent[] {
  const told = events.map((event) => ({
    id: event.id,
    event: event.type,
    data: { at: event.at, ...dataOf(event, open) },
  }));
  if (view.status === 'running') return told;
  return [
    ...told,
    { id: (told.at(-1)?.id ?? 0) + 1, event: 'done', data: presentView(view, open, states) },
  ];
}

function dataOf(event: TaskEvent, open: OpenAddresses) {
  switch (event.type) {
    case 'status':
      return { status: event.status };
    case 'progress':
      return event.progress;
    case 'page':
      return { slug: event.page.slug, ...presentAddresses(event.page, open) };
  }
}
