import { proxySinks } from '@temporalio/workflow';
import type { TaskSinks } from '../src/contract/metrics.ts';
import type { FailureKind, TaskInput, TaskPhase } from '../src/contract/task.ts';

const { tasks } = proxySinks<TaskSinks>();

/** Reports a task's phases and end to the metrics. The worker ignores reports of replays. */
export function createMeasures({ work: { type } }: TaskInput) {
  let began = Date.now();
  return {
    phaseEnded(phase: TaskPhase) {
      const now = Date.now();
      tasks.phaseEnded({ type, phase, seconds: (now - began) / 1_000 });
      began = now;
    },
    ended: (kind?: FailureKind) => tasks.ended({ type, outcome: kind ?? 'completed' }),
  };
}
