import { expect } from 'chai';
import { createRulesAgent } from '../../../src/agents/rules/rulesAgent.ts';
import { createTextsPool } from '../../../src/agents/shared/texts/textsPool.ts';
import { createWorkspace } from '../../../src/agents/workspace.ts';
import { createPagesPool } from '../../../src/sites/pages/pages.ts';
import { memoryTree } from '../agents/memoryTree.ts';
import { createThreadPool, threadCount } from '../../../src/threads/threadPool.ts';

describe('createPooledMethods(threads, callFor)', () => {
  it('lets pages, texts and the agent share a few threads, so that their memory has a common limit', async () => {
    let started = 0;
    const onWorker = () => started++;
    process.on('worker', onWorker);
    const threads = createThreadPool();
    const pages = createPagesPool(threads);
    const texts = createTextsPool(threads);
    const agent = createRulesAgent(threads);
    const page = { path: 'a.html', source: '<title>A</title><h1>Old</h1>' };
    const tree = memoryTree({ 'a.html': page.source });
    const answers = await Promise.all(
      Array.from({ length: 5 }, (_, n) => ({ organizationId: `o${n}` })).flatMap((work) => [
        pages.for(work).read(page),
        texts.for(work).mayContain(page, 'Old'),
        agent.carryOut(createWorkspace({ tree, pages, texts }), 'Delete /a', work),
      ]),
    );
    expect(answers.filter(Boolean)).to.have.length(15);
    expect(started).to.be.within(2, threadCount());
    expect((await pages.read(page)).title).to.equal('A');
    process.off('worker', onWorker);
    await threads.close();
  });
});
