import { DomainError } from '../errors.ts';
import { projectPattern } from './forgeLocation.ts';

/**
 * Makes a path of an API: the values are encoded, and stay one segment each. Those from a forge may
 * have half of a surrogate pair, which is not encodable.
 */
export const forgePath = (parts: TemplateStringsArray, ...values: (string | number)[]): string =>
  parts.reduce((builtPath, part, index) => builtPath + encodeSegment(values[index - 1]!) + part);

const encodeSegment = (value: string | number) => encodeURIComponent(String(value).toWellFormed());

/**
 * The path of a project, `owner/name`, below a forge's API.
 * @throws DomainError CONFIGURATION for a text that is no project
 */
export function projectPath(project: string): string {
  if (projectPattern.test(project)) return `/repos/${project}`;
  throw new DomainError(
    'CONFIGURATION',
    `"${project}" is not a project of a forge. Expected owner/name`,
  );
}
