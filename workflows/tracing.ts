import { context, type Context, SpanStatusCode, trace } from '@opentelemetry/api';
import {
  extractContextFromHeaders,
  headersWithContext,
  RUN_ID_ATTR_KEY,
  WORKFLOW_ID_ATTR_KEY,
} from '@temporalio/interceptors-opentelemetry/lib/instrumentation.js';
import { OpenTelemetryInboundInterceptor } from '@temporalio/interceptors-opentelemetry/lib/workflow/index.js';
import {
  ApplicationFailure,
  type Next,
  type WorkflowExecuteInput,
  type WorkflowInboundCallsInterceptor,
  workflowInfo,
  type WorkflowInterceptors,
} from '@temporalio/workflow';

/**
 * The interceptors that trace workflows. The bundle contains this module only if traces are on.
 *
 * A workflow is one span, and its activities and child workflows get that span as their parent. The
 * package's own interceptors also make spans for each activity that starts, each signal and each
 * update. They wait for promises in between, so a workflow could do things in another order than in
 * the history of a worker without traces. These interceptors never wait, so workers with and without
 * traces can take over each other's tasks.
 */
export function interceptors(): WorkflowInterceptors {
  const inbound = new WorkflowTracing();
  const withTrace = <I extends { headers: Parameters<typeof headersWithContext>[0] }>(input: I) => {
    const { workflowContext } = inbound;
    if (!workflowContext) return input;
    const headers = context.with(workflowContext, () => headersWithContext(input.headers));
    return { ...input, headers };
  };
  return {
    inbound: [{ execute: (input, next) => inbound.execute(input, next) }],
    outbound: [
      {
        scheduleActivity: (input, next) => next(withTrace(input)),
        startChildWorkflowExecution: (input, next) => next(withTrace(input)),
        continueAsNew: (input, next) => next(withTrace(input)),
      },
    ],
  };
}

/** Extends the package's interceptor for its tracer, which works in the workflows' sandbox. */
class WorkflowTracing extends OpenTelemetryInboundInterceptor {
  /** The context of the workflow's span. undefined if no trace began the workflow. */
  workflowContext: Context | undefined;

  override execute(
    input: WorkflowExecuteInput,
    next: Next<WorkflowInboundCallsInterceptor, 'execute'>,
  ): Promise<unknown> {
    const requestContext = extractContextFromHeaders(input.headers);
    if (!requestContext) return next(input);
    const { workflowType, workflowId, runId } = workflowInfo();
    const attributes = { [WORKFLOW_ID_ATTR_KEY]: workflowId, [RUN_ID_ATTR_KEY]: runId };
    const name = `RunWorkflow:${workflowType}`;
    const span = this.tracer.startSpan(name, { attributes }, requestContext);
    this.workflowContext = trace.setSpan(requestContext, span);
    const result = next(input);
    result.then(
      () => span.end(),
      (error: unknown) => {
        span.setStatus({ code: SpanStatusCode.ERROR });
        if (error instanceof ApplicationFailure && error.type)
          span.setAttribute('error.type', error.type);
        span.end();
      },
    );
    return result;
  }
}
