import { writeDemoFile } from './demoFile.ts';
import { seedDemo, type SeedDependencies } from './seedDemo.ts';

/** The demo's ids and API key, for a first request. */
export interface OpenedDemo {
  organizationId: string;
  siteId: string;
  /** Set only at the start that creates the key. Later, the key is only in `file`. */
  apiKey: string | undefined;
  /** Path of demo.json. */
  file: string;
}

interface OpenDemoOptions extends SeedDependencies {
  /** The API's URL, with the version segment. */
  baseUrl: string;
  temporalUiUrl: string | undefined;
}

/**
 * Creates or finds the demo organization with its sites and key, and writes `<dataDir>/demo.json`.
 * `seedDemo.ts` says what the demo is.
 * @throws DomainError as `seedDemo`
 */
export async function openDemo({
  baseUrl,
  temporalUiUrl,
  ...seedDeps
}: OpenDemoOptions): Promise<OpenedDemo> {
  const { isNewKey, ...demo } = await seedDemo(seedDeps);
  const file = await writeDemoFile(seedDeps.dataDir, { baseUrl, ...demo, temporalUiUrl });
  return { ...demo, apiKey: isNewKey ? demo.apiKey : undefined, file };
}
