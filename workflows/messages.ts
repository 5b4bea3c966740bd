import { defineQuery, defineUpdate } from '@temporalio/workflow';
import type { TaskEvent, TaskView } from '../src/contract/task.ts';

/** The status view, progress included, and the events so far. */
export const statusQuery = defineQuery<TaskView & { events: TaskEvent[] }>('status');

/** Stops the work. Refused from the start of publishing on, and when the task is finished. */
export const cancelUpdate = defineUpdate<void>('cancel');
