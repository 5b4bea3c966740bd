import { writeDemoFile } from './demoFile.ts';
import { seedDemo, type SeedDeps } from './seed.ts';

/** The demo's ids and API key, for a first request. */
export interface Demo {
  organizationId: string;
  siteId: string;
  /** Set only at the start that makes the key. Later, the key is only in `file`. */
  apiKey: string | undefined;
  /** Path of demo.json. */
  file: string;
}

interface Options extends SeedDeps {
  /** The API's URL, with the version segment. */
  baseUrl: string;
  temporalUiUrl: string | undefined;
}

/** Makes or finds the demo site, and writes `<dataDir>/demo.json`. Throws as `seedDemo`. */
export async function openDemo({ baseUrl, temporalUiUrl, ...deps }: Options): Promise<Demo> {
  const { isNewKey, ...demo } = await seedDemo(deps);
  const file = await writeDemoFile(deps.dataDir, { baseUrl, ...demo, temporalUiUrl });
  return { ...demo, apiKey: isNewKey ? demo.apiKey : undefined, file };
}
