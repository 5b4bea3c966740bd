/**
 * What is told to the metrics. Labels have few values: no ids of sites, tasks or organizations.
 * Imports types only.
 */

import type { FailureKind, TaskPhase, TaskType } from './task.ts';

/** What the workflow tells. A replay tells nothing again. */
export type TaskMeasures = {
  phaseEnded: (phase: { type: TaskType; phase: TaskPhase; seconds: number }) => void;
  /** `outcome`: a failed task's kind of failure. */
  ended: (task: { type: TaskType; outcome: 'completed' | FailureKind }) => void;
};

/** What the workflow calls. */
export type TaskSinks = { tasks: TaskMeasures };

/**
 * One attempt of a step: for how many seconds it was in its queue, and then waited for its turn in
 * its slot.
 */
export interface StepDelays {
  queue: string;
  inQueue: number;
  inSlot: number;
}
