export { taskWorkflow } from './task.ts';
