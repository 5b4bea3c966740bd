import { DomainError } from '../../errors.ts';
import { serveFunctions } from '../../threads/threadAnswer.ts';
import { calledFileName } from './calledFile.ts';
import { pageCalls } from './pageCalls.ts';

/** The thread that runs `pageCalls`. It adds the name of the page or file to their errors. */
export default serveFunctions(pageCalls, (error, args) => {
  const name = calledFileName(args);
  if (name === null) return error;
  if (error instanceof DomainError) return new DomainError(error.code, `${name}: ${error.message}`);
  if (error instanceof RangeError)
    return new DomainError(
      'PAGE_UNREADABLE',
      `${name} cannot be read, because it is nested too deeply`,
    );
  return error;
});
