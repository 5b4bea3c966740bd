// The protocols of three more providers: each is a whole task of twenty turns, and ten pages.
import { describeModelTasks } from '../helpers/modelTasks.ts';

describeModelTasks(['anthropic', 'openai', 'google']);
