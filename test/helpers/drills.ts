import type { Service } from './service.ts';
import type { HttpReceiver } from './httpReceiver.ts';
import { citiesBody, type TeamSite } from './team/site.ts';
import { until } from './until.ts';

const WITHIN_MS = 300_000;
const [EVERY_MS, AGAIN_AFTER_MS] = [8_000, 500];
/** The receiver's path of all callbacks. */
const PATH = '/drills';

/** A task of the load. */
export interface LoadTask {
  number: number;
  city: string;
  publish: boolean;
  taskId: string;
}

/** What the clients of a drill saw. */
export interface ClientReport {
  created: number;
  /** Requests that were not answered, or answered with a server error. */
  repeated: number;
  /** The statuses of these answers; 0: none. */
  statuses: Set<number>;
  longestMs: number;
}

interface LoadTarget {
  /** The API processes, which a careful client asks in turn. */
  apis: () => readonly Service[];
  site: TeamSite;
  receiver: HttpReceiver;
}

/**
 * A client that creates a task every eight seconds, as long as it runs, and publishes every second
 * one. It repeats a request with the same `Idempotency-Key` until it is answered, at the next API
 * process each time, as a proxy in front of them would.
 */
export class DrillLoad {
  readonly tasks: LoadTask[] = [];
  readonly #target: LoadTarget;
  readonly #creations = new Set<Promise<void>>();
  #timer: NodeJS.Timeout | undefined;
  #report = emptyReport();
  #failure: unknown;

  constructor(target: LoadTarget) {
    this.#target = target;
  }

  start(): void {
    this.#timer = setInterval(() => this.#begin(), EVERY_MS);
  }

  /** Stops, and waits until every request is answered. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await Promise.all(this.#creations);
    if (this.#failure !== undefined) throw this.#failure as Error;
  }

  /** @returns what the clients saw since the last call */
  takeReport(): ClientReport {
    const report = this.#report;
    this.#report = emptyReport();
    return report;
  }

  /** The tasks whose callbacks have arrived. */
  finished = () =>
    new Set(this.#target.receiver.received(PATH).map(({ headers }) => headers['webhook-id']));

  /** Waits until all tasks so far are finished, and one that is created from now on. */
  async untilWorking(): Promise<void> {
    const count = this.tasks.length + 1;
    await until(
      'the callbacks of all tasks',
      () => {
        if (this.#failure !== undefined) throw this.#failure as Error;
        const finished = this.finished();
        const tasks = this.tasks.slice(0, count);
        return tasks.length === count && tasks.every(({ taskId }) => finished.has(taskId));
      },
      WITHIN_MS,
    );
  }

  /** Sends the request of a task until it is answered. @returns the taskId */
  async send({ number, city, publish }: LoadTask): Promise<string> {
    const { apis, site, receiver } = this.#target;
    const body = citiesBody([city], { publish, callbackUrl: receiver.url(PATH) });
    const began = performance.now();
    let attempt = number;
    const taskId = await until(
      `the creation of task ${number}`,
      async () => {
        const all = apis();
        const reply = await all[attempt++ % all.length]!.postTask(
          { siteId: site.siteId, ...body },
          { 'idempotency-key': `drill-${number}` },
        ).catch(() => null);
        if (reply?.status === 200) return reply.json.taskId as string;
        if (reply && reply.status < 500) throw new Error(`${reply.status}: ${reply.text}`);
        this.#report.repeated++;
        this.#report.statuses.add(reply?.status ?? 0);
        return null;
      },
      WITHIN_MS,
      AGAIN_AFTER_MS,
    );
    this.#report.longestMs = Math.max(this.#report.longestMs, performance.now() - began);
    this.#report.created++;
    return taskId;
  }

  #begin(): void {
    const number = this.tasks.length;
    const task = { number, city: `Town-${number}`, publish: number % 2 === 0, taskId: '' };
    this.tasks.push(task);
    const creation = this.send(task).then(
      (taskId) => void (task.taskId = taskId),
      (error: unknown) => void (this.#failure ??= error),
    );
    this.#creations.add(creation);
    void creation.then(() => this.#creations.delete(creation));
  }
}

const emptyReport = (): ClientReport => ({
  created: 0,
  repeated: 0,
  statuses: new Set(),
  longestMs: 0,
});
