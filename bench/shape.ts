import { proxyActivities } from '@temporalio/workflow';

export interface NoOps {
  read(): Promise<void>;
  page(): Promise<void>;
  commit(): Promise<void>;
  deploy(): Promise<void>;
}

const { read, page, commit, deploy } = proxyActivities<NoOps>({ startToCloseTimeout: '1 minute' });

/** A generate_pages task without its work: the same activities in the same order, each of which does nothing. */
export async function shape(pages: number): Promise<void> {
  await read();
  await Promise.all(Array.from({ length: pages }, () => page()));
  await commit();
  await deploy();
}
