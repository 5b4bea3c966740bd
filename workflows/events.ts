import type { TaskEvent } from '../src/contract/task.ts';

type Told = TaskEvent extends infer E ? (E extends TaskEvent ? Omit<E, 'id' | 'at'> : never) : never;

/** The story of a task, for those who follow it: numbered from 1, so that they can go on where they were cut off. */
export function createEvents() {
  const events: TaskEvent[] = [];
  return {
    tell: (event: Told) => void events.push({ id: events.length + 1, at: new Date().toISOString(), ...event }),
    all: () => events,
  };
}
