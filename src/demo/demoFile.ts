import { open, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** The contents of `<dataDir>/demo.json`: all that a client needs for its first request. */
export interface DemoFile {
  /** With the version segment, e.g. `http://localhost:3000/api/v1`. */
  baseUrl: string;
  apiKey: string;
  organizationId: string;
  siteId: string;
  /** Absent with an external Temporal server. */
  temporalUiUrl?: string | undefined;
}

/**
 * Writes `<dataDir>/demo.json`, readable by its owner only. Readers see the old or the new file,
 * never half of one.
 * @returns the file's path
 */
export async function writeDemoFile(dataDir: string, demo: DemoFile): Promise<string> {
  const path = demoFilePath(dataDir);
  const draft = `${path}.new`;
  await rm(draft, { force: true });
  const draftFile = await open(draft, 'wx', 0o600);
  try {
    await draftFile.writeFile(`${JSON.stringify(demo, null, 2)}\n`);
    await draftFile.sync();
  } finally {
    await draftFile.close();
  }
  await rename(draft, path);
  return path;
}

/** The API key that an earlier start wrote; null if the file or the key is missing. */
export async function readDemoKey(dataDir: string): Promise<string | null> {
  const fileText = await readFile(demoFilePath(dataDir), 'utf8').catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return null;
      throw error;
    },
  );
  return fileText === null ? null : demoKeyIn(fileText);
}

function demoKeyIn(fileText: string): string | null {
  try {
    const { apiKey } = JSON.parse(fileText) as { apiKey?: unknown };
    return typeof apiKey === 'string' ? apiKey : null;
  } catch {
    return null;
  }
}

function demoFilePath(dataDir: string): string {
  return join(dataDir, 'demo.json');
}
