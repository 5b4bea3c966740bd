import { proxySinks } from '@temporalio/workflow';
import type { TaskSinks } from '../src/contract/metrics.ts';
import type { FailureKind, TaskInput, TaskPhase } from '../src/contract/task.ts';

const { tasks } = proxySinks<TaskSinks>();

/** Reports a task's phases and end to the metrics. The worker ignores reports of replays. */
export function createTaskMeasures({ work: { type } }: TaskInput) {
  let phaseStartedAt = Date.now();
  return {
    phaseEnded(phase: TaskPhase) {
      const now = Date.now();
      tasks.phaseEnded({ type, phase, seconds: (now - phaseStartedAt) / 1_000 });
      phaseStartedAt = now;
    },
    ended: (failureKind?: FailureKind) =>
      tasks.ended({ type, outcome: failureKind ?? 'completed' }),
  };
}
