import { expect } from 'chai';
import type { PageWritingJob } from '../../../../../src/agents/shared/agentTypes.ts';
import type {
  ModelCaller,
  ObjectRequest,
} from '../../../../../src/agents/model/calls/modelCaller.ts';
import {
  answerProblems,
  textProblems,
} from '../../../../../src/agents/model/page/answerProblems.ts';
import { pageInstructions } from '../../../../../src/agents/model/page/pageInstructions.ts';
import {
  pageOverLimit,
  writeModelPage,
} from '../../../../../src/agents/model/page/writeModelPage.ts';
import { DomainError } from '../../../../../src/errors.ts';
import { createThreadPool } from '../../../../../src/threads/threadPool.ts';
import { type ModelServer, startModelServer } from '../../../../helpers/modelServer.ts';
import { callerOf, protocols } from '../calls/callers.ts';
import { answerWith, renamed, siteTemplate } from './templates.ts';

const austin = siteTemplate('demo', 'locations/austin.html');
const job: PageWritingJob = {
  taskId: 'bg-1',
  siteId: 's',
  template: austin.template,
  item: { targetPageSlug: '/locations/lisbon', context: 'City: Lisbon' },
};
const good = answerWith({ texts: renamed(austin, 'Austin', 'Lisbon') });
const bad = answerWith({ texts: { ...renamed(austin, 'Austin', 'Lisbon'), s57: '' } });
const usage = { inputTokens: 1_000, cachedInputTokens: 400, outputTokens: 50 };
const work = { organizationId: 'a' };

function scripted(value: unknown, asked: ObjectRequest[] = []): ModelCaller {
  return {
    turn: () => Promise.reject(new Error('No turns here')),
    object: (request) => Promise.resolve({ value, text: '', usage, asked: asked.push(request) }),
  };
}

describe('writeModelPage(caller, job, work, threads)', () => {
  const threads = createThreadPool();
  after(() => threads.close());
  const write = (value: unknown, more: Partial<PageWritingJob> = {}, asked?: ObjectRequest[]) =>
    writeModelPage(scripted(value, asked), { ...job, ...more }, work, threads);

  it('asks once, with one schema and the same instructions for all pages', async () => {
    const asked: ObjectRequest[] = [];
    await write(good, {}, asked);
    await write(good, { item: { targetPageSlug: '/x', context: 'y' } }, asked);
    expect(asked).to.have.length(2);
    expect(asked[0]).to.include({ taskId: 'bg-1', siteId: 's', instructions: pageInstructions });
    expect(asked[0]!.schema).to.deep.equal(asked[1]!.schema);
    expect(asked[0]!.schema).to.deep.include({ type: 'object', additionalProperties: false });
    expect(asked[0]!.schema.required).to.have.members(['texts', 'groups', 'links']);
  });

  it('returns the page with its usage', async () => {
    const page = await write(good);
    expect(page).to.deep.include({ usage });
    expect(page.rejected ? null : page.texts).to.include({ s57: 'Web design in Lisbon' });
  });

  it('returns an unusable answer for a repair, and reports the usage of each call, which the task adds up', async () => {
    const { rejected } = await write(bad);
    expect(rejected).to.deep.equal({
      answer: bad,
      problems: [textProblems.empty('s57')],
      usage,
    });
    const asked: ObjectRequest[] = [];
    const mended = await write(good, { rejected: rejected! }, asked);
    expect(mended).to.deep.include({ usage });
    expect(JSON.stringify(asked[0]!.prompt)).to.include(textProblems.empty('s57'));
    const again = await write(undefined, { rejected: rejected! });
    expect(again.rejected).to.deep.equal({
      answer: null,
      problems: [answerProblems.noJson()],
      usage,
    });
  });

  it('fails as the call does, and ends with its signal', async () => {
    const error = new DomainError('MODEL_FAILED', 'Busy', { retryable: true });
    const caller = { ...scripted(good), object: () => Promise.reject(error) };
    expect(
      await writeModelPage(caller, job, work, threads).catch((reason: unknown) => reason),
    ).to.equal(error);
    const reason = new Error('cancelled');
    const signal = AbortSignal.abort(reason);
    expect(
      await writeModelPage(caller, job, { ...work, signal }, threads).catch((own: unknown) => own),
    ).to.equal(reason);
  });

  it('reads hostile texts in threads, which are stopped after a while', async () => {
    const hasty = createThreadPool({ cpuLimit: 1 });
    const context = `City: Lisbon\n${Array.from({ length: 1_500 }, (_, i) => `Key ${i}: Value ${i} of Anna B. ${i}`).join('\n')}`;
    const failed = writeModelPage(
      scripted(good),
      { ...job, item: { ...job.item, context } },
      work,
      hasty,
    );
    const error = await failed.catch((reason: unknown) => reason);
    await hasty.close();
    expect(error).to.be.instanceOf(DomainError).and.to.include({ code: 'LIMIT_EXCEEDED' });
    expect((error as DomainError).message).to.equal(
      pageOverLimit('0.001 s of CPU time', '', [job]),
    );
  });

  for (const protocol of protocols)
    it(`writes a page through ${protocol.provider}, and repairs it`, async () => {
      let server: ModelServer | undefined;
      try {
        server = await startModelServer(({ number }) => ({
          text: JSON.stringify(number === 0 ? bad : good),
          usage: { prompt_tokens: 900, completion_tokens: 40 },
        }));
        const caller = await callerOf(protocol, server.url(protocol.provider));
        const { rejected } = await writeModelPage(caller, job, work, threads);
        expect(rejected?.problems).to.deep.equal([textProblems.empty('s57')]);
        const page = await writeModelPage(caller, { ...job, rejected: rejected! }, work, threads);
        expect(page).to.deep.include({
          usage: { inputTokens: 900, cachedInputTokens: 0, outputTokens: 40 },
        });
        expect(page.rejected ? null : page.texts).to.include({ s57: 'Web design in Lisbon' });
        const [first, second] = server.requests();
        expect(first!.body).to.include('Book a call in Austin').and.to.include('members');
        expect(second!.body).to.include(textProblems.empty('s57'));
        expect(server.requests()).to.have.length(2);
      } finally {
        await server?.close();
      }
    });
});
