import type { PlannedRule } from './planRedirects.ts';
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

const isMaybe = (type: string, value: unknown) => value === undefined || typeof value === type;

/** Whether a member of `redirects` has the form of one. */
export function isVercelRedirect(value: unknown): value is VercelRedirect {
  if (typeof value !== 'object' || value === null) return false;
  const { source, destination, permanent, statusCode } = value as Record<string, unknown>;
  return (
    typeof source === 'string' &&
    typeof destination === 'string' &&
    isMaybe('boolean', permanent) &&
    isMaybe('number', statusCode)
  );
}

/** Whether a redirect applies only to some requests. */
const isConditional = ({ has, missing, env }: VercelRedirect): boolean =>
  [has, missing, env].some((condition) => condition !== undefined);

const statusOf = ({ permanent = true, statusCode }: VercelRedirect): number =>
  statusCode ?? (permanent ? 308 : 307);

/** What a member of `redirects` means; null if it has not the form of one. */
export const plannedRedirect = (value: unknown): PlannedRule | null =>
  isVercelRedirect(value)
    ? {
        from: value.source,
        to: value.destination,
        status: statusOf(value),
        isPlain: !isConditional(value),
        isForced: false,
      }
    : null;

/** The redirects of a `vercel.json` that apply to every request. Other forms are left out. */
export function vercelRedirects(source: string): Redirect[] {
  const { redirects } = (parsed(source) ?? {}) as { redirects?: unknown };
  if (!Array.isArray(redirects)) return [];
  return redirects
    .map(plannedRedirect)
    .filter((rule) => rule !== null)
    .filter(({ isPlain }) => isPlain);
}

function parsed(source: string): unknown {
  try {
    return JSON.parse(source.replace(/^\uFEFF/, '')) as unknown;
  } catch {
    return undefined;
  }
}
