/**
 * Makes the pictures of docs/operations.md, and opens its ready links: tasks that fail, a callback
 * that is refused, and what the Temporal UI shows of them. Run it with `node
 * docs/images/operations.ts`, and look at the pictures.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { startBrowser } from '../../test/helpers/browser.ts';
import { startHttpReceiver } from '../../test/helpers/httpReceiver.ts';
import { type Service, startService } from '../../test/helpers/service.ts';
import { until } from '../../test/helpers/until.ts';

const guide = readFileSync(new URL('../operations.md', import.meta.url), 'utf8');
const save = (name: string, png: Buffer) =>
  writeFileSync(new URL(`${name}.png`, import.meta.url), png);
const generate = { command: 'generate_pages', templatePageSlug: '/locations/austin' };
const item = { targetPageSlug: '/locations/lisbon', context: 'City: Lisbon' };
const never = new Promise<number>(() => undefined);

/** A model that refuses the first call, and never answers the second. */
const model = await startHttpReceiver((_path, n) => (n === 1 ? 401 : never));
const receiver = await startHttpReceiver(() => 503);
const named = 'openai-compatible/pictured';
const env = {
  CALLBACK_ALLOW_PRIVATE: 'true',
  AGENT_MODEL: `rules,${named}`,
  AGENT_BASE_URL: model.url('/v1'),
};
const service = await startService({ env });
const chromium = await startBrowser();

/** A task of each kind of failure but that of the service itself, by kind. */
async function failInManyWays({ dataDir }: Service): Promise<Record<string, string>> {
  const ended = async (body: object) => {
    const id = await service.createTask(body);
    await service.waitForTask(id);
    return id;
  };
  const agent = await ended({ prompt: 'Give the home page a summer theme', model: named });
  const cancelled = await service.createTask({ prompt: 'Write a page about winter', model: named });
  await until('the call of the model', () => model.received('/v1/chat/completions').length > 1);
  await service.request('POST', `/api/v1/agent/tasks/${cancelled}/cancel`);
  const input = await ended({ ...generate, templatePageSlug: '/locations/dallas', items: [item] });
  const hook = '#!/bin/sh\necho "Only members of the team may push"\nexit 1\n';
  const hooks = join(dataDir, 'demo/site.git/hooks');
  mkdirSync(hooks, { recursive: true });
  writeFileSync(join(hooks, 'update'), hook, { mode: 0o755 });
  const site = await ended({ ...generate, items: [item], callbackUrl: receiver.url('/done') });
  return { agent, cancelled, input, site };
}

/** The ready links, as the guide has them, at this UI. */
const links = (ui: string) =>
  [...guide.matchAll(/^\[(\w+)\]: http:\/\/127\.0\.0\.1:8233(\S+)$/gm)].map(([, name, path]) => [
    name!,
    ui + path!,
  ]);

/** Opens a list. @returns the tasks that it shows, as `kinds` names them */
async function openList(page: Page, url: string, kinds: Record<string, string>) {
  await page.goto(url); // it asks again and again: the network is never idle
  await page
    .getByText(/\d+ Workflows?|No Workflows/)
    .first()
    .waitFor({ timeout: 60_000 });
  await page.waitForTimeout(3_000);
  const text = await page.locator('body').innerText();
  return Object.keys(kinds).filter((kind) => text.includes(kinds[kind]!));
}

async function openTab(page: Page, url: string, tab: string) {
  await page.goto(url);
  const link = page.locator('a', { hasText: tab }).first();
  await link.waitFor({ timeout: 60_000 });
  await page.goto(new URL((await link.getAttribute('href'))!, url).href);
  await page.waitForTimeout(3_000);
}

try {
  const kinds = await failInManyWays(service);
  const [ui] = /http:\/\/127\.0\.0\.1:\d+/.exec(
    /Temporal UI: (.*)/.exec(service.launched.stderr)![1]!,
  )!;
  const run = (kind: string) => `${ui}/namespaces/agent-tasks/workflows/${kinds[kind]!}`;
  const viewport = { width: 1280, height: 860 };
  const page = await chromium.browser.newPage({
    viewport,
    deviceScaleFactor: 0.8,
    colorScheme: 'light',
  });
  await receiver.deliveries('/done', 3);
  await openTab(page, run('site'), 'Pending Activities');
  save('pending-callback', await page.screenshot());
  const lateFirst = links(ui).toSorted(
    ([one], [other]) => Number(other === 'late') - Number(one === 'late'),
  );
  for (const [name, url] of lateFirst) {
    if (name === 'refused') await receiver.deliveries('/done', 4);
    console.log(name, await openList(page, url!, kinds));
    if (name === 'ours') save('failed-by-kind', await page.screenshot());
  }
  await openTab(page, run('site'), 'User Metadata');
  save('failed-run', await page.screenshot());
} finally {
  await chromium.close();
  await service.end();
  await Promise.all([receiver, model].map((server) => server.close()));
}
