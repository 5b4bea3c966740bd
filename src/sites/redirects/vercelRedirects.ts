import Joi from 'joi';
import type { Redirect } from './redirects.ts';

/** A redirect of `vercel.json` (vercel.com/docs/project-configuration, "redirects"). */
export interface VercelRedirect {
  source: string;
  destination: string;
  permanent?: boolean;
  statusCode?: number;
  has?: unknown;
  missing?: unknown;
  env?: unknown;
}

const redirect = Joi.object({
  source: Joi.string().required(),
  destination: Joi.string().required(),
  permanent: Joi.boolean(),
  statusCode: Joi.number().integer(),
}).unknown();

/** Whether a member of `redirects` has the form of one. */
export const isVercelRedirect = (value: unknown): value is VercelRedirect =>
  redirect.validate(value, { convert: false }).error === undefined;

/** Whether a redirect applies only to some requests. */
export const isConditional = ({ has, missing, env }: VercelRedirect): boolean =>
  [has, missing, env].some((condition) => condition !== undefined);

export const statusOf = ({ permanent = true, statusCode }: VercelRedirect): number =>
  statusCode ?? (permanent ? 308 : 307);

/** The redirects of a `vercel.json` that apply to every request. Other forms are left out. */
export function vercelRedirects(source: string): Redirect[] {
  const { redirects } = (parsed(source) ?? {}) as { redirects?: unknown };
  if (!Array.isArray(redirects)) return [];
  return redirects
    .filter(isVercelRedirect)
    .filter((one) => !isConditional(one))
    .map((one) => ({
      from: one.source,
      to: one.destination,
      status: statusOf(one),
      isForced: false,
    }));
}

function parsed(source: string): unknown {
  try {
    return JSON.parse(source.replace(/^\uFEFF/, '')) as unknown;
  } catch {
    return undefined;
  }
}
