/** The workflow before it was changed. */
export { taskWorkflow } from '../../../workflows/index.ts';
