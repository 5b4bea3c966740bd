import type { TaskEvent } from '../src/contract/task.ts';

type UnnumberedEvent = TaskEvent extends infer E
  ? E extends TaskEvent
    ? Omit<E, 'id' | 'at'>
    : never
  : never;

/** A task's events, numbered from 1, so that clients can resume after a lost connection. */
export function createTaskEvents() {
  const events: TaskEvent[] = [];
  return {
    addEvent: (event: UnnumberedEvent) =>
      void events.push({ id: events.length + 1, at: new Date().toISOString(), ...event }),
    all: () => events,
  };
}
