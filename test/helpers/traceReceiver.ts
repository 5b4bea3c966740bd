import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import protobuf from 'protobufjs';

/** The part of OTLP's `ExportTraceServiceRequest` that tests read. */
const { root } = protobuf.parse(`
  syntax = "proto3";
  message Request { repeated ResourceSpans resource_spans = 1; }
  message ResourceSpans { repeated ScopeSpans scope_spans = 2; }
  message ScopeSpans { repeated Span spans = 2; }
  message Span {
    bytes trace_id = 1;
    bytes span_id = 2;
    bytes parent_span_id = 4;
    string name = 5;
    repeated KeyValue attributes = 9;
    repeated bytes events = 11;
    Status status = 15;
  }
  message Status { string message = 2; int32 code = 3; }
  message KeyValue { string key = 1; AnyValue value = 2; }
  message AnyValue {
    oneof value { string string_value = 1; bool bool_value = 2; int64 int_value = 3; double double_value = 4; }
  }
`);
const requestType = root.lookupType('Request');

export interface ReceivedSpan {
  traceId: string;
  spanId: string;
  parentSpanId: string;
  name: string;
  attributes: Record<string, string | number | boolean>;
  events: unknown[];
  hasFailed: boolean;
}

export interface TraceReceiver {
  url: string;
  spans(): ReceivedSpan[];
  /** All bytes that came, as text, with the header fields. */
  text(): string;
  close(): Promise<void>;
}

/** An OTLP/HTTP receiver on 127.0.0.1. */
export async function startTraceReceiver(): Promise<TraceReceiver> {
  const bodies: Buffer[] = [];
  const spans: ReceivedSpan[] = [];
  let headers = '';
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks);
      bodies.push(body);
      headers += JSON.stringify(request.headers);
      const isTrace = request.method === 'POST' && request.url === '/v1/traces';
      if (isTrace) spans.push(...decodeSpans(body));
      response.writeHead(isTrace ? 200 : 404).end();
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    spans: () => [...spans],
    text: () => headers + Buffer.concat(bodies).toString('latin1'),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Ids are bytes in OTLP, and hexadecimal everywhere else. */
const hexOf = (base64: string) => Buffer.from(base64, 'base64').toString('hex');

interface DecodedSpan extends Omit<ReceivedSpan, 'attributes' | 'hasFailed'> {
  attributes: { key: string; value: Record<string, string | number | boolean> }[];
  status?: { code: number };
}

function decodeSpans(body: Buffer): ReceivedSpan[] {
  const options = { bytes: String, longs: Number, arrays: true };
  const { resourceSpans } = requestType.toObject(requestType.decode(body), options) as {
    resourceSpans: { scopeSpans: { spans: DecodedSpan[] }[] }[];
  };
  return resourceSpans.flatMap(({ scopeSpans }) =>
    scopeSpans.flatMap(({ spans }) =>
      spans.map(({ attributes, status, traceId, spanId, parentSpanId, ...span }) => ({
        ...span,
        traceId: hexOf(traceId),
        spanId: hexOf(spanId),
        parentSpanId: hexOf(parentSpanId ?? ''),
        attributes: Object.fromEntries(
          attributes.map(({ key, value }) => [key, Object.values(value)[0]!]),
        ),
        hasFailed: status?.code === 2,
      })),
    ),
  );
}
