import type { ApplicationFailure, Info } from '@temporalio/activity';
import { MockActivityEnvironment } from '@temporalio/testing';
import { expect } from 'chai';
import { setTimeout as delay } from 'node:timers/promises';
import type { ActivityAttempt } from '../../activities/activityAttempt.ts';
import type { TaskRef } from '../../activities/deps.ts';
import { observeActivities } from '../../activities/observeActivities.ts';
import { withoutUndefined } from '../../src/contract/withoutUndefined.ts';
import type { ActivityDelays } from '../../src/contract/metrics.ts';
import { limits } from '../../src/contract/task.ts';
import { DomainError } from '../../src/errors.ts';
import { createLogger } from '../../src/log.ts';
import { waitFor } from '../../src/waitCounters.ts';
import { failed, silent } from '../helpers/activities.ts';
import { until } from '../helpers/until.ts';

const LIMIT = 100;
const HEARTBEAT_EVERY = 10;
const task = {
  taskId: 'bg-1',
  organizationId: 'org-1',
  siteId: 'site-1',
  createdAt: '2026-01-02T03:04:05.678Z',
};
type Step = (
  argument: { task: TaskRef },
  signal: AbortSignal,
  attempt: ActivityAttempt,
) => Promise<unknown>;

describe('observeActivities(log, activities, { workLimit })', () => {
  /** An attempt of a step that may work for 100 ms, with its heartbeats and its log lines. */
  function attempt(
    step: Step,
    heartbeatDetails?: object,
    info: Partial<Info> = {},
    { steps = HEARTBEAT_EVERY, limit = LIMIT, level = 'info' } = {},
  ) {
    const logs: Record<string, unknown>[] = [];
    const log = createLogger(level, {
      write: (line) => logs.push(JSON.parse(line) as Record<string, unknown>),
    });
    const delays: ActivityDelays[] = [];
    const options = {
      workLimit: limit,
      heartbeats: { steps, models: steps },
      onAttemptEnd: (step: ActivityDelays) => delays.push(step),
    };
    const activities = observeActivities(log, { step }, options);
    const env = new MockActivityEnvironment({ heartbeatDetails, ...info }, { logger: silent });
    const beats: unknown[] = [];
    env.on('heartbeat', (details) => beats.push(details));
    const result: Promise<unknown> = env.run(activities.step, { task });
    return { result, beats, logs, delays };
  }

  it('ends an activity that works for too long, so that Temporal tries it again', async () => {
    const { result } = attempt((_, signal) => delay(60_000, undefined, { signal }));
    const failure = await failed(result);
    expect(failure).to.deep.include({ type: 'TOOK_TOO_LONG', retryable: true });
    expect(failure.message).to.match(/\bstep\b.*\b0\.1 s/);
  });

  it('ends a task if an activity returns more than a history can hold', async () => {
    const returns = (bytes: number) => attempt(async () => 'x'.repeat(bytes - 2)).result;
    expect(await returns(limits.resultBytes)).to.have.length(limits.resultBytes - 2);
    const failure = await failed(returns(limits.resultBytes + 1));
    expect(failure).to.deep.include({ type: 'LIMIT_EXCEEDED', retryable: false });
    expect(failure.message).to.match(/\bstep\b.*\b1500001\b.*\b1500000\b/);
  });

  it('lets an activity wait as long as it must, shows what it waits for, and logs the duration', async () => {
    const turn = Promise.withResolvers<void>();
    const { result, beats, logs } = attempt(() => waitFor('a turn', turn.promise));
    await delay(3 * LIMIT);
    expect(beats.at(-1)).to.deep.equal({ waitsFor: 'a turn' });
    turn.resolve();
    await result;
    expect(logs.at(-1)).to.include({ msg: 'activity completed' });
    // one when it begins to wait, and one when it ends; otherwise one in 4 s, however often it
    // sends them at work
    expect(beats.length, 'few heartbeats while it waits').to.be.at.most(2);
    expect(logs.at(-1)!['waitedMs']).to.be.within(2 * LIMIT, logs.at(-1)!['ms'] as number);
  });

  it('reports to the metrics how long each attempt was in its queue and in its slot', async () => {
    const turn = Promise.withResolvers<void>();
    const info = {
      taskQueue: 'agent-tasks-sites',
      currentAttemptScheduledTimestampMs: Date.now() - 7_000,
    };
    const { result, delays } = attempt(() => waitFor('a turn', turn.promise), undefined, info);
    await delay(50);
    turn.resolve();
    await result;
    expect(delays).to.have.length(1);
    expect(delays[0]).to.include({ queue: 'agent-tasks-sites' });
    expect(delays[0]!.inQueue).to.be.within(7, 60);
    expect(delays[0]!.inSlot).to.be.within(0.04, delays[0]!.inQueue);
    const ahead = attempt(() => Promise.reject(new Error('x')), undefined, {
      currentAttemptScheduledTimestampMs: Date.now() + 60_000,
    });
    await ahead.result.catch(() => undefined);
    expect(ahead.delays[0]).to.include({ inQueue: 0 });
  });

  it('knows the notes of an attempt whose worker was lost, and that the next attempt is not the first', async () => {
    const [log, seen] = [createLogger('silent'), [] as unknown[]];
    const step: Step = async (_, __, { isFirst, earlier }) => seen.push({ isFirst, earlier });
    const activity = observeActivities(log, { step }).step as (
      ...args: unknown[]
    ) => Promise<unknown>;
    const run = (info: Partial<Info>, ...lost: object[]) =>
      new MockActivityEnvironment(info, { logger: silent }).run(activity, { task }, ...lost);
    const [own, told] = [{ own: 1 }, { details: { told: 1, waitsFor: 'a turn' } }];
    await run({ attempt: 1 });
    await run({ attempt: 1 }, told);
    await run({ attempt: 1 }, {});
    await run({ attempt: 2 }, told);
    await run({ attempt: 2, heartbeatDetails: own }, told);
    expect(seen).to.deep.equal([
      { isFirst: true, earlier: undefined },
      { isFirst: false, earlier: { told: 1 } },
      { isFirst: false, earlier: undefined },
      { isFirst: false, earlier: { told: 1 } },
      { isFirst: false, earlier: own },
    ]);
  });

  it('passes the counted work time to later attempts, which continue counting from it', async () => {
    const turn = Promise.withResolvers<void>();
    const worked: number[] = [];
    const began = performance.now();
    const { result, beats } = attempt(
      async (_, __, self) => {
        self.countWork();
        worked.push(self.workedMs());
        await turn.promise;
        throw new DomainError('MODEL_FAILED', 'Busy', { retryable: true });
      },
      { workedMs: 5_000 },
    );
    await until('a heartbeat', () => beats.length > 0);
    turn.resolve();
    const failure = (await result.catch((error: unknown) => error)) as ApplicationFailure;
    const most = 5_000 + Math.ceil(performance.now() - began);
    expect(worked[0]).to.be.within(5_000, most);
    for (const { workedMs } of [beats[0], failure.details?.[0]] as { workedMs: number }[])
      expect(workedMs).to.be.within(5_000, most);
  });

  it('waits before the next attempt as long as a remote asks for, but at most five minutes', async () => {
    for (const [retryAfter, nextRetryDelay] of [
      [7_000, 7_000],
      [86_400_000, 300_000],
      [undefined, undefined],
    ]) {
      const options = { retryable: true, ...withoutUndefined({ retryAfter }) };
      const { result } = attempt(() =>
        Promise.reject(new DomainError('MODEL_FAILED', 'Too often', options)),
      );
      expect(await result.catch((error: unknown) => error)).to.include({
        nextRetryDelay,
        nonRetryable: false,
      });
    }
  });

  it('sends three heartbeats before the server considers the activity lost, at any interval', async () => {
    const work = Promise.withResolvers<void>();
    const { result, beats } = attempt(
      () => work.promise,
      undefined,
      { heartbeatTimeoutMs: 60 },
      { steps: 60_000, limit: 60_000 },
    );
    await until('heartbeats', () => beats.length >= 2);
    work.resolve();
    await result;
  });
});
