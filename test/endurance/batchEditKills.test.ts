// Each kill takes a batch of its own, with its commits. test/activities tries one of each kind.
import { TaskSite } from '../helpers/activities.ts';
import { expectEditsSurvive, expectEditsSurviveOthers } from '../helpers/batchEditKills.ts';

describe('edits by hand of the pages of a batch', function () {
  this.timeout(240_000);
  let site: TaskSite;
  beforeEach(async () => void (site = await TaskSite.createSmall()));
  afterEach(() => site?.remove());

  for (const step of ['keepEdits', 'takeOver', 'change'] as const)
    it(`are neither lost nor doubled by a kill at the database's ${step}`, () =>
      expectEditsSurvive(site, step));

  it("are kept by a kill at the database's keepEdits, though others changed the page", () =>
    expectEditsSurviveOthers(site, 'keepEdits', 0));
});
