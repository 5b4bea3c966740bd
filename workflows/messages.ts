import { defineQuery, defineUpdate } from '@temporalio/workflow';
import type { Ended } from '../src/contract/ended.ts';
import type { TaskEvent, TaskView } from '../src/contract/task.ts';

/** The status view, progress included, and the events so far. */
export const statusQuery = defineQuery<TaskView & { events: TaskEvent[] }>('status');

/** The whole end of the task, once it is decided: the memo may have only a part of it. */
export const endedQuery = defineQuery<Ended | undefined>('ended');

/** Stops the work. Refused from the start of publishing on, and when the task is finished. */
export const cancelUpdate = defineUpdate<void>('cancel');
