import { serveFunctions } from '../../threads/threadAnswer.ts';
import { readJsonBatch, readTableRows } from './readBatch.ts';

/** The functions that worker threads run to read a request for a batch. */
const calls = { readJsonBatch, readTableRows };
export type BatchCalls = typeof calls;

export default serveFunctions(calls);
