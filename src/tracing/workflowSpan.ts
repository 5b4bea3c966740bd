import { SpanKind, SpanStatusCode, TraceFlags } from '@opentelemetry/api';
import { hrTimeDuration, millisToHrTime } from '@opentelemetry/core';
import type { Resource } from '@opentelemetry/resources';
import type { ReadableSpan } from '@opentelemetry/sdk-trace-base';
import type { WorkflowSpan } from '../contract/traces.ts';
import { SERVICE_SCOPE } from './cleanSpans.ts';

/** The span of a workflow, as OpenTelemetry exports it. Its ids come from the workflow itself. */
export function createWorkflowSpan(
  { traceId, spanId, parentSpanId, errorCode, ...times }: WorkflowSpan,
  {
    workflowType,
    workflowId,
    resource,
  }: { workflowType: string; workflowId: string; resource: Resource },
): ReadableSpan {
  const startTime = millisToHrTime(times.startTime);
  const endTime = millisToHrTime(times.endTime);
  const hasFailed = errorCode !== undefined;
  return {
    name: `RunWorkflow:${workflowType}`,
    kind: SpanKind.INTERNAL,
    spanContext: () => ({ traceId, spanId, traceFlags: TraceFlags.SAMPLED }),
    parentSpanId,
    startTime,
    endTime,
    duration: hrTimeDuration(startTime, endTime),
    status: { code: hasFailed ? SpanStatusCode.ERROR : SpanStatusCode.UNSET },
    attributes: { temporalWorkflowId: workflowId, ...(hasFailed && { 'error.type': errorCode }) },
    links: [],
    events: [],
    ended: true,
    resource,
    instrumentationLibrary: { name: SERVICE_SCOPE },
    droppedAttributesCount: 0,
    droppedEventsCount: 0,
    droppedLinksCount: 0,
  };
}
