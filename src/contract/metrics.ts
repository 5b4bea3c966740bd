/**
 * What workflows and activities measure for the metrics. Labels have few values: no ids of sites,
 * tasks or organizations. Imports types only.
 */

import type { FailureKind, TaskPhase, TaskType } from './task.ts';

/** Measurements that the workflow reports. Replays report nothing. */
export type TaskMeasures = {
  phaseEnded: (phase: { type: TaskType; phase: TaskPhase; seconds: number }) => void;
  /** `outcome`: the failure kind of a failed task. */
  ended: (task: { type: TaskType | 'batch'; outcome: 'completed' | FailureKind }) => void;
  /** A receiver did not accept any attempt, and the service stopped trying. */
  deliveryGivenUp: (delivery: { kind: 'callback' | 'event' }) => void;
};

/** The sinks that the workflow calls. */
export type TaskSinks = { tasks: TaskMeasures };

/**
 * How long one attempt of an activity was delayed, in seconds: in the task queue (`inQueue`), and
 * then in the worker while it waited, e.g. for its site (`inSlot`; a slot is a worker's right to
 * run one activity).
 */
export interface ActivityDelays {
  queue: string;
  inQueue: number;
  inSlot: number;
}
