import Router from '@koa/router';
import type { ApiRouter, ApiState } from './context.ts';

/**
 * A router that is strict about case and trailing slashes.
 * @param prefix start of all its paths
 */
export const createRouter = (prefix = ''): ApiRouter =>
  new Router<ApiState>({ strict: true, sensitive: true, prefix });
