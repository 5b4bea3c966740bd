import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { readConfig } from '../../src/config.ts';
import { createLogger } from '../../src/log.ts';
import { startService } from '../../src/service.ts';
import { temporaryFolder } from '../helpers/database.ts';

describe('startService(config)', () => {
  const folder = temporaryFolder();
  after(() => folder.remove());

  /** What a start logs that goes no further than its data folder, which is a file. */
  async function warningsOf(
    env: Record<string, string>,
  ): Promise<{ level: string; msg: string }[]> {
    const DATA_DIR = join(folder.path, 'file');
    writeFileSync(DATA_DIR, '');
    const lines: string[] = [];
    const logger = createLogger('warn', { write: (line) => lines.push(line) });
    const start = startService(readConfig({ DATA_DIR, ...env }), {
      logger,
      progress: () => undefined,
    });
    const error = await start.then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    expect(error).to.include({ code: 'CONFIGURATION' });
    return lines.map((line) => JSON.parse(line) as { level: string; msg: string });
  }
  const production = { NODE_ENV: 'production', PUBLIC_URL: 'https://api.example.com' };

  it('warns in production with a line for each domain under which sites or previews can harm each other', async () => {
    const lines = await warningsOf({ ...production, PREVIEW_DOMAIN: 'acme-previews.example' });
    expect(lines.map(({ level, msg }) => [level, msg.split(' ', 2).join(' ')])).to.deep.equal([
      ['warn', 'SITES_DOMAIN sites.localhost'],
      ['warn', 'PREVIEW_DOMAIN acme-previews.example'],
    ]);
  });

  it('does not warn about public suffixes, nor in development', async () => {
    expect(
      await warningsOf({ ...production, SITES_DOMAIN: 'fly.dev', PREVIEW_DOMAIN: 'github.io' }),
    ).to.be.empty;
    expect(await warningsOf({})).to.be.empty;
  });
});
