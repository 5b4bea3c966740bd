import type { Assistants } from '../../accounts/assistants/assistants.ts';
import type { ApiMiddleware } from '../context.ts';

/** Lets requests in where programs may sign people in. Elsewhere the path is not found. */
export function whereOAuthIsOn(assistants: Pick<Assistants, 'isOn'>): ApiMiddleware {
  return async function whereOAuthIsOn(_ctx, next) {
    if (assistants.isOn()) await next();
  };
}
