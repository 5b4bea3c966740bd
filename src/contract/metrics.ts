/**
 * The measurements that the metrics get. Labels have few values: no ids of sites, tasks or
 * organizations. Imports types only.
 */

import type { FailureKind, TaskPhase, TaskType } from './task.ts';

/** Measurements that the workflow reports. Replays report nothing. */
export type TaskMeasures = {
  phaseEnded: (phase: { type: TaskType; phase: TaskPhase; seconds: number }) => void;
  /** `outcome`: the failure kind of a failed task. */
  ended: (task: { type: TaskType | 'batch'; outcome: 'completed' | FailureKind }) => void;
};

/** The sinks that the workflow calls. */
export type TaskSinks = { tasks: TaskMeasures };

/**
 * Delays of one attempt of a step, in seconds: in the task queue, then in its worker, waiting for a
 * free place.
 */
export interface ActivityDelays {
  queue: string;
  inQueue: number;
  inSlot: number;
}
