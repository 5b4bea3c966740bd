import { defineQuery } from '@temporalio/workflow';
import type { TaskView } from '../src/contract/task.ts';

/** The status view, progress included. */
export const statusQuery = defineQuery<TaskView>('status');
