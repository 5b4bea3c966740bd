import { answering } from '../../threads/answer.ts';
import { calls } from './textsCalls.ts';

export interface TextsJob {
  call: keyof typeof calls;
  args: unknown[];
}

/** Answers one call in a worker thread. */
export default answering(({ call, args }: TextsJob) =>
  (calls[call] as (...args: unknown[]) => unknown)(...args),
);
