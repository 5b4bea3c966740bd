import { DisplayString, parseItem } from 'structured-headers';

/**
 * The reason that the `Agent-Tasks-Error` header of a response gives beyond its text, in brackets;
 * '' if it gives none.
 */
export function reasonIn(headers: Headers): string {
  try {
    const [, parameters] = parseItem(headers.get('Agent-Tasks-Error') ?? '');
    const reason = parameters.get('reason') as unknown;
    return typeof reason === 'string' || reason instanceof DisplayString
      ? ` (${reason.toString()})`
      : '';
  } catch {
    // A proxy's response has no such header.
    return '';
  }
}
