import type { Heartbeats } from '../contract/task.ts';
import type { TemporalEndpoint } from './connection.ts';

/** Times that depend on how far away the Temporal server is, and on how many workers there are. */
export interface Times {
  /** Milliseconds after which a workflow task of a worker that died is given to another one. */
  workflowTask: number;
  /**
   * Milliseconds that a workflow's next step waits for the worker that has the workflow in memory.
   */
  sticky: number;
  /** A heartbeat's answer tells an activity of a cancel. */
  heartbeats: Heartbeats;
}

/**
 * The only worker is this process: after a restart, nothing may wait for the one before. Heartbeats
 * cost little.
 */
const embedded: Times = {
  workflowTask: 2_000,
  sticky: 1_000,
  heartbeats: { steps: 1_000, models: 300 },
};
/**
 * Answers may take long, and replaying a workflow costs more than waiting for a busy worker. Each
 * heartbeat is a call over the network, and has a price in Temporal Cloud.
 */
const cluster: Times = {
  workflowTask: 10_000,
  sticky: 5_000,
  heartbeats: { steps: 15_000, models: 5_000 },
};

/** The times for the embedded server, or for one at TEMPORAL_ADDRESS. */
export const timesOf = ({ embeddedAddress }: Pick<TemporalEndpoint, 'embeddedAddress'>): Times =>
  embeddedAddress === undefined ? cluster : embedded;
