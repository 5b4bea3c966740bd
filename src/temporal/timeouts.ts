import type { HeartbeatIntervals } from '../contract/task.ts';
import type { TemporalEndpoint } from './connection.ts';

/** Timeouts and intervals that depend on where the Temporal server is, and on the workers. */
export interface TemporalTimeouts {
  /** Milliseconds after which a dead worker's workflow task is given to another worker. */
  workflowTask: number;
  /** Milliseconds that a workflow task waits for the worker that has the workflow in memory. */
  sticky: number;
  /** Milliseconds between heartbeats. Their answers tell activities about a cancel. */
  heartbeats: HeartbeatIntervals;
}

/**
 * For the embedded server, whose only worker is this process. After a restart, no work may wait
 * long for the old process. Heartbeats cost little.
 */
const embeddedTimeouts: TemporalTimeouts = {
  workflowTask: 2_000,
  sticky: 1_000,
  heartbeats: { steps: 1_000, models: 300 },
};
/**
 * For an outside server. Answers may take long, and replaying a workflow costs more than waiting
 * for a busy worker. Each heartbeat is a network call, and costs money in Temporal Cloud.
 */
const clusterTimeouts: TemporalTimeouts = {
  workflowTask: 10_000,
  sticky: 5_000,
  heartbeats: { steps: 15_000, models: 5_000 },
};

/** The timeouts for the embedded server, or for a server at TEMPORAL_ADDRESS. */
export const chooseTimeouts = ({
  embeddedAddress,
}: Pick<TemporalEndpoint, 'embeddedAddress'>): TemporalTimeouts =>
  embeddedAddress === undefined ? clusterTimeouts : embeddedTimeouts;
