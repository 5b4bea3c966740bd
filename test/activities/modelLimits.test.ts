import { expect } from 'chai';
import { countTime } from '../../activities/modelLimits.ts';
import { DomainError } from '../../src/errors.ts';

const budget = { turns: 30, tokens: 1_000, minutes: 20, pagesChanged: 50, pagesDeleted: 5 };
const MINUTE = 60_000;

describe('countTime(attempt, budget)', () => {
  /** An attempt after others, all of which have worked so long. */
  const after = (ms: number) => {
    let counts = 0;
    return { countWork: () => void counts++, workedMs: () => ms, counts: () => counts };
  };

  it('counts the time, and retries a model call for as long as its task may work', () => {
    for (const [ms, limits] of [
      [0, budget],
      [20 * MINUTE, budget],
      [90 * MINUTE, undefined],
    ] as const) {
      const attempt = after(ms);
      countTime(attempt, limits);
      expect(attempt.counts()).to.equal(1);
    }
  });

  it('ends the task of a model call that hangs again and again', () => {
    expect(() => countTime(after(20 * MINUTE + 1), budget))
      .to.throw(DomainError, /\b20 minutes\b.*\b20\b.*\bbudget\.minutes\b/)
      .with.include({ code: 'LIMIT_EXCEEDED', retryable: false });
  });
});
