import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';
import { findProgram } from './programs.ts';

const START_WITHIN_MS = 120_000;
const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

interface StartedBrowser {
  browser: Browser;
  close(): Promise<void>;
}

/** What the test files of this process share. */
let shared: StartedBrowser | undefined;

/**
 * The system's Chromium, without a window; ask `needProgram` first. It resolves names under
 * localhost itself. Where Mocha runs several files in this process, they share it, and `close` ends
 * the file's windows.
 * @param more flags beside those of all tests: for a browser of the file's own
 */
export async function startBrowser(more: string[] = []): Promise<StartedBrowser> {
  if (more.length > 0 || process.env['MOCHA_WORKER_ID'] === undefined) return launch(more);
  if (!shared?.browser.isConnected()) shared = await launch([]);
  const { browser } = shared;
  const close = async () => {
    await Promise.all(browser.contexts().map((context) => context.close()));
  };
  return { browser, close };
}

async function launch(more: string[]): Promise<StartedBrowser> {
  const home = mkdtempSync(join(tmpdir(), 'browser-'));
  const removeHome = () => rmSync(home, { recursive: true, force: true, maxRetries: 5 });
  process.once('exit', removeHome);
  const executablePath = findProgram('Chromium') ?? 'chromium';
  const env = { PATH: process.env.PATH ?? '', HOME: home };
  const args = [...flags, ...more];
  const options = { executablePath, args, env, timeout: START_WITHIN_MS };
  const browser = await chromium.launch(options);
  return {
    browser,
    async close() {
      await browser.close();
      process.off('exit', removeHome);
      removeHome();
    },
  };
}
