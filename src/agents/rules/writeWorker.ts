import type { PageItem } from '../../contract/task.ts';
import { DomainError, type ErrorCode } from '../../errors.ts';
import type { GeneratedPage, TemplatePage } from '../agent.ts';
import { writePage } from './page/writePage.ts';

export interface WriteJob {
  template: TemplatePage;
  item: PageItem;
}

export type WriteAnswer = { page: GeneratedPage } | { code: ErrorCode; message: string; retryable: boolean };

/** Writes one page in a worker thread. Errors of ours come back as data: a class does not survive the way between threads. */
export default function run({ template, item }: WriteJob): WriteAnswer {
  try {
    return { page: writePage(template, item) };
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return { code: error.code, message: error.message, retryable: error.retryable };
  }
}
