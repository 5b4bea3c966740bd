import type { Heartbeats } from '../contract/task.ts';
import type { TemporalEndpoint } from './connection.ts';

/** Timeouts and intervals that depend on where the Temporal server is, and on the workers. */
export interface Timeouts {
  /** Milliseconds after which a workflow task of a worker that died is given to another one. */
  workflowTask: number;
  /**
   * Milliseconds that a workflow's next step waits for the worker that has the workflow in memory.
   */
  sticky: number;
  /** Milliseconds between heartbeats. Their answers tell activities of a cancel. */
  heartbeats: Heartbeats;
}

/**
 * This process is the only worker: after a restart, nothing may wait long for its predecessor.
 * Heartbeats cost little.
 */
const embedded: Timeouts = {
  workflowTask: 2_000,
  sticky: 1_000,
  heartbeats: { steps: 1_000, models: 300 },
};
/**
 * Answers may take long, and replaying a workflow costs more than waiting for a busy worker. Each
 * heartbeat is a call over the network, and has a price in Temporal Cloud.
 */
const cluster: Timeouts = {
  workflowTask: 10_000,
  sticky: 5_000,
  heartbeats: { steps: 15_000, models: 5_000 },
};

/** The times for the embedded server, or for one at TEMPORAL_ADDRESS. */
export const timeoutsOf = ({
  embeddedAddress,
}: Pick<TemporalEndpoint, 'embeddedAddress'>): Timeouts =>
  embeddedAddress === undefined ? cluster : embedded;
