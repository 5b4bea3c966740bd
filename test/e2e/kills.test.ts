import { useInterrupted, type Way, ways } from '../helpers/kills.ts';

const moments: [way: Way, behind: string, city: string][] = [
  ['stop', 'commitChanges', 'Porto'],
  ['kill', 'publish', 'Nantes'],
  ['killAll', 'deployPreview', 'Malmo'],
];

describe('a task in flight', function () {
  this.timeout(240_000);
  const { interrupt } = useInterrupted();

  for (const [way, behind, city] of moments)
    it(`goes on after ${ways[way]} behind ${behind}: one commit, one publish, its callback`, () =>
      interrupt(way, behind, city));
});
