import type { ForgeKind } from '../contract/site.ts';
import { DomainError } from '../errors.ts';
import { locateProject } from './forgeLocation.ts';

/**
 * Builds a path of an API as a template: `` forgePath`/branches/${'a/b'}` `` → `/branches/a%2Fb`.
 * Values are encoded, so each stays one segment. A value from a forge may contain half of a
 * surrogate pair, which can't be encoded and is replaced.
 */
export const forgePath = (parts: TemplateStringsArray, ...values: (string | number)[]): string =>
  parts.reduce((builtPath, part, index) => builtPath + encodeSegment(values[index - 1]!) + part);

const encodeSegment = (value: string | number) => encodeURIComponent(String(value).toWellFormed());

/**
 * The path of a project below a forge's API.
 * @throws DomainError CONFIGURATION for a text that is not a project
 */
export function projectPath(forge: ForgeKind, project: string): string {
  const location = locateProject(forge, project);
  if ('root' in location) return location.root;
  throw new DomainError(
    'CONFIGURATION',
    `"${project}" is not a project of a forge. Expected ${location.projectForm}`,
  );
}
