import type { Locator, Page } from 'playwright-core';

/**
 * Seconds of the keystroke-level model (Card, Moran and Newell, 1980): a key, moving the pointer
 * and clicking, a tap, and deciding what to do next. People read 240 words a minute.
 */
const SECONDS = { key: 0.28, click: 1.3, tap: 0.9, decision: 1.35, word: 0.25 } as const;

/** What a person does on a screen, counted, with an estimate of the time that it takes. */
export class CountedInputs {
  clicks = 0;
  keys = 0;
  taps = 0;
  #words = 0;
  readonly #page: Page;
  readonly #began = performance.now();

  constructor(page: Page) {
    this.#page = page;
  }

  async click(target: Locator): Promise<void> {
    await target.click();
    this.clicks++;
  }

  async tap(target: Locator): Promise<void> {
    await target.tap();
    this.taps++;
  }

  /** Two clicks: one opens the list, and one chooses from it. */
  async choose(field: Locator, label: string): Promise<void> {
    await field.selectOption({ label });
    this.clicks += 2;
  }

  async press(key: string): Promise<void> {
    await this.#page.keyboard.press(key);
    this.keys++;
  }

  async type(field: Locator, text: string): Promise<void> {
    await field.fill(text);
    this.keys += text.length;
  }

  /** Counts the words of what a person reads before the next decision. */
  async read(what: Locator): Promise<string> {
    const text = await what.innerText();
    this.#words += text.split(/\s+/).filter(Boolean).length;
    return text;
  }

  get total(): number {
    return this.clicks + this.keys + this.taps;
  }

  /** The minutes that the person needs, without those in which the service works. */
  get personMinutes(): number {
    const { clicks, keys, taps } = this;
    const seconds =
      keys * SECONDS.key +
      clicks * SECONDS.click +
      taps * SECONDS.tap +
      this.total * SECONDS.decision +
      this.#words * SECONDS.word;
    return seconds / 60;
  }

  /** The minutes that went by, in which the test's browser pressed everything at once. */
  get machineMinutes(): number {
    return (performance.now() - this.#began) / 60_000;
  }
}
