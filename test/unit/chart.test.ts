import { expect } from 'chai';
import { parse } from 'yaml';
import { settingsSchema } from '../../src/config.ts';
import { read } from '../helpers/documents.ts';

const folder = 'deploy/helm/agent-tasks';

/** The names in docs/settings.md that its table calls secrets. */
const secretNames = read('docs/settings.md')
  .split('\n')
  .flatMap((line) => /^\| `(\w+)` .* A secret\. \|$/.exec(line)?.[1] ?? []);

describe('the chart', () => {
  it('has the version of the service', () => {
    const { version } = JSON.parse(read('package.json')) as { version: string };
    expect(parse(read(`${folder}/Chart.yaml`))).to.include({ version, appVersion: version });
  });

  it('accepts neither secrets nor what it sets itself as settings', () => {
    const schema = JSON.parse(read(`${folder}/values.schema.json`)) as {
      properties: { settings: { propertyNames: { not: { enum: string[] } } } };
    };
    const refused = schema.properties.settings.propertyNames.not.enum;
    const templates = read(`${folder}/templates/_helpers.tpl`);
    const set = [...templates.matchAll(/- \{ name: ([A-Z_]+), value: /g)]
      .map(([, name]) => name!)
      .filter((name) => !name.startsWith('TEMPORAL_TLS_'));
    expect(secretNames).to.include.members(['DATABASE_URL', 'OPENAI_API_KEY']);
    expect(set).to.include.members(['ROLE', 'PUBLIC_URL']);
    expect(refused).to.have.members([...set, ...secretNames, 'HOST']);
    expect(Object.keys(settingsSchema.describe().keys as object)).to.include.members(refused);
  });
});
