export { batchWorkflow } from './batch.ts';
export { cleanUpWorkflow } from './cleanUp.ts';
export { eventWorkflow } from './deliverEvent.ts';
export { redeliverWorkflow } from './redeliver.ts';
export { taskWorkflow } from './task.ts';
