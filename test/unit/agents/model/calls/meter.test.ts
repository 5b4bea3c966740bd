import { expect } from 'chai';
import type { CallMeter } from '../../../../../src/agents/agentPorts.ts';
import type { ModelCallUsage } from '../../../../../src/contract/task.ts';
import { DomainError } from '../../../../../src/errors.ts';
import { type ModelServer, type Reply, startModelServer } from '../../../../helpers/modelServer.ts';
import { callerOf, conversation, failure, protocols, takeTurn } from './callers.ts';

const usage = { prompt_tokens: 120, completion_tokens: 7, cached_tokens: 20 };
const counted = { inputTokens: 120, cachedInputTokens: 20, outputTokens: 7 };
const nothing = { inputTokens: 0, cachedInputTokens: 0, outputTokens: 0 };
const short = { firstChunkMs: 2_000, chunkMs: 2_000, totalMs: 4_000 };

/** What a meter is told of calls: each with what it used, or null while that is unknown. */
function recorder() {
  const calls: { call: Parameters<CallMeter['begin']>[0]; used: ModelCallUsage | null }[] = [];
  const meter: CallMeter = {
    begin(call) {
      const begun: (typeof calls)[number] = { call, used: null };
      calls.push(begun);
      return Promise.resolve((used) => {
        begun.used = used;
        return Promise.resolve();
      });
    },
  };
  return { calls, meter };
}

for (const protocol of protocols)
  describe(`the usage of a call of ${protocol.provider}`, () => {
    let server: ModelServer;
    let reply: Reply = { text: '' };
    before(async () => {
      server = await startModelServer(() => reply);
    });
    after(() => server.close());

    async function called(baseUrl = server.url(protocol.provider)) {
      const { calls, meter } = recorder();
      const caller = await callerOf(protocol, baseUrl, short, meter);
      await takeTurn(caller, conversation()).catch((error: unknown) => error);
      expect(calls).to.have.length(1);
      return calls[0]!;
    }

    it('is estimated before the call, and reported after it', async () => {
      reply = { calls: [{ name: 'finish', arguments: {} }], usage };
      const { call, used } = await called();
      expect(call).to.include({
        organizationId: 'o',
        taskId: conversation().taskId,
        model: `${protocol.provider}/${protocol.model}`,
      });
      const bytes = server.requests().at(-1)!.body.length;
      expect(call.estimatedTokens).to.be.within(bytes / 8, bytes / 2);
      expect(used).to.deep.equal(counted);
    });

    for (const [title, answer] of Object.entries<Reply>({
      'is cut at its limit': { text: 'Half a', usage, finishReason: 'length' },
      'is empty': { text: '', usage },
    }))
      it(`is reported for an answer that ${title}, which the provider bills`, async () => {
        reply = answer;
        expect((await called()).used).to.deep.equal(counted);
      });

    it('stays an estimate if no answer came, or only a part of one', async () => {
      for (const answer of ['hang', { text: 'Half an answer', usage, cutAfter: 60 }] as const) {
        reply = answer;
        expect((await called()).used).to.equal(null);
      }
    });

    it('stays an estimate if the provider may have worked before it failed', async () => {
      for (const status of [408, 500, 502, 504]) {
        reply = { status, body: { error: { message: 'no' } } };
        expect((await called()).used, String(status)).to.equal(null);
      }
    });

    it('is estimated from the request and the answer if the provider reports nothing', async () => {
      const zero = { prompt_tokens: 0, completion_tokens: 0 };
      const args = { summary: 'x'.repeat(96) };
      for (const [answer, length] of [
        [{ text: 'y'.repeat(401), usage: zero }, 401],
        [
          { calls: [{ name: 'finish', arguments: args }], usage: zero },
          JSON.stringify(args).length,
        ],
      ] as const) {
        reply = answer as Reply;
        const { call, used } = await called();
        expect(used).to.deep.equal({
          inputTokens: call.estimatedTokens,
          cachedInputTokens: 0,
          outputTokens: Math.ceil(length / 4),
          isEstimated: true,
        });
      }
    });

    it('is zero if the provider rejected the call, or was not reached', async () => {
      for (const status of [400, 401, 409, 429, 503, 529]) {
        reply = { status, body: { error: { message: 'no' } } };
        expect((await called()).used).to.deep.equal(nothing);
      }
      const gone = await startModelServer(() => ({ text: '' }));
      await gone.close();
      expect((await called(gone.url(protocol.provider))).used).to.deep.equal(nothing);
    });

    it('is zero if the task was cancelled before the call', async () => {
      const given = server.requests().length;
      const { calls, meter } = recorder();
      const cancelling = new AbortController();
      const reason = new Error('Cancelled');
      const slow: CallMeter = {
        begin(call) {
          cancelling.abort(reason);
          return meter.begin(call);
        },
      };
      const caller = await callerOf(protocol, server.url(protocol.provider), short, slow);
      const request = {
        organizationId: 'o',
        siteId: 's',
        taskId: 'bg-1',
        instructions: '',
        tools: [],
      };
      const error: unknown = await caller
        .turn({ ...request, messages: [{ role: 'user', content: 'Hello' }] }, cancelling.signal)
        .catch((thrown: unknown) => thrown);
      expect(error).to.equal(reason);
      expect(server.requests()).to.have.length(given);
      expect(calls.map(({ used }) => used)).to.deep.equal([nothing]);
    });

    it('must be countable: no call is made that the meter rejects', async () => {
      const given = server.requests().length;
      const refused = new DomainError('LIMIT_EXCEEDED', 'Used up');
      const meter: CallMeter = { begin: () => Promise.reject(refused) };
      const caller = await callerOf(protocol, server.url(protocol.provider), short, meter);
      expect(await failure(takeTurn(caller, conversation()))).to.equal(refused);
      expect(server.requests()).to.have.length(given);
    });
  });
