import { existsSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** The documents that `/docs/NAME` shows as pages, in the order in which their menu lists them. */
export const documentGroups: Record<string, readonly string[]> = {
  'Use it': [
    'readme',
    'api',
    'prompts',
    'checks',
    'callbacks',
    'webhooks',
    'mcp',
    'console',
    'editor',
    'teams',
  ],
  'Run it': [
    'deployment',
    'settings',
    'hosts',
    'operations',
    'upgrading',
    'security',
    'troubleshooting',
    'performance',
  ],
  'Understand it': [
    'how-it-works',
    'architecture',
    'agents',
    'queues',
    'contract',
    'decisions',
    'glossary',
  ],
};

export const documentNames = Object.values(documentGroups).flat();

const readmeFile = new URL('../../../README.md', import.meta.url);
const documentFolder = new URL('../../../docs/', import.meta.url);

/** Where the file of a document is. */
export const documentFile = (name: string): URL =>
  name === 'readme' ? readmeFile : new URL(`${name}.md`, documentFolder);

const pictureFolder = fileURLToPath(new URL('images/', documentFolder));

/** Where the file of a picture is. undefined if there is none with this name. */
export function pictureFile(name: string): URL | undefined {
  const path = join(pictureFolder, name);
  const isPicture = extname(name) === '.png' && basename(name) === name;
  return isPicture && existsSync(path) ? pathToFileURL(path) : undefined;
}
