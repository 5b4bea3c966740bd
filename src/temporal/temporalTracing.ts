import type { WorkflowClientInterceptor } from '@temporalio/client';
import type { ActivityInterceptorsFactory, InjectedSinks } from '@temporalio/worker';
import type { OpenTelemetrySinks } from '@temporalio/interceptors-opentelemetry/lib/workflow/definitions.js';

/**
 * The parts of tracing that Temporal calls. The trace of a request travels to the workflow, and from
 * there to its activities, in headers of Temporal.
 */
export interface TemporalTracing {
  clientInterceptor: WorkflowClientInterceptor;
  activityInterceptors: ActivityInterceptorsFactory;
  /** Takes the spans out of the workflows' sandbox. */
  sinks: InjectedSinks<OpenTelemetrySinks>;
}
