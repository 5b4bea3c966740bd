import { expect } from 'chai';
import { createBatchCheck } from '../../src/agents/rules/checks/checkBatch.ts';
import type { BatchRow } from '../../src/contract/batches/batch.ts';
import type { BatchCheck } from '../../src/contract/checks.ts';
import { createRepositories } from '../../src/sites/git/repositories.ts';
import { TaskSite, TEMPLATE } from '../helpers/activities.ts';
import { testLauncher } from '../helpers/launcher.ts';
import { testPages } from '../helpers/threads.ts';

describe('createBatchCheck(deps)', function () {
  this.timeout(180_000);
  let site: TaskSite;
  let check: (rows: Partial<BatchRow>[], linkFrom?: string) => Promise<BatchCheck>;
  let close: () => unknown;
  before(async () => {
    site = await TaskSite.create();
    const repositories = createRepositories({
      dataDir: `${site.workplace.folder}/data`,
      launcher: testLauncher,
    });
    const checkBatch = createBatchCheck({ repositories, pages: testPages });
    const { organizationId, siteId } = site;
    const repository = { url: site.workplace.url, branch: 'main', root: '' };
    check = (rows, linkFrom) =>
      checkBatch(
        {
          site: { organizationId, siteId, repository },
          rows: rows.map((row, at) => ({
            number: at + 1,
            targetPageSlug: '/x',
            context: 'City: X',
            templatePageSlug: TEMPLATE,
            ...row,
          })),
          ...(linkFrom !== undefined && { linkFrom }),
        },
        { organizationId },
      );
    close = () => repositories.close();
  });
  after(async () => {
    await close();
    await site.remove();
  });

  it('says for each row whether its template exists and its page does not', async () => {
    const { problems, rows } = await check([
      { targetPageSlug: '/locations/porto' },
      { targetPageSlug: '/pricing' },
      { targetPageSlug: '/locations/faro', templatePageSlug: '/nowhere' },
      { targetPageSlug: '/locations/Austin' },
      { targetPageSlug: '/pricing.html/a' },
      { targetPageSlug: '/locations/oslo/a' },
      { targetPageSlug: '/Locations/oslo' },
    ]);
    expect(problems).to.deep.equal([]);
    expect(rows.map(({ number, problem }) => [number, problem.code])).to.have.deep.members([
      [2, 'PAGE_EXISTS'],
      [3, 'TEMPLATE_NOT_FOUND'],
      [4, 'PAGE_EXISTS'],
      [7, 'PAGE_EXISTS'],
      ...rows.filter(({ number }) => number === 5).map(() => [5, 'PAGE_EXISTS']),
    ]);
  });

  it('reports that the page with the links is not suitable', async () => {
    const { problems } = await check([{ targetPageSlug: '/locations/porto' }], '/nowhere');
    expect(problems.map(({ code }) => code)).to.deep.equal(['LINK_FROM_UNFIT']);
  });

  it('estimates the tokens that a model reads and writes for the rows that would be created', async () => {
    const good = { targetPageSlug: '/locations/porto' };
    const one = await check([good]);
    const two = await check([good, { targetPageSlug: '/locations/rome' }, { targetPageSlug: '/' }]);
    expect(one.inputTokens).to.be.within(1_500, 20_000);
    expect(one.outputTokens).to.be.within(100, 10_000);
    expect(two.inputTokens).to.be.closeTo(one.inputTokens * 2, 2);
    expect(two.outputTokens).to.be.closeTo(one.outputTokens * 2, 2);
  });
});
