import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';
import { findProgram, needProgram } from './programs.ts';

const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/**
 * The system's Chromium, without a window. Names under localhost lead to this machine by themselves.
 * @param context of the suite, which is skipped where there is no Chromium
 */
export async function startBrowser(context: Mocha.Context): Promise<{ browser: Browser; close(): Promise<void> }> {
  needProgram(context, 'Chromium');
  const home = mkdtempSync(join(tmpdir(), 'browser-'));
  const executablePath = findProgram('Chromium')!;
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
