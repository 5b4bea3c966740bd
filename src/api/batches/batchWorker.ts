import { answering } from '../../threads/answer.ts';
import { readBatch } from './readBatch.ts';

/** Reads a request for a batch in a worker thread. */
export default answering(readBatch);
