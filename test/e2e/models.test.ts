import { describeModelTasks } from '../helpers/modelTasks.ts';

describeModelTasks(['openai-compatible']);
