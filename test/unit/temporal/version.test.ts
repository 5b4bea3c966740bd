import { expect } from 'chai';
import { nextOf } from '../../../src/temporal/worker/version.ts';

/** Version `a` was current before `b`; `c` is new. */
const known = [
  { build: 'c', wasCurrent: false },
  { build: 'b', wasCurrent: true },
  { build: 'a', wasCurrent: true },
];

describe('nextOf(own, versions, asked)', () => {
  for (const [title, own, current, asked, next] of [
    ['works where its version is the current one', 'b', 'b', {}, 'work'],
    ['promotes where no version is current', 'a', undefined, {}, 'promote'],
    ['promotes where no worker of the current one is there', 'a', 'b', {}, 'promote'],
    ['waits where one may be there', 'a', 'b', { asked: 5 }, 'wait'],
    ['waits while none of them has asked again', 'a', 'b', { asked: 5, askedFirst: 5 }, 'wait'],
    ['leaves where one asked again, and it was current before', 'a', 'b', { asked: 6, askedFirst: 5 }, 'leave'],
    ['waits on where one asked again, and it is new', 'c', 'b', { asked: 6, askedFirst: 5 }, 'wait'],
    ['waits on where Temporal does not know it yet', 'd', 'b', { asked: 6, askedFirst: 5 }, 'wait'],
  ] as const)
    it(title, () => {
      const times = { asked: undefined, askedFirst: undefined, ...asked };
      expect(nextOf(own, { current, known }, times)).to.equal(next);
    });
});
