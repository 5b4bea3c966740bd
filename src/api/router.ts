import Router from '@koa/router';
import type { ApiRouter, ApiState } from './context.ts';

/** A router that takes paths as they are written. @param prefix begins all of its paths */
export const createRouter = (prefix = ''): ApiRouter =>
  new Router<ApiState>({ strict: true, sensitive: true, prefix });
