import { ApplicationFailure, defaultPayloadConverter, type Headers } from '@temporalio/common';
import {
  ContinueAsNew,
  isCancellation,
  type Next,
  proxySinks,
  type WorkflowExecuteInput,
  type WorkflowInboundCallsInterceptor,
  workflowInfo,
  type WorkflowInterceptors,
} from '@temporalio/workflow';
import type { TraceSinks, WorkflowSpan } from '../src/contract/traces.ts';

/** The header in which `@temporalio/interceptors-opentelemetry` sends the trace. */
const TRACE_HEADER = '_tracer-data';
/** `00-<trace id>-<span id>-<flags>` of W3C's Trace Context, of a trace that is recorded. */
const recordedTrace = /^00-([0-9a-f]{32})-([0-9a-f]{16})-01$/;

const { traces } = proxySinks<TraceSinks>();

/**
 * The interceptors that trace workflows. A workflow that a traced request began is one span, and
 * its activities and child workflows get that span as their parent. Without a trace they do
 * nothing.
 *
 * They never wait and use no random numbers, so a worker with traces and a worker without them can
 * take over each other's tasks. The workflow interceptors of the package wait, and use random
 * numbers (docs/decisions.md).
 */
export function interceptors(): WorkflowInterceptors {
  let span: StartedSpan | undefined;
  const withTrace = <I extends { headers: Headers }>(input: I): I =>
    span ? { ...input, headers: { ...input.headers, [TRACE_HEADER]: headerOf(span) } } : input;
  return {
    inbound: [
      {
        execute(input, next) {
          span = startSpan(input.headers);
          return span ? endWith(span, input, next) : next(input);
        },
      },
    ],
    outbound: [
      {
        scheduleActivity: (input, next) => next(withTrace(input)),
        startChildWorkflowExecution: (input, next) => next(withTrace(input)),
        continueAsNew: (input, next) => next(withTrace(input)),
      },
    ],
  };
}

type StartedSpan = Omit<WorkflowSpan, 'endTime' | 'errorCode'>;

/** Starts the span of this run. undefined if no traced request began the workflow. */
function startSpan({ [TRACE_HEADER]: header }: Headers): StartedSpan | undefined {
  if (!header) return undefined;
  const { traceparent } = defaultPayloadConverter.fromPayload<{ traceparent?: string }>(header);
  const [, traceId, parentSpanId] = recordedTrace.exec(traceparent ?? '') ?? [];
  if (traceId === undefined || parentSpanId === undefined) return undefined;
  return { traceId, parentSpanId, spanId: ownSpanId(), startTime: Date.now() };
}

/** The random end of the run's id, so that each replay makes the same span. */
const ownSpanId = () => workflowInfo().runId.replaceAll('-', '').slice(-16);

const headerOf = ({ traceId, spanId }: StartedSpan) =>
  defaultPayloadConverter.toPayload({ traceparent: `00-${traceId}-${spanId}-01` });

function endWith(
  span: StartedSpan,
  input: WorkflowExecuteInput,
  next: Next<WorkflowInboundCallsInterceptor, 'execute'>,
): Promise<unknown> {
  const result = next(input);
  const end = (errorCode?: string) =>
    traces.workflowEnded({ ...span, endTime: Date.now(), errorCode });
  result.then(
    () => end(),
    (error: unknown) => end(errorCodeOf(error)),
  );
  return result;
}

/** undefined if the workflow continues in another run. */
function errorCodeOf(error: unknown): string | undefined {
  if (error instanceof ContinueAsNew) return undefined;
  if (isCancellation(error)) return 'CANCELLED';
  return (error instanceof ApplicationFailure && error.type) || 'UNEXPECTED';
}
