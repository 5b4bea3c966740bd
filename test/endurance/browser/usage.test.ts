// Takes long: a browser reads what language models were used for, and sets a limit.
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { randomUUID } from 'node:crypto';
import { pricedBy, readPrices } from '../../../src/contract/prices.ts';
import { createModelUsage } from '../../../src/organizations/modelUsage.ts';
import { createOrganizations } from '../../../src/organizations/organizations.ts';
import { createTokenLimits } from '../../../src/organizations/tokenLimits.ts';
import { createUsageReport } from '../../../src/organizations/usageReport.ts';
import { type Builds, createBuilds } from '../../../src/storage/builds.ts';
import type { TaskView } from '../../../src/contract/task.ts';
import { atTime } from '../../helpers/atTime.ts';
import { told } from '../../helpers/about.ts';
import { failingTasks, taskId } from '../../helpers/api.ts';
import { expectAccessible } from '../../helpers/consolePeople.ts';
import { type ConsoleService, startConsole } from '../../helpers/consoleService.ts';
import { testDatabase } from '../../helpers/database.ts';
import { needProgram } from '../../helpers/programs.ts';

const CLAUDE = 'anthropic/claude-sonnet-4-5';

describe('usage of language models, in the console', function () {
  this.timeout(300_000);
  let service: ConsoleService;
  let page: Page;
  let organizationId: string;
  let builds: Builds;
  let at = new Date();
  /** What reads of a task find. */
  let ended: TaskView;
  before(async function () {
    needProgram(this, 'Chromium');
    const db = await testDatabase();
    const tokensPerMonth = 1_000_000;
    const usage = atTime(() => at, createModelUsage(db));
    builds = createBuilds(db);
    const limits = createTokenLimits(db, { usage, tokensPerMonth });
    const prices = readPrices(`${CLAUDE}=3/0.3/15,openai/gpt-5=1.25/0.125/10`);
    service = await startConsole({
      app: {
        organizations: createOrganizations(db, { tokensPerMonth }),
        tokenLimits: limits,
        reportUsage: createUsageReport({ usage, builds, limits, prices }),
        builds,
        costOf: pricedBy({ prices }),
        tasks: {
          ...failingTasks(new Error('not asked for')),
          read: () => Promise.resolve({ ...ended, about: told }),
          follow: () => Promise.resolve({ view: ended, events: [], about: told }),
        },
      },
    });
    const { person, ...owner } = await service.people.owner();
    ({ organizationId } = owner);
    page = await service.open(person);
    const spend = async (model: string, taskId: string, inputTokens: number) => {
      const callId = randomUUID();
      await usage.begin({ callId, organizationId, taskId, model, estimatedTokens: 4_200 });
      if (inputTokens === 0) return;
      const cachedInputTokens = Math.floor(inputTokens / 2);
      await usage.answer(callId, { inputTokens, cachedInputTokens, outputTokens: 2_000 });
    };
    at = new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() - 1, 10));
    await spend(CLAUDE, 'bg-0', 181_400);
    at = new Date();
    await spend(CLAUDE, 'bg-1', 510_000);
    await spend(CLAUDE, 'bg-1', 0);
    await spend('openai/gpt-5', 'bg-2', 301_000);
  });
  after(() => service?.close());

  const notice = () =>
    page.getByText(/^81 % of the tokens of language models for \w+ \d{4} are used/);

  it('shows each month by model, with its cost', async () => {
    await page.goto(`${service.origin}/settings/usage`);
    const rows = page.getByRole('region', { name: 'Usage' }).locator('tbody tr');
    await notice().waitFor();
    await rows.first().waitFor();
    const texts = (await rows.allInnerTexts()).map((text) => text.replace(/\s+/g, ' ').trim());
    expect(texts[0]).to.match(
      /^\w+ \d{4} 3 calls for 2 tasks 815,200 read \(405,500 cached\), 4,000 written 1 of the calls estimated 1\.\d+ USD$/,
    );
    expect(texts[1]).to.contain(`${CLAUDE} 2 calls for 1 task`);
    expect(texts[2]).to.contain('openai/gpt-5 1 call for 1 task 301,000 read');
    expect(texts[3]).to.contain(`${CLAUDE} 1 call for 1 task 181,400 read`);
    await expectAccessible(page);
    if (process.env['USAGE_PICTURES'])
      for (const [name, width] of [
        ['wide', 1280],
        ['narrow', 390],
      ] as const) {
        await page.setViewportSize({ width, height: 900 });
        await page.screenshot({
          path: `${process.env['USAGE_PICTURES']}/${name}.png`,
          fullPage: true,
        });
      }
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  it('shows what a task used, with its cost, also where it failed', async () => {
    const usage = {
      model: CLAUDE,
      turns: 14,
      inputTokens: 182_400,
      cachedInputTokens: 121_000,
      outputTokens: 9_300,
    };
    const pages = { pagesCreated: [], pagesModified: [], pagesDeleted: [] };
    const says = 'Language model: anthropic/claude-sonnet-4-5 · 14 calls · ';
    for (const view of [
      { status: 'completed', output: { ...pages, usage } },
      { status: 'failed', errorMessage: 'No such page', usage },
    ] as const) {
      ended = { taskId, ...view };
      await page.goto(`${service.origin}/tasks/${taskId}`);
      await page
        .getByText(`${says}tokens: 182,400 read (121,000 cached), 9,300 written · 0.36 USD`)
        .waitFor();
      await expectAccessible(page);
    }
  });

  it('lets owners set a limit, no higher than the operator’s', async () => {
    await page.goto(`${service.origin}/settings/usage`);
    const limit = page.getByRole('region', { name: 'Limit' });
    await limit.getByText('819,200 of 1,000,000 used. The operator set this limit.').waitFor();
    await limit.getByLabel('Tokens per month').fill('1,000,001');
    await limit.getByRole('button', { name: 'Save' }).click();
    await page.getByText(/must be less than or equal to 1000000, the operator's limit/).waitFor();
    await limit.getByLabel('Tokens per month').fill('800,000');
    await limit.getByRole('button', { name: 'Save' }).click();
    await page.getByText(/^All 800,000 tokens of language models for .+ are used/).waitFor();
    await limit.getByText('The organization set this limit.').waitFor();
    await limit.getByLabel('Tokens per month').fill('');
    await limit.getByRole('button', { name: 'Save' }).click();
    await notice().waitFor();
  });
});
