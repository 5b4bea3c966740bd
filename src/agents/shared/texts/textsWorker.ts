import { serveFunctions } from '../../../threads/threadAnswer.ts';
import { textCalls } from './textsCalls.ts';

export default serveFunctions(textCalls);
