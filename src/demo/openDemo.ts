import { writeDemoFile } from './demoFile.ts';
import type { SeededDemo } from './seedDemo.ts';

/** The demo's ids and API key, for a first request. */
export interface OpenedDemo {
  organizationId: string;
  siteId: string;
  /** Set only at the start that creates the key. Later, the key is only in `file`. */
  apiKey: string | undefined;
  /** Path of demo.json. */
  file: string;
}

interface OpenDemoOptions {
  dataDir: string;
  seededDemo: SeededDemo;
  /** The API's URL, with the version segment. */
  baseUrl: string;
  temporalUiUrl: string | undefined;
}

/** Writes the ids and the key of the demo to `<dataDir>/demo.json`. */
export async function openDemo({
  dataDir,
  seededDemo,
  baseUrl,
  temporalUiUrl,
}: OpenDemoOptions): Promise<OpenedDemo> {
  const { isNewKey, ...demo } = seededDemo;
  const file = await writeDemoFile(dataDir, { baseUrl, ...demo, temporalUiUrl });
  return { ...demo, apiKey: isNewKey ? demo.apiKey : undefined, file };
}
