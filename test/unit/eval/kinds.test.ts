import { expect } from 'chai';
import type { LanguageModel } from '../../../src/agents/agentPorts.ts';
import { createPagesPool } from '../../../src/sites/pages/pages.ts';
import { createThreadPool, type ThreadPool } from '../../../src/threads/threadPool.ts';
import type { Edit } from '../../eval/quality/edit.ts';
import { scriptOf } from '../../eval/quality/goodModel.ts';
import { kinds } from '../../eval/quality/kinds.ts';
import { complaintsOf } from '../../eval/quality/report.ts';
import { type Result, runEdits, wordFor } from '../../eval/quality/run.ts';
import { openScripted } from '../../eval/quality/scripted.ts';
import { casesIn } from '../../helpers/cases.ts';

describe('the kinds of prompts that `npm run eval` gives a language model', () => {
  let pages: ReturnType<typeof createPagesPool>;
  let threads: ThreadPool;
  before(() => {
    pages = createPagesPool();
    threads = createThreadPool();
  });
  after(() => Promise.all([pages.close(), threads.close()]));

  async function resultOf(agent: LanguageModel, edit: Edit): Promise<Result> {
    for await (const result of runEdits(agent, pages, [edit])) return result;
    throw new Error(`No result of ${edit.name}`);
  }

  it('are at least 12, each with its own name', () => {
    expect(new Set(kinds.map(({ name }) => name)).size)
      .to.equal(kinds.length)
      .and.at.least(12);
  });

  describe('given to a model that does well', () => {
    let model: Awaited<ReturnType<typeof openScripted>>;
    before(async () => (model = await openScripted(scriptOf(kinds), threads)));
    after(() => model.close());

    for (const kind of casesIn(kinds))
      it(`succeed: ${kind.name}`, async () => {
        const result = await resultOf(model.agent, kind);
        expect(complaintsOf(result)).to.deep.equal([]);
        expect(wordFor(result)).to.equal('right');
      });
  });

  describe('given to a model that does nothing and says that it has finished', () => {
    let model: Awaited<ReturnType<typeof openScripted>>;
    before(async () => {
      const idle = kinds.map(({ prompt }) => ({ prompt, good: { turns: [] } }));
      model = await openScripted(scriptOf(idle), threads);
    });
    after(() => model.close());

    for (const kind of casesIn(kinds.filter(({ name }) => name !== 'so already')))
      it(`do not succeed: ${kind.name}`, async () => {
        expect(wordFor(await resultOf(model.agent, kind))).to.equal('wrong');
      });
  });
});
