import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';

const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** The system's Chromium, without a window. Names under localhost lead to this machine by themselves. */
export async function startBrowser(): Promise<{ browser: Browser; close(): Promise<void> }> {
  const home = mkdtempSync(join(tmpdir(), 'browser-'));
  const executablePath = execFileSync('which', ['chromium'], { encoding: 'utf8' }).trim();
  const env = { PATH: process.env.PATH ?? '', HOME: home };
  const browser = await chromium.launch({ executablePath, args: flags, env });
  return {
    browser,
    async close() {
      await browser.close();
      rmSync(home, { recursive: true, force: true });
    },
  };
}
