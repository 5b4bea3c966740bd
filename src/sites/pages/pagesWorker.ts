import { DomainError } from '../../errors.ts';
import { serve } from '../../threads/answer.ts';
import { nameIn } from './calledFile.ts';
import { calls } from './pagesCalls.ts';

export default serve(calls, (error, args) => {
  const name = nameIn(args);
  if (name === null) return error;
  if (error instanceof DomainError) return new DomainError(error.code, `${name}: ${error.message}`);
  if (error instanceof RangeError)
    return new DomainError('PAGE_UNREADABLE', `${name} can't be read: it is nested too deeply`);
  return error;
});
