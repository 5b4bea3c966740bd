import type { WorkflowClientInterceptor } from '@temporalio/client';
import type { ActivityInterceptorsFactory, InjectedSinks } from '@temporalio/worker';
import type { TraceSinks } from '../contract/traces.ts';

/**
 * The parts of tracing that Temporal calls. The trace of a request travels to the workflow, and
 * from there to its activities, in Temporal's headers.
 */
export interface TemporalTracing {
  clientInterceptor: WorkflowClientInterceptor;
  activityInterceptors: ActivityInterceptorsFactory;
  /** Takes the spans of workflows. */
  sinks: InjectedSinks<TraceSinks>;
}
