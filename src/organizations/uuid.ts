/**
 * Whether a text is a UUID in PostgreSQL's format: five groups with hyphens, without braces (RFC
 * 9562, section 4).
 */
export function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(text);
}
