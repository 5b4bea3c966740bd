/**
 * What the parts of the service tell about a trace (docs/operations.md, "Traces"). The
 * implementation is in src/tracing; without it, these calls do nothing.
 */

/**
 * The only attributes that leave the service. They are ids, names from the code, names that the
 * operator configured, numbers and codes. They are never a text, a URL or a name of a customer.
 */
export interface SpanAttributes {
  'task.id'?: string | undefined;
  'batch.id'?: string | undefined;
  'organization.id'?: string | undefined;
  'site.id'?: string | undefined;
  'activity.type'?: string;
  'activity.attempt'?: number;
  'git.command'?: string;
  'http.request.method'?: string;
  /** The pattern of the route, such as `/api/v1/agent/tasks/:taskId`. */
  'http.route'?: string | undefined;
  'http.response.status_code'?: number;
  'gen_ai.request.model'?: string;
  'gen_ai.usage.input_tokens'?: number;
  'gen_ai.usage.cached_tokens'?: number;
  'gen_ai.usage.output_tokens'?: number;
  /** The code of an error, such as `NOT_FOUND`. */
  'error.type'?: string | undefined;
}

interface SpanOptions {
  attributes?: SpanAttributes;
  /** Whether the span begins a trace. Other spans are only made within a trace. */
  isRequest?: boolean;
}

export interface Traces {
  /** Runs work in a span. If the work fails, the span gets the code of the error. */
  inSpan<T>(name: string, options: SpanOptions, work: () => Promise<T>): Promise<T>;
  /** Adds attributes to the current span, and renames it if there is a name. */
  annotate(attributes: SpanAttributes, name?: string): void;
  /** The id of the current trace, for log lines. */
  traceId(): string | undefined;
}

/** The run of a workflow, as a span. Ids are hexadecimal, times are milliseconds since 1970. */
export interface WorkflowSpan {
  traceId: string;
  spanId: string;
  parentSpanId: string;
  startTime: number;
  endTime: number;
  /** undefined if the workflow did not fail. */
  errorCode: string | undefined;
}

/** The sinks by which spans leave the workflows' sandbox. Replays report nothing. */
export type TraceSinks = { traces: { workflowEnded(span: WorkflowSpan): void } };

/** No traces, if the service has no receiver for them. */
export const noTraces: Traces = {
  inSpan: (_name, _options, work) => work(),
  annotate: () => undefined,
  traceId: () => undefined,
};
