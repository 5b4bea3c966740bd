import { proxyActivities } from '@temporalio/workflow';

export interface NoOps {
  read(): Promise<void>;
  page(): Promise<void>;
  commit(): Promise<void>;
  deploy(): Promise<void>;
  publish(): Promise<void>;
  callback(): Promise<void>;
}

/** What a generate_pages task is asked for. */
export interface Shape {
  pages: number;
  publish?: boolean;
  callback?: boolean;
}

const { read, page, commit, deploy, publish, callback } = proxyActivities<NoOps>({
  startToCloseTimeout: '1 minute',
});

/**
 * A generate_pages task without its work: the same activities in the same order, each of which does
 * nothing.
 * @param input a task's own input, so that the start carries the same bytes
 */
export async function shape(asked: Shape, input?: unknown): Promise<void> {
  void input;
  await read();
  await Promise.all(Array.from({ length: asked.pages }, () => page()));
  await commit();
  await deploy();
  if (asked.publish) {
    await publish();
    await deploy();
  }
  if (asked.callback) await callback();
}
