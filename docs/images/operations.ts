/**
 * Makes the pictures of docs/operations.md: failed tasks by their kind, and the run of one. Run it with
 * `node docs/images/operations.ts`.
 */
import { writeFileSync } from 'node:fs';
import { startBrowser } from '../../test/helpers/browser.ts';
import { startService } from '../../test/helpers/service.ts';

const save = (name: string, png: Buffer) => writeFileSync(new URL(`${name}.png`, import.meta.url), png);
const closedPort = 'http://127.0.0.1:9/done';
const generate = { command: 'generate_pages', templatePageSlug: '/locations/austin' };
const item = { targetPageSlug: '/locations/lisbon', context: 'City: Lisbon' };

const service = await startService({ env: { CALLBACK_ALLOW_PRIVATE: 'true' } });
const chromium = await startBrowser();
try {
  const tasks = [
    { prompt: 'Make our home page nicer, and publish it', callbackUrl: closedPort },
    { ...generate, templatePageSlug: '/locations/dallas', items: [item] },
    { ...generate, items: [{ ...item, targetPageSlug: '/locations/denver' }] },
  ];
  const ids = await Promise.all(tasks.map((task) => service.createTask(task)));
  for (const id of ids) await service.waitForTask(id);
  const [ui] = /http:\/\/127\.0\.0\.1:\d+/.exec(/Temporal UI: (.*)/.exec(service.launched.stderr)![1]!)!;
  const workflows = `${ui}/namespaces/agent-tasks/workflows`;
  const page = await chromium.browser.newPage({ viewport: { width: 1280, height: 640 }, colorScheme: 'light' });
  const shoot = async (name: string, url: string, text: string, tab?: string) => {
    await page.goto(url); // it asks again and again: the network is never idle
    await page.getByText(text).first().waitFor({ timeout: 30_000 });
    await page.waitForTimeout(2_000);
    if (tab !== undefined)
      await page
        .getByRole('link', { name: tab })
        .or(page.getByRole('tab', { name: tab }))
        .first()
        .click();
    await page.waitForTimeout(2_000);
    save(name, await page.screenshot());
  };
  await shoot('failed-by-kind', `${workflows}?query=${encodeURIComponent('FailureKind = "input"')}`, ids[0]!);
  await shoot('failed-run', `${workflows}/${ids[0]!}`, ids[0]!, 'User Metadata');
} finally {
  await chromium.close();
  await service.end();
}
