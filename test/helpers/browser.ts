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

/**
 * The system's Chromium, without a window; ask `needProgram` first. It resolves names under
 * localhost itself.
 * @param more flags beside those of all tests
 */
export async function startBrowser(
  more: string[] = [],
): Promise<{ browser: Browser; close(): Promise<void> }> {
  const home = mkdtempSync(join(tmpdir(), 'browser-'));
  const executablePath = findProgram('Chromium') ?? 'chromium';
  const env = { PATH: process.env.PATH ?? '', HOME: home };
  const args = [...flags, ...more];
  const options = { executablePath, args, env, timeout: START_WITHIN_MS };
  const browser = await chromium.launch(options);
  return {
    browser,
    async close() {
      await browser.close();
      rmSync(home, { recursive: true, force: true });
    },
  };
}
