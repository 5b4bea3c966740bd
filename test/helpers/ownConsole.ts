import { expect } from 'chai';
import type { Context } from 'mocha';
import type { Page } from 'playwright-core';
import { startBrowser } from './browser.ts';
import { heading, People } from './consolePeople.ts';
import { password } from './people.ts';
import { needProgram } from './programs.ts';
import { endServices, startService } from './service.ts';

export type OwnConsole = Awaited<ReturnType<typeof startOwnConsole>>;

export const ownerEmail = 'owner@example.com';

/** Fills in the form of the first owner's link. */
export async function enterAsOwner(page: Page, ownerPassword = password): Promise<void> {
  await page.getByLabel('Your name').fill('Owner');
  await page.getByLabel('E-mail').fill(ownerEmail);
  await page.getByLabel('Password').fill(ownerPassword);
  await page.getByRole('button', { name: 'Begin' }).click();
}

/**
 * A new service with its demo site, and its first owner, signed in, in a browser. Skips where there
 * is no browser.
 * @param env settings of the service
 */
export async function startOwnConsole(test: Context, env: Record<string, string> = {}) {
  needProgram(test, 'Chromium');
  const chromium = await startBrowser();
  const service = await startService({ env });
  const people = new People(chromium.browser);
  const page = await people.come();
  await page.goto(/http\S+\/welcome#token=\S+/.exec(service.launched.stderr)![0]);
  await enterAsOwner(page);
  await heading('Sites', page);
  return {
    service,
    people,
    page,
    site: `http://localhost:${service.port}/sites/${service.demo.siteId}`,
    /** Fails where the page met an error; shows what the page says where the test failed. */
    async expectNoProblems({ currentTest }: Context): Promise<void> {
      if (currentTest?.isFailed())
        console.error(`${page.url()}\n${await page.locator('body').innerText()}`);
      expect(people.problems.splice(0)).to.deep.equal([]);
    },
    async close(): Promise<void> {
      await chromium.close();
      await endServices();
    },
  };
}
