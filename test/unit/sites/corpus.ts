import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { PageSource } from '../../../src/sites/formats/format.ts';

/** A site for tests: pages that we wrote, and pages that others wrote. */
export interface CorpusSite {
  name: string;
  pages: PageSource[];
  paths: string[];
}

const load = (name: string, folder: URL): CorpusSite => {
  const cwd = fileURLToPath(folder);
  const paths = globSync('**/*.*', { cwd }).sort();
  const pages = paths
    .filter((path) => path.endsWith('.html'))
    .map((path) => ({ path, source: readFileSync(new URL(path, folder), 'utf8') }));
  return { name, pages, paths };
};

const npmSite = (name: string) =>
  load(name, new URL(`../../../node_modules/${name}/dist/`, import.meta.url));
const modernBusiness = npmSite('startbootstrap-modern-business');

export const corpus: CorpusSite[] = [
  load('the demo site', new URL('../../../src/demo/site/', import.meta.url)),
  modernBusiness,
];

/** Seventeen pages that others wrote, with their faults. */
export const npmSites: CorpusSite[] = [
  modernBusiness,
  ...['clean-blog', 'agency', 'creative', 'freelancer', 'grayscale'].map((name) =>
    npmSite(`startbootstrap-${name}`),
  ),
];
