import { expect } from 'chai';
import { startApi, type TestApi } from '../helpers/api.ts';
import { fieldProblems } from '../../src/api/routes/tasks/tasks.schema.ts';
import { textFieldProblems } from '../../src/api/textSchema.ts';

describe('the body of POST /agent/tasks', () => {
  let api: TestApi;
  before(async () => {
    api = await startApi();
  });
  after(() => {
    expect(api.started).to.be.empty;
    return api.close();
  });

  const prompt = (fields: object = {}) => ({ siteId: api.site.siteId, prompt: 'x', ...fields });
  const item = (fields: object = {}) => ({
    targetPageSlug: '/new',
    context: 'city: Dallas',
    ...fields,
  });
  const generate = (items: unknown, fields: object = {}) => ({
    siteId: api.site.siteId,
    command: 'generate_pages',
    templatePageSlug: '/template',
    items,
    ...fields,
  });

  async function expectProblems(body: unknown, ...problems: string[]) {
    const { status, json } = await api.create(body);
    expect([status, json]).to.deep.equal([
      400,
      { error: `Invalid request body: ${problems.join('; ')}` },
    ]);
  }

  it('names every wrong field, including unknown ones', () =>
    expectProblems(
      { publish: 'true', callbackUrl: 1, items: [], extra: 1 },
      'siteId is required',
      'callbackUrl must be a string',
      'publish must be a boolean',
      'prompt is required',
      'items is not allowed',
      'extra is not allowed',
    ));

  it('names every wrong field of items', () =>
    expectProblems(
      generate([{ context: 7 }, 'x', item({ templatePageSlug: '/a', externalId: 5 })], {
        prompt: 'x',
      }),
      'items[0].targetPageSlug is required',
      'items[0].context must be a string',
      'items[1] must be of type object',
      'items[2].externalId must be a string',
      'items[2].templatePageSlug is not allowed',
      'prompt is not allowed',
    ));

  for (const siteId of [
    '',
    'x',
    '{9b2c4f6e-1111-4222-8333-444455556666}',
    '9b2c4f6e111142228333444455556666',
    '9b2c4f6e-1111422283334444-55556666',
    '9b2c4f6e-1111-4222-8333-44445555666g',
    '9b2c4f6e-1111-4222-8333-444455556666\n',
  ])
    it(`rejects ${JSON.stringify(siteId)} as a siteId`, async () => {
      const { status, json } = await api.create({ siteId, prompt: 'x' });
      expect(status).to.equal(400);
      expect(json['error']).to.match(
        new RegExp(
          `^Invalid request body: siteId (${fieldProblems.uuid}|is not allowed to be empty)`,
        ),
      );
    });

  it('does not convert values of other types', async () => {
    await expectProblems(prompt({ siteId: 7 }), 'siteId must be a string');
    await expectProblems(prompt({ publish: 1 }), 'publish must be a boolean');
    await expectProblems(prompt({ prompt: null }), 'prompt must be a string');
    await expectProblems(generate({ 0: item() }), 'items must be an array');
    await expectProblems(generate(null), 'items must be an array');
  });

  it('accepts 1 to 10 items', async () => {
    const items = (count: number) =>
      Array.from({ length: count }, (_, i) => item({ targetPageSlug: `/new-${i}` }));
    await expectProblems(generate([]), `items ${fieldProblems.itemCount}`);
    await expectProblems(generate(items(11)), `items ${fieldProblems.itemCount}`);
    await expectProblems(generate(undefined), 'items is required');
  });

  describe('texts', () => {
    it('rejects blank texts', async () => {
      await expectProblems(prompt({ prompt: '' }), 'prompt is not allowed to be empty');
      await expectProblems(prompt({ prompt: ' \n\t\u00a0' }), `prompt ${textFieldProblems.blank}`);
      await expectProblems(
        generate([item({ context: '  ' })]),
        `items[0].context ${textFieldProblems.blank}`,
      );
    });

    it('rejects control characters and unpaired surrogates', async () => {
      const { control, surrogate } = textFieldProblems;
      for (const char of ['\0', '\x1b', '\x08', '\x7f'])
        await expectProblems(prompt({ prompt: `a${char}b` }), `prompt ${control}`);
      await expectProblems(generate([item({ context: '\0' })]), `items[0].context ${control}`);
      await expectProblems(prompt({ prompt: 'a\ud800b' }), `prompt ${surrogate}`);
      await expectProblems(
        generate([item({ externalId: 'a\nb' })]),
        `items[0].externalId ${fieldProblems.externalId}`,
      );
      await expectProblems(
        generate([item({ facts: 'lose' })]),
        'items[0].facts must be one of [keep, drop]',
      );
    });

    it('rejects a prompt over 20,000 characters and a context over 100,000, and names the field', async () => {
      await expectProblems(
        prompt({ prompt: '😀'.repeat(20_001) }),
        `prompt ${textFieldProblems.tooLong(20_000)}`,
      );
      await expectProblems(
        generate([item(), item({ targetPageSlug: '/b', context: 'x'.repeat(100_001) })]),
        `items[1].context ${textFieldProblems.tooLong(100_000)}`,
      );
    });

    it('rejects contexts of more than 1,000,000 bytes together', () => {
      const items = Array.from({ length: 6 }, (_, i) =>
        item({ targetPageSlug: `/new-${i}`, context: 'é'.repeat(84_000) }),
      );
      return expectProblems(generate(items), `items ${fieldProblems.contexts}`);
    });

    it('accepts an externalId of 1 to 200 characters', async () => {
      await expectProblems(
        generate([item({ externalId: '' })]),
        'items[0].externalId is not allowed to be empty',
      );
      await expectProblems(
        generate([item({ externalId: 'x'.repeat(201) })]),
        'items[0].externalId length must be less than or equal to 200 characters long',
      );
    });
  });
});

describe('the largest body of POST /agent/tasks', () => {
  it('accepts 20,000 emoji, and ten contexts of 100,000 characters with the allowed control characters', async () => {
    const api = await startApi();
    const { siteId } = api.site;
    const items = Array.from({ length: 10 }, (_, i) => ({
      targetPageSlug: `/new-${i}`,
      context: `a\tb\r\n${'x'.repeat(99_995)}`,
      externalId: 'é'.repeat(200),
    }));
    const bodies = [
      { siteId, prompt: '😀'.repeat(20_000) },
      { siteId, command: 'generate_pages', templatePageSlug: '/t', items },
    ];
    for (const body of bodies) expect((await api.create(body)).status).to.equal(200);
    await api.close();
  });
});
