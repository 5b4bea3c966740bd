import type { BrowserContext, Page } from 'playwright-core';
import { startBrowser } from './browser.ts';
import { type Browser, type People, startPeople } from './people.ts';

const WITHIN_MS = 120_000;

export interface ConsoleService {
  people: People;
  /** `http://localhost:<port>` */
  origin: string;
  /** A window of a person who is signed in. Nothing moves in it. */
  open(person: Browser): Promise<Page>;
  close(): Promise<void>;
}

/** The console and the API in front of real accounts, and Chromium; ask `needProgram` first. */
export async function startConsole(
  options: Parameters<typeof startPeople>[0] = {},
): Promise<ConsoleService> {
  const started = await startBrowser();
  const address = { port: 0 };
  const publicUrl = () => new URL(`http://localhost:${address.port}`);
  const people = await startPeople({ ...options, publicUrl });
  address.port = people.api.port;
  const { origin } = publicUrl();
  return {
    people,
    origin,
    async open(person) {
      const context: BrowserContext = await started.browser.newContext({ reducedMotion: 'reduce' });
      context.setDefaultTimeout(WITHIN_MS);
      await context.addCookies(
        [...person.cookies].map(([name, value]) => ({ name, value, url: origin })),
      );
      return context.newPage();
    },
    async close() {
      await started.close();
      await people.close();
    },
  };
}
