import { expect } from 'chai';
import { createRulesAgent, describeOverLimit } from '../../../../src/agents/rules/rulesAgent.ts';
import { writeRulesPage } from '../../../../src/agents/rules/page/writeRulesPage.ts';
import { createWorkspace } from '../../../../src/agents/workspace.ts';
import { DomainError } from '../../../../src/errors.ts';
import type { TextSlot } from '../../../../src/sites/formats/pageParts.ts';
import { createThreadPool } from '../../../../src/threads/threadPool.ts';
import { texts } from '../../../helpers/texts.ts';
import { testPages as pages } from '../../../helpers/threads.ts';
import { memoryTree } from '../memoryTree.ts';

const heading: TextSlot = {
  id: 'h1',
  role: 'heading',
  level: 1,
  text: 'Web in Austin',
  section: null,
  parts: [],
  locked: false,
};
const template = { slug: '/locations/austin', slots: [heading] };
const item = { targetPageSlug: '/locations/lisbon', context: 'City: Lisbon' };
/** A template that takes seconds: many texts with a context that each is looked up in. */
const long = {
  slug: '/locations/austin',
  slots: Array.from({ length: 3_000 }, (_, i) => ({
    ...heading,
    id: `h${i}`,
    text: `Call +1 512 555 ${1000 + i}`,
  })),
};

describe('generatePage of the rules', () => {
  const agent = createRulesAgent();
  after(() => agent.close());

  const failure = (work: Promise<unknown>) =>
    work.then(
      () => expect.fail('It did not fail'),
      (error: unknown) => error,
    );

  it('returns what writePage returns', async () => {
    expect(await agent.generatePage({ template, item })).to.deep.equal(
      writeRulesPage(template, item),
    );
  });

  it('leaves the thread of its caller free', async () => {
    let turns = 0;
    const timer = setInterval(() => turns++, 5);
    await agent.generatePage({ template: long, item }).finally(() => clearInterval(timer));
    expect(turns).to.be.above(10);
  });

  it('gives up on a page that takes too long, and writes the next one', async () => {
    const hasty = createRulesAgent(createThreadPool({ cpuLimit: 1 }));
    try {
      const error = await failure(hasty.generatePage({ template: long, item }));
      expect(error)
        .to.be.instanceOf(DomainError)
        .and.to.include({ code: 'LIMIT_EXCEEDED', retryable: false });
      expect((error as DomainError).message).to.equal(
        describeOverLimit('0.001 s of CPU time', 'writePage', [{ item }]),
      );
    } finally {
      await hasty.close();
    }
    expect(await agent.generatePage({ template, item })).to.deep.equal(
      writeRulesPage(template, item),
    );
  });

  it('ends with the reason of its signal, before and while it writes', async () => {
    const reason = new Error('cancelled');
    expect(
      await failure(
        agent.generatePage(
          { template, item },
          { organizationId: 'a', signal: AbortSignal.abort(reason) },
        ),
      ),
    ).to.equal(reason);
    const cancel = new AbortController();
    const writing = failure(
      agent.generatePage({ template: long, item }, { organizationId: 'a', signal: cancel.signal }),
    );
    setImmediate(() => cancel.abort(reason));
    expect(await writing).to.equal(reason);
  });
});

describe('carryOut of the rules', () => {
  const work = { organizationId: 'a' };
  const open = () =>
    createWorkspace({ tree: memoryTree({ 'index.html': '<title>Home</title>' }), pages, texts });
  const threads = createThreadPool({ cpuLimit: 300 });
  const agent = createRulesAgent(threads);
  after(() => agent.close());

  it('makes the edits, and returns them as a turn', async () => {
    const workspace = open();
    const { turn, finished } = await agent.carryOut(
      workspace,
      'Change the title of the home page to "Acme"',
      work,
    );
    expect(finished).to.equal(true);
    expect(turn.toolCalls.map(({ name }) => name)).to.deep.equal(['set_texts']);
    expect(workspace.changes()).to.deep.equal([
      { path: 'index.html', content: '<title>Acme</title>' },
    ]);
  });

  it('reports a prompt that is not understood with a list of all instructions', async () => {
    const list = 'http://localhost:3000/docs/prompts';
    const told = createRulesAgent(threads, () => list);
    const error = await told
      .carryOut(open(), 'Please sing a song.', work)
      .catch((reason: unknown) => reason);
    expect(error)
      .to.have.property('message')
      .that.matches(new RegExp(`All instructions: ${list}$`));
  });

  it('fails permanently with a prompt that is not understood, or not in time', async () => {
    for (const prompt of [
      'and '.repeat(100) + ','.repeat(8_000) + 'x',
      ' '.repeat(20_000) + 'x',
      'x, and '.repeat(1_400),
    ]) {
      const error = await agent.carryOut(open(), prompt, work).catch((reason: unknown) => reason);
      expect(error).to.be.instanceOf(DomainError).and.have.property('retryable', false);
      expect(error).to.have.property('code').that.is.oneOf(['NOT_UNDERSTOOD', 'LIMIT_EXCEEDED']);
    }
  });
});
