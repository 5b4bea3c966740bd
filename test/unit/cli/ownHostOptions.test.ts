import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import Joi from 'joi';
import { host } from '../../../src/api/routes/siteHost.schema.ts';
import {
  givenHost,
  type OwnHostOptions,
  ownHostOptions,
  withOwnHost,
} from '../../../src/cli/ownHostOptions.ts';
import { fieldsOf, ownHostOf } from '../../../src/console/browser/ownHost.ts';
import { temporaryFolder } from '../../helpers/database.ts';

/** The fields of a team's own host, as the API describes them. */
const { matches } = host.describe() as unknown as {
  matches: [{ switch: [{ otherwise: { keys: object } }] }];
};
const fields = Object.keys(matches[0].switch[0].otherwise.keys).filter((name) => name !== 'type');

describe("the options of a site's own host", () => {
  const folder = temporaryFolder();
  after(() => folder.remove());

  const schema = withOwnHost(Joi.object({ repository: Joi.string(), ...ownHostOptions }));
  const read = (options: object) => {
    const { value, error } = schema.validate(options);
    if (error) throw error;
    return givenHost(value as OwnHostOptions);
  };
  const needed = {
    repository: 'https://git.example/acme/site.git',
    forge: 'gitea',
    publish: 'pull-request',
    hosts: '*.pages.example, www.acme.example',
  };
  const rest = {
    apiUrl: 'https://git.example/api/v1',
    project: 'acme/site',
    merge: 'automatic',
    previewUrl: 'https://{branch}.pages.example',
    liveUrl: 'https://www.acme.example',
    previewReports: 'preview, Preview – acme',
    liveReports: 'production',
    reporter: 'builder',
    buildMinutes: '20',
    hasPreviews: 'no',
    publishWindow: '0',
    bypassHeader: 'x-open',
  };

  it('give every field of the API', async () => {
    const bypassFile = join(folder.path, 'secret');
    writeFileSync(bypassFile, 'sesame\n');
    const given = await read({ ...needed, ...rest, bypassFile });
    expect(given).to.have.all.keys(fields);
    expect(given).to.deep.include({
      hosts: ['*.pages.example', 'www.acme.example'],
      previewReports: ['preview', 'Preview – acme'],
      liveReports: ['production'],
      buildMinutes: 20,
      hasPreviews: false,
      publishWindow: 0,
      bypass: { header: 'x-open', value: 'sesame' },
    });
  });

  it('leave to the API what they do not name', async () => {
    expect(await read(needed)).to.have.all.keys('forge', 'publish', 'hosts');
  });

  for (const [name, value] of Object.entries(rest))
    it(`take no ${name} without a forge`, () =>
      expect(() => read({ repository: needed.repository, [name]: value })).to.throw(
        /forge|bypass/,
      ));
});

it('the console has the fields of an own host of the API, but for those that are rarely set', () => {
  const apiOnly = ['project', 'publishWindow'];
  const typed = { apiUrl: 'https://git.example/api/v1', buildMinutes: '20' };
  const form = { ...fieldsOf({ type: 'embedded' }), ...typed, forge: 'gitea' as const };
  const inForm = fields.filter((name) => !apiOnly.includes(name));
  expect(ownHostOf(form)).to.have.all.keys('type', ...inForm);
  expect(ownHostOf({ ...form, hasPreviews: false })).to.include({ hasPreviews: false });
});
