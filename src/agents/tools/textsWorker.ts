import { serveFunctions } from '../../threads/answer.ts';
import { textCalls } from './textsCalls.ts';

export default serveFunctions(textCalls);
