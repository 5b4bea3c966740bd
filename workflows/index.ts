export { redeliverWorkflow } from './redeliver.ts';
export { taskWorkflow } from './task.ts';
