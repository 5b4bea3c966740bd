export { batchWorkflow } from './batch.ts';
export { cleanUpWorkflow } from './cleanUp.ts';
export { redeliverWorkflow } from './redeliver.ts';
export { taskWorkflow } from './task.ts';
