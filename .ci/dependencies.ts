/** A package-lock.json of version 3, as far as it is read here. */
export interface Lockfile {
  lockfileVersion: number;
  packages: Record<string, LockedPackage>;
}

interface LockedPackage {
  version?: string;
  resolved?: string;
  integrity?: string;
  license?: string;
  link?: boolean;
  hasInstallScript?: boolean;
}

/** Licences under which a project under MIT may use and install a package. */
const licences = new Set(
  'MIT MIT-0 ISC 0BSD BSD-2-Clause BSD-3-Clause Apache-2.0 BlueOak-1.0.0 Unlicense CC0-1.0 Python-2.0 PSF-2.0'.split(
    ' ',
  ),
);
/**
 * Packages whose lockfile entry says less than the package does, or of which nothing is passed on.
 */
const looked: Record<string, string> = {
  ...Object.fromEntries(
    ['ssh2', 'cpu-features', 'buildcheck'].map((name) => [
      name,
      'MIT by its LICENSE file; package.json says so in an old way',
    ]),
  ),
  unionfs: 'Unlicense by its LICENSE file; package.json has no licence',
  'axe-core': 'MPL-2.0: a tool of the tests, unchanged, that is not passed on',
  'caniuse-lite': 'CC-BY-4.0: data that the bundler reads, and that is not passed on',
};

/**
 * Problems of the packages to install: no checksum, a source other than a registry, an install
 * script without a decision, or a licence that is incompatible with MIT.
 * @param allowScripts by package name, what package.json decided about install scripts
 */
export function problemsOf(
  { lockfileVersion, packages }: Lockfile,
  allowScripts: Record<string, boolean>,
): string[] {
  if (lockfileVersion !== 3)
    return [`package-lock.json is of version ${lockfileVersion}, 3 was expected`];
  return Object.entries(packages).flatMap(([path, locked]) => {
    if (path === '') return [];
    const name = nameOf(path);
    const about = `${path} ${locked.version ?? ''}`;
    return [
      ...(isFromRegistry(locked)
        ? []
        : [`${about} comes from ${locked.resolved ?? 'a link'}, not from a registry`]),
      ...(/^sha512-/.test(locked.integrity ?? '') ? [] : [`${about} has no SHA-512 checksum`]),
      ...(locked.hasInstallScript && !Object.hasOwn(allowScripts, name)
        ? [
            `${about} has an install script, and allowScripts in package.json says nothing about ${name}`,
          ]
        : []),
      ...(name in looked || isFree(locked.license)
        ? []
        : [`${about} is under ${locked.license ?? 'no known licence'}`]),
    ];
  });
}

const nameOf = (path: string) => path.split('node_modules/').at(-1) ?? '';

/** A lockfile may leave the address out: then it is the configured registry's. */
const isFromRegistry = ({ link, resolved = 'https:' }: LockedPackage) =>
  link !== true && /^https:/.test(resolved);

/** SPDX expressions of names, AND, OR and one pair of brackets: all that lockfiles have. */
const isFree = (expression = '') =>
  expression
    .replace(/^\((.*)\)$/, '$1')
    .split(' OR ')
    .some((choice) => choice.split(' AND ').every((licence) => licences.has(licence)));

/** What `npm audit --json` said: the vulnerable packages, or why it could not be asked. */
export type Audit = { vulnerable: string[] } | { unasked: string };

export function readAudit(output: string): Audit {
  try {
    const report = JSON.parse(output) as {
      vulnerabilities?: Record<string, { severity: string }>;
      message?: string;
    };
    if (!report.vulnerabilities)
      return { unasked: report.message ?? 'the registry gave no report' };
    const found = Object.entries(report.vulnerabilities);
    return { vulnerable: found.map(([name, { severity }]) => `${name} (${severity})`) };
  } catch {
    return { unasked: 'npm audit did not answer with a report' };
  }
}
