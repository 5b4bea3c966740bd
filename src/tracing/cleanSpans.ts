import { SpanStatusCode } from '@opentelemetry/api';
import { ExportResultCode } from '@opentelemetry/core';
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace-base';
import type { SpanAttributes } from '../contract/traces.ts';

/** The name of the tracer for the spans that the service itself makes. */
export const SERVICE_SCOPE = 'agent-tasks';
/** How the names of the tracers of `@temporalio/interceptors-opentelemetry` begin. */
const TEMPORAL_SCOPES = '@temporalio/interceptor-';
const LONGEST_VALUE = 200;

const attributeNames = {
  'task.id': true,
  'batch.id': true,
  'organization.id': true,
  'site.id': true,
  'activity.type': true,
  'activity.attempt': true,
  'git.command': true,
  'http.request.method': true,
  'http.route': true,
  'http.response.status_code': true,
  'gen_ai.request.model': true,
  'gen_ai.usage.input_tokens': true,
  'gen_ai.usage.cached_tokens': true,
  'gen_ai.usage.output_tokens': true,
  'error.type': true,
} satisfies Record<keyof Required<SpanAttributes>, true>;

/**
 * The ids that Temporal's interceptors add. A workflow's id is the id of its task or batch, or
 * derived from the id of an event.
 */
const temporalNames = ['temporalWorkflowId', 'run_id', 'temporalActivityId'];
const allowedNames = new Set([...Object.keys(attributeNames), ...temporalNames]);

/**
 * Wraps an exporter so that only allowed attributes leave the service. Temporal's interceptors
 * record messages and stacks of errors, which contain customers' texts. Spans that other packages
 * make are not exported.
 * @param onResult called after each export with its error; undefined if it was accepted
 */
export function createCleanExporter(
  exporter: SpanExporter,
  onResult: (error: Error | undefined) => void,
): SpanExporter {
  return {
    export(spans, done) {
      exporter.export(spans.filter(isOurs).map(cleanSpan), (result) => {
        const isAccepted = result.code === ExportResultCode.SUCCESS;
        onResult(isAccepted ? undefined : (result.error ?? new Error('The export failed')));
        done(result);
      });
    },
    shutdown: () => exporter.shutdown(),
  };
}

const isOurs = ({ instrumentationLibrary: { name } }: ReadableSpan) =>
  name === SERVICE_SCOPE || name.startsWith(TEMPORAL_SCOPES);

function cleanSpan(span: ReadableSpan): ReadableSpan {
  const attributes = Object.fromEntries(
    Object.entries(span.attributes).flatMap(([name, value]) =>
      allowedNames.has(name) && value !== undefined ? [[name, shortValue(value)]] : [],
    ),
  );
  const hasFailed = span.status.code === SpanStatusCode.ERROR;
  const { traceId, spanId, traceFlags } = span.spanContext();
  // the getters of a span are not properties of its own, so each field is copied by name
  return {
    name: span.name,
    kind: span.kind,
    spanContext: () => ({ traceId, spanId, traceFlags }),
    ...(span.parentSpanId !== undefined && { parentSpanId: span.parentSpanId }),
    startTime: span.startTime,
    endTime: span.endTime,
    status: { code: span.status.code },
    attributes: hasFailed ? { 'error.type': 'UNEXPECTED', ...attributes } : attributes,
    links: [],
    events: [],
    duration: span.duration,
    ended: span.ended,
    resource: span.resource,
    instrumentationLibrary: span.instrumentationLibrary,
    droppedAttributesCount: 0,
    droppedEventsCount: 0,
    droppedLinksCount: 0,
  };
}

const shortValue = (value: unknown) =>
  typeof value === 'number' || typeof value === 'boolean'
    ? value
    : String(value).slice(0, LONGEST_VALUE);
