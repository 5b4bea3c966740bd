import {
  context,
  propagation,
  type Span,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  trace,
  TraceFlags,
} from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { Resource } from '@opentelemetry/resources';
import {
  BasicTracerProvider,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  SamplingDecision,
} from '@opentelemetry/sdk-trace-base';
import interceptors from '@temporalio/interceptors-opentelemetry';
import type { SpanAttributes, Traces } from '../contract/traces.ts';
import { DomainError } from '../errors.ts';
import type { TemporalTracing } from '../temporal/temporalTracing.ts';
import { createCleanExporter, SERVICE_SCOPE } from './cleanSpans.ts';
import { createWorkflowSpan } from './workflowSpan.ts';

/** Milliseconds between exports. A kill loses the spans that ended in this time. */
const EXPORT_EVERY_MS = 1_000;
/** Milliseconds that one export may take. Closing the service waits no longer than this. */
const EXPORT_WITHIN_MS = 5_000;

/** Where traces go. */
export interface TraceReceiver {
  /** The base URL of an OTLP receiver. `/v1/traces` is added. */
  endpoint: string;
  /** Header fields of each export, such as a token. */
  headers: Record<string, string>;
}

interface OpenedTraces extends Traces {
  temporal: TemporalTracing;
  /** Sends the remaining spans. Never rejects. */
  close(): Promise<void>;
}

/**
 * Makes traces with OpenTelemetry, and sends them to a receiver over OTLP/HTTP. Only requests begin
 * traces: what the service does on its own, such as maintenance, is not traced. `cleanSpans.ts`
 * decides what leaves the service.
 *
 * This module is loaded only if a receiver is configured, because its packages are large.
 * @param onProblem called with the error when exports begin to fail, but not again until one
 *   succeeds
 */
export function openTraces(
  { endpoint, headers }: TraceReceiver,
  onProblem: (error: Error) => void,
): OpenedTraces {
  const exporter = new OTLPTraceExporter({
    url: `${endpoint.replace(/(?<!\/)\/+$/, '')}/v1/traces`,
    headers,
    timeoutMillis: EXPORT_WITHIN_MS,
  });
  const resource = new Resource({ 'service.name': SERVICE_SCOPE });
  const processor = new BatchSpanProcessor(
    createCleanExporter(exporter, reportFirstOf(onProblem)),
    { scheduledDelayMillis: EXPORT_EVERY_MS, exportTimeoutMillis: EXPORT_WITHIN_MS },
  );
  const provider = new BasicTracerProvider({
    resource,
    mergeResourceWithDefaults: false,
    sampler: new ParentBasedSampler({ root: requestsOnly }),
    spanProcessors: [processor],
  });
  provider.register({
    contextManager: new AsyncLocalStorageContextManager().enable(),
    propagator: new W3CTraceContextPropagator(),
  });
  return {
    ...createTraces(provider),
    temporal: {
      clientInterceptor: new interceptors.OpenTelemetryWorkflowClientInterceptor(),
      activityInterceptors: (activityContext) => ({
        inbound: new interceptors.OpenTelemetryActivityInboundInterceptor(activityContext),
      }),
      sinks: {
        traces: {
          workflowEnded: {
            fn: ({ workflowType, workflowId }, span) =>
              processor.onEnd(createWorkflowSpan(span, { workflowType, workflowId, resource })),
          },
        },
      },
    },
    async close() {
      await provider.shutdown().catch(() => undefined);
      for (const api of [trace, context, propagation]) api.disable();
    },
  };
}

function createTraces(provider: BasicTracerProvider): Traces {
  const tracer = provider.getTracer(SERVICE_SCOPE);
  return {
    inSpan(name, { attributes = {}, isRequest = false }, work) {
      const kind = isRequest ? SpanKind.SERVER : SpanKind.INTERNAL;
      return tracer.startActiveSpan(name, { kind, attributes: definedOf(attributes) }, (span) =>
        endWith(span, work),
      );
    },
    annotate(attributes, name) {
      const span = trace.getActiveSpan();
      span?.setAttributes(definedOf(attributes));
      if (name !== undefined) span?.updateName(name);
    },
    traceId() {
      const span = trace.getSpanContext(context.active());
      return span && isRecorded(span) ? span.traceId : undefined;
    },
  };
}

const isRecorded = ({ traceFlags }: SpanContext) => (traceFlags & TraceFlags.SAMPLED) !== 0;

async function endWith<T>(span: Span, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    span.setStatus({ code: SpanStatusCode.ERROR });
    span.setAttribute('error.type', error instanceof DomainError ? error.code : 'UNEXPECTED');
    throw error;
  } finally {
    span.end();
  }
}

const definedOf = (attributes: SpanAttributes) =>
  Object.fromEntries<string | number>(
    Object.entries(attributes).filter(([, value]) => value !== undefined),
  );

/** Background work has no request, so it begins no trace. */
const requestsOnly: Sampler = {
  shouldSample: (_context, _traceId, _name, kind) => ({
    decision:
      kind === SpanKind.SERVER ? SamplingDecision.RECORD_AND_SAMPLED : SamplingDecision.NOT_RECORD,
  }),
  toString: () => 'requestsOnly',
};

function reportFirstOf(onProblem: (error: Error) => void) {
  let isFailing = false;
  return (error: Error | undefined) => {
    if (error && !isFailing) onProblem(error);
    isFailing = error !== undefined;
  };
}
