import { expect } from 'chai';
import { reviewVerdict } from '../../../src/contract/reviews/pageReviews.ts';
import { createOrganizations } from '../../../src/organizations/organizations.ts';
import { createPageMarks } from '../../../src/storage/pageMarks.ts';
import { testDatabase } from '../../helpers/database.ts';

const DAY = 86_400_000;
const at = new Date();
const later = new Date(at.getTime() + 1);

describe('createPageMarks(db)', () => {
  let marks: ReturnType<typeof createPageMarks>;
  let organizationId: string;
  before(async () => {
    const db = await testDatabase();
    ({ organizationId } = await createOrganizations(db).create({ name: 'Marks' }));
    marks = createPageMarks(db);
  });
  const change = (more: object = {}) => ({
    organizationId,
    taskId: 'bg-1',
    by: { userId: 'u1' },
    mark: 'fine' as const,
    pages: [
      { slug: '/a', version: 'v1' },
      { slug: '/b', version: 'v1' },
    ],
    at,
    ...more,
  });

  it('stores one mark of each person on each page, and removes it again', async () => {
    await marks.set(change());
    const key = { by: { keyId: 'k1' }, at: later };
    await marks.set(change({ ...key, mark: 'left-out', pages: [{ slug: '/a', version: 'v1' }] }));
    await marks.set(change({ pages: [{ slug: '/a', version: 'v2' }] }));
    expect(await marks.of('bg-1')).to.deep.equal([
      { slug: '/a', mark: 'left-out', version: 'v1', by: { keyId: 'k1' }, at: later },
      { slug: '/a', mark: 'fine', version: 'v2', by: { userId: 'u1' }, at },
      { slug: '/b', mark: 'fine', version: 'v1', by: { userId: 'u1' }, at },
    ]);
    await marks.set(change({ mark: null }));
    expect((await marks.of('bg-1')).map(({ by }) => by)).to.deep.equal([{ keyId: 'k1' }]);
  });

  it('removes marks after 35 days', async () => {
    await marks.set(change({ taskId: 'bg-old', at: new Date(Date.now() - 36 * DAY) }));
    await marks.set(change({ taskId: 'bg-new' }));
    expect(await marks.of('bg-old')).to.deep.equal([]);
  });

  it('counts a page as fine in the marked version, and as left out until nobody leaves it out', () => {
    const fine = { mark: 'fine' as const, version: 'v1' };
    expect(reviewVerdict([], 'v1')).to.equal('unseen');
    expect(reviewVerdict([fine], 'v2')).to.equal('unseen');
    expect(reviewVerdict([fine], 'v1')).to.equal('fine');
    expect(reviewVerdict([fine, { mark: 'left-out', version: 'v1' }], 'v1')).to.equal('left-out');
    expect(reviewVerdict([{ mark: 'left-out', version: 'v1' }], 'v2')).to.equal('left-out');
  });
});
