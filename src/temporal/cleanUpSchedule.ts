import {
  Client,
  type ConnectionLike,
  ScheduleAlreadyRunning,
  ScheduleOverlapPolicy,
  type ScheduleOptions,
} from '@temporalio/client';
import { CLEAN_UP_WORKFLOW, TASK_QUEUE } from '../contract/task.ts';

const SCHEDULE_ID = 'agent-tasks-clean-up';

/**
 * Runs hourly. The next run completes work that one could not do, for example while a remote was
 * down.
 */
const cleanUpSchedule = {
  scheduleId: SCHEDULE_ID,
  spec: { intervals: [{ every: '1 hour' }] },
  policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: '10 minutes' },
  action: {
    type: 'startWorkflow',
    workflowType: CLEAN_UP_WORKFLOW,
    workflowId: SCHEDULE_ID,
    taskQueue: TASK_QUEUE,
    args: [],
    staticSummary: 'Remove results and commits that nobody needs any more',
    staticDetails:
      'Removes the results of tasks after `PREVIEW_RETENTION`, the base commits of finished tasks, and commits that are no longer live.',
  },
} satisfies ScheduleOptions;

/**
 * Creates the clean-up schedule, or updates the existing one. Keeps an operator's pause.
 * Repeatable, also by several processes at once.
 * @throws the server's error
 */
export async function scheduleCleanUp(
  connection: ConnectionLike,
  namespace: string,
): Promise<void> {
  const { schedule: schedules } = new Client({ connection, namespace });
  try {
    await schedules.create(cleanUpSchedule);
  } catch (error) {
    if (!(error instanceof ScheduleAlreadyRunning)) throw error;
    const { spec, policies, action } = cleanUpSchedule;
    await schedules
      .getHandle(SCHEDULE_ID)
      .update(({ state }) => ({ spec, policies, action, state }));
  }
}
