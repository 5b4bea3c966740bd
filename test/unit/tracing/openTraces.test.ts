import { trace } from '@opentelemetry/api';
import { expect } from 'chai';
import { DomainError } from '../../../src/errors.ts';
import { traceGitCommands, traceRequests } from '../../../src/metrics/countCalls.ts';
import { openTraces } from '../../../src/tracing/openTraces.ts';
import { startTraceReceiver, type TraceReceiver } from '../../helpers/traceReceiver.ts';

const SECRET = 'customer-text-41';

describe('openTraces(receiver, onProblem)', () => {
  let receiver: TraceReceiver;
  let traces: ReturnType<typeof openTraces>;
  let problems: Error[];

  beforeEach(async () => {
    receiver = await startTraceReceiver();
    problems = [];
    traces = openTraces({ endpoint: `${receiver.url}/`, headers: { 'x-team': 'one' } }, (error) =>
      problems.push(error),
    );
  });
  afterEach(async () => {
    await traces.close();
    await receiver.close();
  });

  /** All spans that were sent. */
  async function sentSpans() {
    await traces.close();
    return receiver.spans();
  }
  const inRequest = (work: () => Promise<unknown>) =>
    traces.inSpan('GET', { isRequest: true }, work);

  it('puts git commands and requests to hosts into the trace of the request', async () => {
    const runGit = traceGitCommands(() => Promise.resolve({ code: 0 }), traces);
    const send = traceRequests('host check', () => Promise.resolve({ status: 503 }), traces);
    await inRequest(async () => {
      await runGit({ args: ['-c', `http.extraHeader=${SECRET}`, 'fetch', SECRET] });
      await send();
    });
    const spans = await sentSpans();
    expect(spans.map(({ name, attributes }) => ({ name, attributes }))).to.deep.equal([
      { name: 'git fetch', attributes: { 'git.command': 'fetch' } },
      { name: 'host check', attributes: { 'http.response.status_code': 503 } },
      { name: 'GET', attributes: {} },
    ]);
    const [git, host, request] = spans as [(typeof spans)[0], (typeof spans)[0], (typeof spans)[0]];
    expect([git.parentSpanId, host.parentSpanId]).to.deep.equal([request.spanId, request.spanId]);
    expect(new Set(spans.map(({ traceId }) => traceId)).size).to.equal(1);
    expect(receiver.text()).to.include('"x-team":"one"').and.not.include(SECRET);
  });

  it('records the code of an error, and neither its message nor its stack', async () => {
    for (const error of [new DomainError('CONFLICT', SECRET), new Error(SECRET)])
      await inRequest(() => Promise.reject(error)).catch(() => undefined);
    const spans = await sentSpans();
    expect(spans.map(({ attributes }) => attributes['error.type'])).to.deep.equal([
      'CONFLICT',
      'UNEXPECTED',
    ]);
    expect(spans.every(({ hasFailed }) => hasFailed)).to.equal(true);
    expect(receiver.text()).to.not.include(SECRET);
  });

  it('sends only allowed attributes, and no spans of other packages', async () => {
    await inRequest(async () => {
      trace.getActiveSpan()!.setAttribute('url.full', SECRET).addEvent(SECRET);
      trace.getTracer('another-package').startSpan(SECRET).end();
      await Promise.resolve();
    });
    expect(await sentSpans()).to.have.length(1);
    expect(receiver.text()).to.not.include(SECRET);
  });

  it('begins no trace without a request', async () => {
    await traces.inSpan('git fetch', {}, () => Promise.resolve());
    expect(await sentSpans()).to.deep.equal([]);
  });

  it('has the id of the current trace for log lines', async () => {
    expect(traces.traceId()).to.equal(undefined);
    let traceId: string | undefined;
    await inRequest(() => Promise.resolve((traceId = traces.traceId())));
    expect(await sentSpans()).to.have.nested.property('[0].traceId', traceId);
  });

  it('reports once that the receiver does not accept traces, and closes all the same', async () => {
    await receiver.close();
    await inRequest(() => Promise.resolve());
    await traces.close();
    expect(problems).to.have.length(1);
  });
});
