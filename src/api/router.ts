import Router from '@koa/router';
import type { ApiRouter, ApiState } from './context.ts';

/**
 * A router that is strict about case and trailing slashes.
 * @param prefix start of all its paths
 * @param options.strict false: a path may end with a slash
 */
export const createRouter = (prefix = '', { strict = true } = {}): ApiRouter =>
  new Router<ApiState>({ strict, sensitive: true, prefix });
