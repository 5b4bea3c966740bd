import type { Assistants } from '../../accounts/assistants/assistants.ts';
import type { ApiMiddleware } from '../context.ts';

/** Lets requests in if assistants may sign people in by OAuth. Otherwise the path is not found. */
export function whereOAuthIsOn(assistants: Pick<Assistants, 'isOn'>): ApiMiddleware {
  return async function whereOAuthIsOn(_ctx, next) {
    if (assistants.isOn()) await next();
  };
}
