import { serve } from '../../threads/answer.ts';
import { calls } from './textsCalls.ts';

export default serve(calls);
