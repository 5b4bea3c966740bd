import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import type { ListedSite } from '../../src/organizations/siteList.ts';
import { type Overrides, siteCommit } from './api.ts';
import { type ConsoleService, startConsole } from './consoleService.ts';

const unchanged = { changedAt: null, changedBy: null, taskId: null };

/** The console's screen for pages from a table, in Chromium; ask `needProgram` first. */
export interface TableScreen {
  page: Page;
  service: ConsoleService;
  /** What the page's policy refused, and its errors. */
  problems: string[];
  /** Opens the screen with its template chosen, and no table. */
  open(): Promise<void>;
  /** Chooses a file. */
  choose(name: string, bytes: Uint8Array): Promise<void>;
  close(): Promise<void>;
}

export async function startTableScreen(app: Overrides = {}): Promise<TableScreen> {
  const site = {
    siteId: randomUUID(),
    organizationId: '',
    name: 'Harbour',
    label: 'harbour',
    repository: { url: 'https://git.example.com/harbour.git', branch: 'main', root: '' },
    author: { name: 'Ada', email: 'ada@example.com' },
    createdAt: '2026-01-02T03:04:05.678Z',
    isLive: true,
    deployment: null,
  } as unknown as ListedSite;
  const pages = ['/', '/locations/austin'].map((slug) => ({
    slug,
    title: `Page ${slug}`,
    template: true,
    ...unchanged,
  }));
  const service = await startConsole({
    app: {
      sites: { find: () => Promise.resolve(site) },
      siteList: {
        list: () => Promise.resolve({ sites: [site], more: false }),
        find: () => Promise.resolve(site),
      },
      sitePages: { list: () => Promise.resolve({ commit: siteCommit, pages, more: false }) },
      ...app,
    },
  });
  const { person, organizationId } = await service.people.owner();
  site.organizationId = organizationId;
  const page = await service.open(person);
  const problems: string[] = [];
  page.context().on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text());
  });
  page.context().on('weberror', (error) => problems.push(String(error.error())));
  return {
    page,
    service,
    problems,
    async open() {
      await page.goto(`${service.origin}/sites/${site.siteId}/new-task?kind=table`);
      await page.getByLabel('Template', { exact: true }).selectOption('/locations/austin');
    },
    choose: (name, bytes) =>
      page
        .locator('input[type=file]')
        .setInputFiles({ name, mimeType: 'application/octet-stream', buffer: Buffer.from(bytes) }),
    close: () => service.close(),
  };
}
