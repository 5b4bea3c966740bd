import { DisplayString, parseItem } from 'structured-headers';

/**
 * What an answer's `Agent-Tasks-Error` says beyond its text, in brackets; empty where it says
 * nothing.
 */
export function reasonIn(headers: Headers): string {
  try {
    const [, parameters] = parseItem(headers.get('Agent-Tasks-Error') ?? '');
    const reason = parameters.get('reason') as unknown;
    return typeof reason === 'string' || reason instanceof DisplayString
      ? ` (${reason.toString()})`
      : '';
  } catch {
    return ''; // no such field: a proxy's answer
  }
}
