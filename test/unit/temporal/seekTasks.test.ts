import { expect } from 'chai';
import {
  createAbsenceTimer,
  chooseVersionStep,
} from '../../../src/temporal/worker/currentVersion.ts';

/** Version `a` was current before `b`; `c` is new. */
const known = [
  { build: 'c', wasCurrent: false },
  { build: 'b', wasCurrent: true },
  { build: 'a', wasCurrent: true },
];

describe('chooseVersionStep(own, versions, workers)', () => {
  for (const [title, own, current, workers, next] of [
    ['works where its version is the current one', 'b', 'b', {}, 'work'],
    ['promotes where no version is current', 'a', undefined, {}, 'promote'],
    ['waits where a worker of the current one may be there', 'c', 'b', {}, 'wait'],
    [
      'waits where the server names none, until 90 s have passed',
      'c',
      'b',
      { absentMs: 89_999 },
      'wait',
    ],
    ['promotes where none has asked for 90 s', 'c', 'b', { absentMs: 90_000 }, 'promote'],
    ['promotes at once where all have stopped in order', 'c', 'b', { inOrder: true }, 'promote'],
    ['does so too where Temporal does not know it yet', 'd', 'b', { inOrder: true }, 'promote'],
    [
      'waits where they have, and it was current before',
      'a',
      'b',
      { inOrder: true, absentMs: 89_999 },
      'wait',
    ],
    ['promotes then after 90 s', 'a', 'b', { inOrder: true, absentMs: 90_000 }, 'promote'],
  ] as const)
    it(title, () => {
      expect(
        chooseVersionStep(own, { current, known }, { inOrder: false, absentMs: 0, ...workers }),
      ).to.equal(next);
    });
});

describe('createAbsenceTimer()', () => {
  const none = Math.max();
  for (const [title, looks, absentMs] of [
    ['counts from the first look', [[5, 1_000]], 0],
    [
      'counts on while nobody asks',
      [
        [5, 1_000],
        [5, 61_000],
        [5, 91_000],
      ],
      90_000,
    ],
    [
      'counts anew where one asks again, also late',
      [
        [5, 0],
        [5, 60_000],
        [6, 70_000],
        [6, 80_000],
      ],
      10_000,
    ],
    [
      'counts where the server names none, from then',
      [
        [5, 0],
        [none, 80_000],
        [none, 95_000],
      ],
      15_000,
    ],
    [
      'counts anew where they are back',
      [
        [none, 0],
        [6, 80_000],
        [6, 95_000],
      ],
      15_000,
    ],
    [
      'counts anew after a look that failed',
      [
        [5, 0],
        [NaN, 80_000],
        [5, 90_000],
        [5, 95_000],
      ],
      5_000,
    ],
  ] as const)
    it(title, () => {
      const absence = createAbsenceTimer();
      expect(looks.map(([askedAt, now]) => absence(askedAt, now)).at(-1)).to.equal(absentMs);
    });
});
